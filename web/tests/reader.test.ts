import { describe, expect, test } from "vitest";

import { isObject, type Json, type Path } from "../src/json";
import { JsonReader } from "../src/reader";
import { PLAN, PLAN_TEXT, pieces } from "./plan";

/** Whether a value so far is a beginning of the whole: strings may grow, nothing else may change. */
export function begins(part: Json | undefined, whole: Json | undefined): boolean {
  if (part === undefined) return true;
  if (typeof part === "string") return typeof whole === "string" && whole.startsWith(part);
  if (Array.isArray(part)) return Array.isArray(whole) && part.every((item, index) => begins(item, whole[index]));
  if (isObject(part)) {
    return isObject(whole) && Object.keys(part).every((key) => Object.hasOwn(whole, key) && begins(part[key], whole[key]));
  }
  return part === whole;
}

describe("a JSON reader", () => {
  test.each([1, 2, 3, 5, 7, 64])("shows only what is true, in fragments of %i", (size) => {
    const reader = new JsonReader();
    for (const piece of pieces(PLAN_TEXT, size)) {
      reader.push(piece);
      expect(begins(reader.document, PLAN)).toBe(true);
      expect(reader.fault).toBeNull();
    }
    expect(reader.complete).toBe(true);
    expect(reader.document).toEqual(PLAN);
    expect(reader.openPath).toBeNull();
  });

  test("reads every two fragments as it reads the whole", () => {
    for (let cut = 0; cut <= PLAN_TEXT.length; cut++) {
      const reader = new JsonReader();
      reader.push(PLAN_TEXT.slice(0, cut));
      reader.push(PLAN_TEXT.slice(cut));
      expect(reader.document).toEqual(PLAN);
    }
  });

  test("keeps integers exact, and keys that objects have by birth", () => {
    const reader = new JsonReader();
    reader.push('{"a":9007199254740993,"b":-123456789012345678901,"constructor":1,"__proto__":2,"c":-0}');
    const document = reader.document as Record<string, Json>;
    expect(document.a).toBe(9007199254740993n);
    expect(document.b).toBe(-123456789012345678901n);
    expect(Object.keys(document)).toEqual(["a", "b", "constructor", "__proto__", "c"]);
    expect(Object.is(document.c, 0)).toBe(true);
  });

  const open: [string, Json | undefined, Path | null][] = [
    ["", undefined, null],
    ["{", {}, []],
    ['{"a', {}, []],
    ['{"a":', {}, []],
    ['{"a":1', {}, []],
    ['{"a":1,', { a: 1 }, []],
    ['{"a":tru', {}, []],
    ['{"a":"', { a: "" }, ["a"]],
    ['{"a":"x\\', { a: "x" }, ["a"]],
    ['{"a":"x\\ud83d', { a: "x" }, ["a"]],
    ['{"a":"x\ud83d', { a: "x" }, ["a"]],
    ['{"a":[{"b":["y', { a: [{ b: ["y"] }] }, ["a", 0, "b", 0]],
    ['{"a":[{}', { a: [{}] }, ["a"]],
  ];
  test.each(open)("says of %s what is known, and what is open", (text, document, path) => {
    const reader = new JsonReader();
    reader.push(text);
    expect(reader.document).toEqual(document);
    expect(reader.openPath).toEqual(path);
  });

  const faults: [string, string][] = [
    ['{"a":1,"a":2}', "duplicate_key"],
    ['{"a":NaN}', "not_finite"],
    ['{"a":1e999}', "not_finite"],
    ['{"a":"\\ud83d!"}', "lone_surrogate"],
    ['{"a":"\udc00"}', "lone_surrogate"],
    ['{"a":01}', "json_syntax"],
    ['{"a":1.}', "json_syntax"],
    ['{"a" 1}', "json_syntax"],
    ['{"a":1,}', "json_syntax"],
    ["{'a':1}", "json_syntax"],
    ['{"a":"\\x"}', "json_syntax"],
    ['{"a":"\u0001"}', "json_syntax"],
    ['{"a":1} x', "json_syntax"],
    ["[1]", "not_object"],
    ["x", "json_syntax"],
    [`{"a":${"[".repeat(64)}`, "too_deep"],
    [`{"a":${"1".repeat(129)}}`, "number_too_long"],
    [`{"a":[${"1,".repeat(10_000)}1]}`, "too_many_items"],
    [`{"a":"${"x".repeat(262_145)}"}`, "string_too_long"],
  ];
  test.each(faults)("stops at %s, whatever the fragments", (text, code) => {
    for (const size of [1, 3, text.length].slice(text.length > 1000 ? 2 : 0)) {
      const reader = new JsonReader();
      for (const piece of pieces(text, size)) reader.push(piece);
      expect(reader.fault?.code).toBe(code);
      expect(reader.complete).toBe(false);
    }
  });

  test("holds back a string that may not be shown in part", () => {
    const reader = new JsonReader({ grows: (path) => path[0] !== "level" });
    reader.push('{"level":"beginner');
    expect(reader.document).toEqual({});
    expect(reader.openPath).toEqual([]);
    reader.push('"');
    expect(reader.document).toEqual({ level: "beginner" });
  });

  test("takes raw line breaks inside strings, as many servers send them", () => {
    const reader = new JsonReader();
    reader.push('{"a":"x\ny\tz"}');
    expect(reader.document).toEqual({ a: "x\ny\tz" });
  });
});
