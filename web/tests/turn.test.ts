import { expect, test } from "vitest";

import { turnsOf } from "../src/fallback/judge";
import type { Json, JsonObject } from "../src/json";
import { projectFrom } from "../src/project";
import { failed, newTurn, settled, stateOf, turnFrom } from "../src/turn";
import { PLAN_SCHEMA } from "./plan";

const project = projectFrom({ graphs: [], tools: { render_learning_plan: PLAN_SCHEMA } }, null);
const plan = { topic: "SQL", level: "beginner", objectives: ["a"], lessons: [{ title: "b", duration_minutes: 5 }], total_minutes: 5 };

test("a status that the page does not know is no success", () => {
  expect(stateOf("ok")).toBe("done");
  expect(stateOf("splendid")).toBe("failed");
  expect(stateOf(undefined)).toBe("failed");
});

test("a cut answer shows what arrived, and no half number", () => {
  const turn = turnFrom({ human: "x", status: "truncated", raw: '{"topic":"SQ","total_minutes":12', value: null });
  expect(turn.state).toBe("truncated");
  expect(turn.value).toEqual({ topic: "SQ" });
});

test("the server's outcome counts; what was shown stays where it tells no value", () => {
  const shown = { ...newTurn("plan SQL"), tool: "render_learning_plan", value: { topic: "S" } };
  const stopped = settled(shown, turnFrom({ human: "plan SQL", status: "aborted", value: null, raw: null }));
  expect(stopped).toMatchObject({ state: "aborted", tool: "render_learning_plan", value: { topic: "S" } });
  const other = settled(shown, turnFrom({ human: "plan SQL", status: "ok", value: plan }));
  expect(other).toMatchObject({ state: "done", value: plan });
  const silent = settled(shown, turnFrom({ human: "plan SQL", status: "absent", text: "No." }));
  expect(silent.value).toBeUndefined();
});

test("the outcome of an older turn is never that of a newer one", () => {
  const turn = settled(newTurn("plan SQL"), turnFrom({ human: "plan CSS", status: "ok", value: plan }));
  expect(turn.state).toBe("failed");
  expect(turn.value).toBeUndefined();
});

test("a failure of the page's own keeps nothing open", () => {
  expect(failed({ ...newTurn("x"), openPath: ["a"] }, "connection_lost")).toMatchObject({ state: "failed", openPath: null });
});

function ai(fields: JsonObject): JsonObject {
  return { type: "ai", id: "a", content: "", tool_calls: [], invalid_tool_calls: [], response_metadata: {}, ...fields };
}

function called(args: Json, more: JsonObject = {}): JsonObject {
  return ai({ tool_calls: [{ name: "render_learning_plan", id: "c", args }], ...more });
}

const finish = (reason: string): JsonObject => ({ response_metadata: { finish_reason: reason } });

const outcomes: [string, JsonObject[], string, string][] = [
  ["a good call", [called(plan)], "idle", "ok"],
  ["a wrong call", [called({ ...plan, total_minutes: -1 })], "idle", "invalid"],
  ["a cut call", [ai({ invalid_tool_calls: [{ name: "render_learning_plan", id: "c", args: '{"topic":"S' }] })], "idle", "truncated"],
  ["a call that a parser completed", [called(plan, finish("length"))], "idle", "truncated"],
  ["a filtered call", [called(plan, finish("content_filter"))], "idle", "filtered"],
  ["a doubled finish reason", [ai(finish("content_filtercontent_filter"))], "idle", "filtered"],
  ["a refusal", [ai({ additional_kwargs: { refusal: "No." } })], "idle", "refused"],
  ["text alone", [ai({ content: "Hello" })], "idle", "absent"],
  ["an empty message", [ai({})], "idle", "failed"],
  ["a rejected call", [called(plan), { type: "tool", tool_call_id: "c", status: "error", content: "no" }], "idle", "failed"],
  ["a failed run", [], "error", "failed"],
  ["a stopped run", [], "interrupted", "aborted"],
  ["a run under way", [], "busy", "partial"],
];

test.each(outcomes)("without the app, the state tells the outcome of %s", (_, messages, threadStatus, status) => {
  const state = { values: { messages: [{ type: "human", content: "plan" }, ...messages] } };
  const [turn] = turnsOf(state, threadStatus, project);
  expect(turn).toMatchObject({ human: "plan", status });
});

test("every turn has its own outcome", () => {
  const human = (content: string): JsonObject => ({ type: "human", content });
  const state = { values: { messages: [human("one"), called(plan), human("two"), ai({ content: "Hm." })] } };
  expect(turnsOf(state, "idle", project).map(({ status }) => status)).toEqual(["ok", "absent"]);
});
