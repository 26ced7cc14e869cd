/** JSON values as the page holds them, and places in them. */

/** Integers that a double would round are `bigint`; objects have no prototype. */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export type Key = string | number;

/** Keys and indexes from the root, which is `[]`. */
export type Path = readonly Key[];

/** An object in which `__proto__` is a key like any other. */
export function emptyObject(): JsonObject {
  return Object.create(null) as JsonObject;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The child of a container; undefined where there is none. */
export function child(value: Json | undefined, key: Key): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
}

/** A JSON Pointer (RFC 6901). */
export function pointer(path: Path): string {
  return path.map((key) => "/" + String(key).replaceAll("~", "~0").replaceAll("/", "~1")).join("");
}

/** The keys of a JSON Pointer; indexes stay text. */
export function keysOf(pointed: string): string[] {
  return pointed
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}
