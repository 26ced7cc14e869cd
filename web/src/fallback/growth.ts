/** Which open strings may be shown: a cut enum value, date or pattern would be no value at all. */

import { child, isObject, type Json, type Key, keysOf, type Path } from "../json";
import type { Schema } from "../project";

const RESTRICTING = ["enum", "const", "format", "pattern", "contentEncoding"];

/** Whether a string at this place may be shown while it grows; as `plan_of_schema` in Python. */
export function mayGrow(root: Schema | undefined, path: Path): boolean {
  if (root === undefined) return true;
  let schemas = branches(root, [root]);
  for (const key of path) schemas = branches(root, schemas.flatMap((schema) => members(schema, key)));
  return !schemas.some(restrictsText);
}

function restrictsText(schema: Schema): boolean {
  const type = schema.type ?? "string";
  const isText = Array.isArray(type) ? type.includes("string") : type === "string";
  return isText && RESTRICTING.some((name) => Object.hasOwn(schema, name));
}

/** The schemas with all their branches, references followed, each once. */
function branches(root: Schema, schemas: readonly Json[]): Schema[] {
  const seen = new Set<Schema>();
  const waiting = [...schemas];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    for (const name of ["allOf", "anyOf", "oneOf", "if", "then", "else"]) {
      const more = child(schema, name);
      if (more !== undefined) waiting.push(...(Array.isArray(more) ? more : [more]));
    }
    const target = child(schema, "$ref") ?? child(schema, "$dynamicRef");
    const found = typeof target === "string" ? keysOf(target).reduce<Json | undefined>(child, root) : undefined;
    if (found !== undefined) waiting.push(found);
  }
  return [...seen];
}

function members(schema: Schema, key: Key): Json[] {
  const found: (Json | undefined)[] = [];
  if (typeof key === "number") {
    const tuple = child(schema, "prefixItems");
    found.push(child(schema, "items"), ...(Array.isArray(tuple) ? tuple : []));
  } else {
    const named = child(child(schema, "properties"), key);
    const patterns = child(schema, "patternProperties");
    found.push(named ?? child(schema, "additionalProperties"), ...(isObject(patterns) ? Object.values(patterns) : []));
  }
  return found.filter((one) => one !== undefined);
}
