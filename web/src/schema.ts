/** A JSON Schema, as far as a card needs it: what a place is called, and what it holds. */

import { child, isObject, type Json, type JsonObject, type Key, keysOf } from "./json";
import type { Schema } from "./project";

/** Follow local references, and the first branch of an optional type. */
export function resolve(root: Schema, schema: Json | undefined): Schema {
  let found = schema;
  let title: Json | undefined;
  for (let step = 0; step < 16 && isObject(found); step++) {
    title ??= own(found, "title");
    const reference = own(found, "$ref");
    const branches = own(found, "anyOf") ?? own(found, "oneOf");
    if (typeof reference === "string" && reference.startsWith("#")) {
      found = keysOf(reference.slice(1)).reduce<Json | undefined>(child, root);
    } else if (Array.isArray(branches)) {
      found = branches.find((one) => isObject(one) && own(one, "type") !== "null") ?? {};
    } else {
      return title === undefined ? found : { ...found, title };
    }
  }
  return {};
}

/** The schema of a member or an item. */
export function under(root: Schema, schema: Schema, key: Key): Schema {
  if (typeof key === "number") {
    const first = child(own(schema, "prefixItems"), key);
    return resolve(root, first ?? own(schema, "items"));
  }
  return resolve(root, child(own(schema, "properties"), key) ?? own(schema, "additionalProperties"));
}

/** Keys in the order of the schema, then those that only the value has. */
export function fieldsOf(schema: Schema, keys: readonly string[]): string[] {
  const properties = own(schema, "properties");
  const known = isObject(properties) ? Object.keys(properties) : [];
  return [...known, ...keys.filter((key) => !known.includes(key))];
}

/** What a place is called: its title, or its key made readable. */
export function label(schema: Schema, key: string): string {
  const title = own(schema, "title");
  if (typeof title === "string" && title !== "") return title;
  const spaced = key.replaceAll("_", " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** `string`, `integer`, `number`, `boolean`, `array`, `object`, `word` (an enum) or `any`. */
export function kindOf(schema: Schema): string {
  if (own(schema, "enum") !== undefined || own(schema, "const") !== undefined) return "word";
  const type = own(schema, "type");
  if (typeof type === "string") return type;
  return own(schema, "properties") === undefined ? "any" : "object";
}

function own(schema: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}
