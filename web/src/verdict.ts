/**
 * The browser's own verdict on args: the bounds, then the schema.
 *
 * It is loaded after the first paint. Where the server gave a verdict, that one counts.
 */

import { type OutputUnit, Validator } from "@cfworker/json-schema";

import { BOUNDS, utf8Bytes } from "./bounds";
import { isObject, type Json, type JsonObject, type Key, keysOf, type Path, pointer } from "./json";
import type { Schema } from "./project";
import { JsonReader } from "./reader";

export interface Finding {
  readonly pointer: string;
  readonly code: string;
}

export interface Checked {
  readonly ok: boolean;
  /** `incomplete`: a proper beginning of a JSON object, as a cut-off leaves it. */
  readonly state: "complete" | "incomplete" | "invalid";
  readonly errors: readonly Finding[];
}

/** Judge the raw text of a call's args, as `rendercall.contract` does. */
export function check(schema: Schema, text: string): Checked {
  const read = readArgs(text);
  if (!("value" in read)) return read;
  const errors = new SchemaCheck(schema).errors(read.value);
  return { ok: errors.length === 0, state: errors.length === 0 ? "complete" : "invalid", errors };
}

function invalid(code: string, path: Path = []): Checked {
  return { ok: false, state: "invalid", errors: [{ pointer: pointer(path), code }] };
}

/** Read args within the bounds; a broken bound counts only where the text is whole. */
function readArgs(text: string): Checked | { readonly value: Json } {
  if (utf8Bytes(text) > BOUNDS.maxBytes) return invalid("too_large");
  if (/\p{Surrogate}/u.test(text)) return invalid("lone_surrogate");
  if (isBlank(text)) return invalid("empty");
  const reader = new JsonReader({ lenient: true });
  reader.push(text);
  const { fault } = reader;
  const isCut = fault ? fault.code === "json_syntax" && startsObject(text) && isTail(text.slice(fault.at)) : !reader.complete;
  if (isCut && !/^(?:N|-?I)/.test(reader.pending)) {
    return { ok: false, state: "incomplete", errors: [{ pointer: "", code: "truncated" }] };
  }
  if (fault) return invalid(fault.code);
  if (isCut) return invalid("json_syntax");
  const [breach] = reader.breaches;
  return breach ? invalid(breach.code, breach.path) : { value: reader.document! };
}

function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}

