/** JSON read and written so that no integer is rounded. */

import { UNBOUNDED } from "./bounds";
import type { Json } from "./json";
import { JsonReader } from "./reader";

/** Parse JSON text; integers beyond 2^53 - 1 become `bigint`. */
export function parse(text: string): Json {
  const reader = new JsonReader({ bounds: UNBOUNDED, anyRoot: true });
  reader.push(text + " "); // a space ends a number at the end
  if (!reader.complete) throw new SyntaxError("the text is no JSON");
  return reader.document as Json;
}

/** Write JSON text. */
export function stringify(value: Json, indent = 0, depth = 0): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [open, close, parts] = Array.isArray(value)
    ? ["[", "]", value.map((item) => stringify(item, indent, depth + 1))]
    : ["{", "}", Object.keys(value).map((key) => member(key, value[key]!, indent, depth + 1))];
  if (parts.length === 0) return open + close;
  const line = (level: number): string => (indent ? "\n" + " ".repeat(indent * level) : "");
  return open + line(depth + 1) + parts.join("," + line(depth + 1)) + line(depth) + close;
}

function member(key: string, value: Json, indent: number, depth: number): string {
  return JSON.stringify(key) + (indent ? ": " : ":") + stringify(value, indent, depth);
}
