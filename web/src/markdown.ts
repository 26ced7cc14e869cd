/** A value as Markdown, laid out by its schema. */

import { stringify } from "./exact";
import { isObject, type Json } from "./json";
import type { Schema } from "./project";
import { fieldsOf, label, resolve, under } from "./schema";

/** Text that stays text in Markdown, on one line. */
export function escape(text: string): string {
  return text
    .replace(/\s*[\r\n]+\s*/g, " ")
    .replace(/[\\`*_{}[\]<>#|~!&]/g, "\\$&")
    .replace(/^(\s*)([-+=]|\d+[.)])/, "$1\\$2");
}

/** Any value: its first text is the heading, its lists are lists, deeper groups are indented. */
export function markdownOf(value: Json, root: Schema): string {
  const schema = resolve(root, root);
  if (!isObject(value)) return scalar(value) + "\n";
  const keys = fieldsOf(schema, Object.keys(value)).filter((key) => Object.hasOwn(value, key));
  const heading = keys.find((key) => typeof value[key] === "string");
  const lines = heading === undefined ? [] : [`# ${scalar(value[heading]!)}`];
  for (const key of keys.filter((one) => one !== heading)) {
    const field = under(root, schema, key);
    const name = escape(label(field, key));
    const member = value[key]!;
    lines.push(isBranch(member) ? `## ${name}\n\n${list(member, root, field, "")}` : `**${name}:** ${scalar(member)}`);
  }
  return lines.join("\n\n") + "\n";
}

function list(value: Json[] | Record<string, Json>, root: Schema, schema: Schema, indent: string): string {
  if (Array.isArray(value)) {
    return value.map((item, index) => entry("", item, root, under(root, schema, index), indent)).join("\n");
  }
  return fieldsOf(schema, Object.keys(value))
    .filter((key) => Object.hasOwn(value, key))
    .map((key) => {
      const field = under(root, schema, key);
      return entry(`${escape(label(field, key))}: `, value[key]!, root, field, indent);
    })
    .join("\n");
}

function entry(name: string, value: Json, root: Schema, schema: Schema, indent: string): string {
  if (!isBranch(value)) return `${indent}- ${name}${scalar(value)}`;
  return `${indent}- ${name}\n${list(value, root, schema, indent + "  ")}`;
}

function isBranch(value: Json): value is Json[] | Record<string, Json> {
  return typeof value === "object" && value !== null;
}

function scalar(value: Json): string {
  return typeof value === "string" ? escape(value) : stringify(value);
}
