import { describe, expect, test } from "vitest";

import type { Schema } from "../src/project";
import { check, SchemaCheck } from "../src/verdict";
import { PLAN_SCHEMA } from "./plan";

const good = '{"topic":"a","level":"beginner","objectives":["b"],"lessons":[{"title":"c","duration_minutes":5}],"total_minutes":5}';

describe("the verdict on a text", () => {
  const states: [string, string, string[]][] = [
    [good, "complete", []],
    [good.replace(":5}]", ":20.0}]"), "complete", []],
    [good.replace("5}", "9007199254740993}"), "complete", []],
    [good.replace('"a"', '""'), "invalid", ["/topic"]],
    [good.replace("beginner", "expert"), "invalid", ["/level"]],
    [good.replace(":5}]", ':"5"}]'), "invalid", ["/lessons/0/duration_minutes"]],
    [good.replace(":5}]", ":true}]"), "invalid", ["/lessons/0/duration_minutes"]],
    [good.replace(":5}]", ":0}]"), "invalid", ["/lessons/0/duration_minutes"]],
    [good.replace('"topic":"a",', ""), "invalid", ["/topic"]],
    [good.replace("{", '{"a/b~c":1,'), "invalid", ["/a~1b~0c"]],
    [good.replace("{", '{"topic":"twice",'), "invalid", ["/topic"]],
    [good.replace(":5}]", ":NaN}]"), "invalid", ["/lessons/0/duration_minutes"]],
    [good.replace('"a"', '"\\ud800"'), "invalid", ["/topic"]],
    [good + " x", "invalid", [""]],
    ["```" + good, "invalid", [""]],
    ["", "invalid", [""]],
    ["[]", "invalid", [""]],
    [good.slice(0, -1), "incomplete", [""]],
    [good.slice(0, 40), "incomplete", [""]],
    ['{"a":1,"a":2', "incomplete", [""]],
    ['{"a":"\\u00', "incomplete", [""]],
    ['{"a":N', "invalid", [""]],
    ['{"a":-I', "invalid", [""]],
    [`{"a":"${"x".repeat(1_048_576)}"}`, "invalid", [""]],
  ];
  test.each(states)("%.60s", (text, state, pointers) => {
    const found = check(PLAN_SCHEMA, text);
    expect(found.state).toBe(state);
    expect(found.ok).toBe(state === "complete");
    expect(found.errors.map((error) => error.pointer)).toEqual(pointers);
  });
});

describe("a part that has closed", () => {
  const checker = new SchemaCheck(PLAN_SCHEMA);

  test("is judged by its own schema, through references", () => {
    expect(checker.errorsAt(["level"], "expert")).toEqual([{ pointer: "/level", code: "enum" }]);
    expect(checker.errorsAt(["level"], "beginner")).toEqual([]);
    expect(checker.errorsAt(["lessons", 3, "duration_minutes"], -1)[0]?.pointer).toBe("/lessons/3/duration_minutes");
    expect(checker.errorsAt(["lessons", 0], { title: "x" })[0]?.pointer).toBe("/lessons/0/duration_minutes");
  });

  test("is left to its parent under a union", () => {
    const union = { properties: { a: { anyOf: [{ properties: { b: { type: "string" } } }, { type: "null" }] } } } as unknown as Schema;
    expect(new SchemaCheck(union).errorsAt(["a", "b"], 5)).toEqual([]);
  });

  test("a union's fault is told once, where the union is", () => {
    const union = { properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } } } as unknown as Schema;
    expect(check(union, '{"a":5}').errors).toEqual([{ pointer: "/a", code: "anyOf" }]);
  });
});

test("integers beyond doubles are measured exactly", () => {
  const schema = { properties: { n: { type: "integer", multipleOf: 5, maximum: 9007199254740992 } } } as unknown as Schema;
  const codes = (text: string): string[] => check(schema, text).errors.map((error) => error.code);
  expect(codes('{"n":-15000000000000001}')).toEqual(["multipleOf"]);
  expect(codes('{"n":-15000000000000005}')).toEqual([]);
  expect(codes('{"n":9007199254740995}')).toEqual(["maximum"]);
});

test("the schema is left as it was", () => {
  const before = JSON.stringify(PLAN_SCHEMA);
  check(PLAN_SCHEMA, good);
  expect(JSON.stringify(PLAN_SCHEMA)).toBe(before);
});
