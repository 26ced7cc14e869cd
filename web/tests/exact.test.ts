import { expect, test } from "vitest";

import { parse, stringify } from "../src/exact";
import type { JsonObject } from "../src/json";

test.each([
  "null",
  "12",
  '"a\\nb"',
  "[]",
  "{}",
  "9007199254740993",
  "-9007199254740993",
  "123456789012345678901234567890",
  '{"a":[1,-0.5,true,{"b":null}],"__proto__":{"c":"\\u0000"}}',
])("%s is written as it was read", (text) => {
  expect(stringify(parse(text))).toBe(text);
});

test("the indented form is JSON.stringify's", () => {
  const value = { a: [1, { b: [] }], c: {}, d: "x" };
  expect(stringify(parse(JSON.stringify(value)), 2)).toBe(JSON.stringify(value, null, 2));
});

test("no key reaches a prototype", () => {
  const value = parse('{"__proto__":{"polluted":true}}') as JsonObject;
  expect(Object.getPrototypeOf(value)).toBeNull();
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test.each(["", "[1", '{"a":}', "1 2", "nul"])("%s is no JSON", (text) => {
  expect(() => parse(text)).toThrow(SyntaxError);
});
