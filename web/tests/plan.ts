/** What the tests show: a plan, its schema, and ways to cut a text. */

import type { Json } from "../src/json";
import { parse } from "../src/exact";
import type { Schema } from "../src/project";

const lesson = {
  type: "object",
  additionalProperties: false,
  required: ["title", "duration_minutes"],
  properties: {
    title: { type: "string", minLength: 1, title: "Title" },
    duration_minutes: { type: "integer", exclusiveMinimum: 0, title: "Duration Minutes" },
  },
};

/** As Pydantic writes it for `schemas.learning_plan.LearningPlan`. */
export const PLAN_SCHEMA = {
  $defs: { Lesson: lesson },
  type: "object",
  additionalProperties: false,
  required: ["topic", "level", "objectives", "lessons", "total_minutes"],
  properties: {
    topic: { type: "string", minLength: 1, title: "Topic" },
    level: { type: "string", enum: ["beginner", "intermediate", "advanced"], title: "Level" },
    objectives: { type: "array", minItems: 1, items: { type: "string", minLength: 1 }, title: "Objectives" },
    lessons: { type: "array", minItems: 1, items: { $ref: "#/$defs/Lesson" }, title: "Lessons" },
    total_minutes: { type: "integer", exclusiveMinimum: 0, title: "Total Minutes" },
  },
} as unknown as Schema;

export const PLAN_TEXT =
  '{"topic":"SQL \\u00e9t\\u00e9 \\ud83d\\ude80 \\"quoted\\"\\n","level":"beginner","objectives":["解释 OVER","b"],' +
  ' "lessons" : [ {"title":"Frames 😀","duration_minutes":25}, {"title":"","duration_minutes":1.5e1} ],\n' +
  '"total_minutes":9007199254740993,"__proto__":{"x":[]},"rest":[true,false,null,-0.5,{}]}';

export const PLAN: Json = parse(PLAN_TEXT);

/** The text in pieces of a size. */
export function pieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}