function startsObject(text: string): boolean {
  return /^[ \t\n\r]*\{/.test(text);
}

/** What Python's parser may stop at for want of more text (`rendercall.contract.args`). */
function isTail(rest: string): boolean {
  return isBlank(rest) || /^(?:-|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|\.|(?:\.[0-9]+)?[eE][+-]?)$/.test(rest);
}

/** A schema, ready to check whole values, and parts of them as they close. */
export class SchemaCheck {
  private readonly root: Validator;
  private readonly parts = new Map<JsonObject, Validator>();

  constructor(private readonly schema: Schema) {
    this.root = validator(schema);
  }

  errors(value: Json): Finding[] {
    return this.findings(this.root, value, []);
  }

  /** What is wrong with a closed part of a value; nothing where only its parent can tell. */
  errorsAt(path: Path, value: Json): Finding[] {
    const part = partOf(this.schema, path);
    if (part === null) return [];
    const { $defs = {}, definitions = {} } = this.schema;
    let known = this.parts.get(part);
    if (!known) this.parts.set(part, (known = validator({ $defs, definitions, ...part })));
    return this.findings(known, value, path);
  }

  private findings(checker: Validator, value: Json, base: Path): Finding[] {
    const large: Large[] = [];
    const { errors } = checker.validate(plain(value, base, large));
    const exact = large.flatMap(({ path, value }) => {
      const part = partOf(this.schema, path);
      return part === null ? [] : [{ pointer: pointer(path), faults: numberFaults(part, value) }];
    });
    const rounded = new Set(exact.map((one) => one.pointer));
    const told = inner(errors).map((unit) => findingOf(unit, base));
    const kept = told.filter((one) => !(NUMERIC.has(one.code) && rounded.has(one.pointer)));
    const found = [...kept, ...exact.flatMap((one) => one.faults.map((code) => ({ pointer: one.pointer, code })))];
    if (found.length > 0 || told.length > 0 || errors.length === 0) return found;
    return [{ pointer: pointer(base), code: "schema" }];
  }
}

function validator(schema: Schema): Validator {
  return new Validator(structuredClone(schema) as object, "2020-12", false); // it writes into the schema
}

/** Units that only say that something further in is wrong. */
const OUTER = new Set([
  "$ref",
  "$dynamicRef",
  "properties",
  "patternProperties",
  "items",
  "prefixItems",
  "allOf",
  "additionalProperties",
  "unevaluatedProperties",
]);

/** What is wrong in the end; of a union, that none of its branches fits. */
function inner(units: readonly OutputUnit[]): OutputUnit[] {
  const unions = units.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const isBranch = (place: string): boolean => unions.some((union) => place.startsWith(union.keywordLocation + "/"));
  return units.filter(({ keyword, keywordLocation }) => !OUTER.has(keyword) && !isBranch(keywordLocation));
}

function findingOf({ keyword, instanceLocation, error }: OutputUnit, base: Path): Finding {
  const path = [...base, ...keysOf(instanceLocation.slice(1))];
  const missing = keyword === "required" ? /property "([^]*)"\.$/.exec(error)?.[1] : undefined;
  const code = keyword === "false" ? "additionalProperties" : keyword;
  return { pointer: pointer(missing === undefined ? path : [...path, missing]), code };
}

/** An integer that a double rounds. */
interface Large {
  readonly path: Path;
  readonly value: bigint;
}

/** The value with doubles for large integers, as the checker takes it; the integers are set apart. */
function plain(value: Json, path: Path, large: Large[]): unknown {
  if (typeof value === "bigint") {
    large.push({ path, value });
    return Number(value);
  }
  if (Array.isArray(value)) return value.map((item, index) => plain(item, [...path, index], large));
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value)) copy[key] = plain(value[key]!, [...path, key], large);
  return copy;
}

const NUMERIC = new Set(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]);

/** The rules on numbers, for an integer that must not be rounded: such comparisons are exact. */
function numberFaults(schema: Schema, value: bigint): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const faults: [string, boolean][] = [
    ["minimum", typeof minimum === "number" && value < minimum],
    ["maximum", typeof maximum === "number" && value > maximum],
    ["exclusiveMinimum", typeof exclusiveMinimum === "number" && value <= exclusiveMinimum],
    ["exclusiveMaximum", typeof exclusiveMaximum === "number" && value >= exclusiveMaximum],
    ["multipleOf", Number.isSafeInteger(multipleOf) && value % BigInt(multipleOf as number) !== 0n],
  ];
  return faults.filter(([, isBroken]) => isBroken).map(([code]) => code);
}

/** The schema of a part; null under a union or a condition, which its parent's close decides. */
function partOf(root: Schema, path: Path): Schema | null {
  let schema: Schema | null = follow(root, root);
  for (const key of path) {
    if (schema === null || ["anyOf", "oneOf", "allOf", "if", "not"].some((name) => name in schema!)) return null;
    schema = follow(root, member(schema, key));
  }
  return schema;
}

function member(schema: Schema, key: Key): Json | undefined {
  const { properties, additionalProperties, prefixItems, items } = schema;
  if (typeof key === "number") return (Array.isArray(prefixItems) ? prefixItems[key] : undefined) ?? items;
  return isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
}

function follow(root: Schema, schema: Json | undefined): Schema | null {
  let found = schema;
  for (let step = 0; step < 16 && isObject(found) && typeof found.$ref === "string"; step++) {
    const keys = keysOf(found.$ref.replace(/^#/, ""));
    found = keys.reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), root);
  }
  return isObject(found) ? found : null;
}
