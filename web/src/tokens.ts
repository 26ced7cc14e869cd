/** The smallest pieces of JSON text: strings and atoms, whole or cut by a fragment's end. */

import type { Json } from "./json";

export interface Decoded {
  readonly text: string;
  /** Where it stopped: at the closing quote, at a tail that the next fragment decides, at a fault. */
  readonly end: number;
  readonly closed: boolean;
  readonly fault: boolean;
  /** Whether it holds half of a surrogate pair. */
  readonly lone: boolean;
}

const RUN = /[ !#-[\]-\uffff]*/y; // no quote, no backslash, no control character
const ESCAPE = /\\(?:(["\\/bfnrt])|u([0-9a-fA-F]{4}))/y;
const LOW = /\\u([dD][c-fC-F][0-9a-fA-F]{2})/y;
const CUT_ESCAPE = /^\\(?:u[0-9a-fA-F]{0,3})?$/;
const CUT_LOW = /^(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?$/;
const SHORT: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function at(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** Decode the inside of a string, to its quote or as far as it is decided. */
export function decodeString(source: string, start: number): Decoded {
  let text = "";
  let lone = false;
  let index = start;
  const stop = (closed: boolean, fault: boolean): Decoded => ({ text, end: index, closed, fault, lone });
  for (;;) {
    const run = at(RUN, source, index)![0];
    text += run;
    index += run.length;
    if (index === source.length) return stop(false, false);
    const char = source[index]!;
    if (char === '"') return stop(true, false);
    if (char === "\n" || char === "\r" || char === "\t") {
      text += char;
      index += 1;
      continue;
    }
    if (char !== "\\") return stop(false, true);
    const escape = at(ESCAPE, source, index);
    if (escape === null) return stop(false, !CUT_ESCAPE.test(source.slice(index, index + 6)));
    if (escape[1] !== undefined) {
      text += SHORT[escape[1]];
      index += 2;
      continue;
    }
    const unit = Number.parseInt(escape[2]!, 16);
    const low = isHigh(unit) ? at(LOW, source, index + 6) : null;
    if (isHigh(unit) && low === null && CUT_LOW.test(source.slice(index + 6, index + 12))) {
      return stop(false, false);
    }
    lone ||= unit >= 0xd800 && unit < 0xe000 && low === null;
    text += low ? String.fromCharCode(unit, Number.parseInt(low[1]!, 16)) : String.fromCharCode(unit);
    index += low ? 12 : 6;
  }
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

const ATOM = /[-+.0-9A-Za-z_]*/y;
const NUMBER = /^-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)$/;
const CUT_NUMBER = /^-?(?:(?:0|[1-9][0-9]*)(?:\.(?:[0-9]+(?:[eE][+-]?[0-9]*)?)?|[eE][+-]?[0-9]*)?)?$/;
const BEGINNING = /^(?:true|false|null|NaN|-?Infinity|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)/;
const LITERALS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const NOT_FINITE = ["NaN", "Infinity", "-Infinity"];

/** Where an atom ends: as far as letters, digits and signs go. */
export function atomEnd(text: string, start: number): number {
  return start + at(ATOM, text, start)![0].length;
}

/** How much of a wrong atom is a right one: what follows is where it went wrong. */
export function atomBeginning(literal: string): number {
  return BEGINNING.exec(literal)?.[0].length ?? 0;
}

/** Whether more text could still make an atom of this. */
export function maybeAtom(literal: string): boolean {
  if (CUT_NUMBER.test(literal)) return true;
  return [...LITERALS.keys(), ...NOT_FINITE].some((word) => word.startsWith(literal));
}

/** The value of an atom, the code of the bound that it breaks, or undefined: it is none. */
export function readAtom(literal: string, longest: number): { value: Json } | { code: string } | undefined {
  const value = LITERALS.get(literal);
  if (value !== undefined) return { value };
  if (NOT_FINITE.includes(literal)) return { code: "not_finite" };
  const number = NUMBER.exec(literal);
  if (number === null) return undefined;
  if (literal.length > longest) return { code: "number_too_long" };
  const double = Number(literal);
  if (!Number.isFinite(double)) return number[1] === "" ? { value: BigInt(literal) } : { code: "not_finite" };
  if (number[1] === "" && !Number.isSafeInteger(double)) return { value: BigInt(literal) };
  return { value: double === 0 ? 0 : double };
}
