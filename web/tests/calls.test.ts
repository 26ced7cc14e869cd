import { expect, test } from "vitest";

import { FrameCalls } from "../src/calls";
import { Checking } from "../src/checking";
import { FragmentCalls } from "../src/fallback/fragments";
import type { Json } from "../src/json";
import { projectFrom } from "../src/project";
import { PLAN, PLAN_SCHEMA, PLAN_TEXT, pieces } from "./plan";

const project = projectFrom({ graphs: [], tools: { render_learning_plan: PLAN_SCHEMA } }, null);
const checking = new Checking(() => project);

function frame(seq: number, frame: Json, more: Record<string, Json> = {}): Json {
  return { type: "render_frame", seq, frame, ...more };
}

test("a frame leaves out what the one before it said", () => {
  const calls = new FrameCalls(checking);
  calls.take(frame(0, [{}], { call_id: "c", message_id: "m", tool: "render_learning_plan" }));
  const forming = calls.take(frame(1, ["topic", "SQL"]));
  expect(forming).toMatchObject({ tool: "render_learning_plan", value: { topic: "SQL" }, openPath: [] });
});

test("a newer message supersedes what an older one has shown", () => {
  const calls = new FrameCalls(checking);
  calls.take(frame(0, [{}, "topic", "old"], { call_id: "c", message_id: "m1", tool: "t" }));
  const newer = calls.take(frame(0, [{}], { call_id: "c", message_id: "m2", tool: "t" }));
  expect(newer?.value).toEqual({});
  expect(calls.take(frame(1, ["level", "x"], { call_id: "c", message_id: "m1", tool: "t" }))).toBeNull();
});

test("what a reconnect sends again is not read twice", () => {
  const calls = new FrameCalls(checking);
  const first = frame(0, [{}, "topic", ["S"]], { call_id: "c", message_id: "m", tool: "t" });
  calls.take(first);
  calls.take(frame(1, "Q"));
  expect(calls.take(first)).toBeNull();
  expect(calls.take(frame(1, "Q"))).toBeNull();
  expect(calls.take(frame(2, "L"))?.value).toEqual({ topic: "SQL" });
});

test("other writers of the same channel are left alone", () => {
  const calls = new FrameCalls(checking);
  for (const data of [null, "x", [1], { type: "progress", seq: 0 }] as Json[]) expect(calls.take(data)).toBeNull();
  expect(calls.used).toBe(false);
});

function chunk(id: string, ...pieces: Json[]): Json {
  return [{ type: "AIMessageChunk", id, content: "", tool_call_chunks: pieces }, { langgraph_node: "model" }];
}

test.each([1, 6, 50])("fragments of %i characters are read by the same rules", (size) => {
  const calls = new FragmentCalls(project, checking);
  let value: Json | undefined;
  pieces(PLAN_TEXT, size).forEach((args, index) => {
    const isFirst = index === 0;
    const name = isFirst ? "render_learning_plan" : null;
    const forming = calls.take(chunk("m", { name, id: isFirst ? "c" : null, args, index: 0 }));
    value = forming?.value;
    const { level } = (value ?? {}) as Record<string, Json>;
    expect([undefined, "beginner"]).toContain(level);
  });
  expect(value).toEqual(PLAN);
});

test("only render calls are shown, the last one of them, and pieces that name no call belong to the one before", () => {
  const calls = new FragmentCalls(project, checking);
  expect(calls.take(chunk("m", { name: "search_docs", id: "a", args: '{"q":"x"}', index: 0 }))).toBeNull();
  calls.take(chunk("m", { name: "render_learning_plan", id: "b", args: '{"topic":', index: 1 }));
  expect(calls.take(chunk("m", { name: null, id: null, args: '"SQL"', index: null }))?.value).toEqual({ topic: "SQL" });
  const again = calls.take(chunk("m2", { name: "render_learning_plan", id: "c", args: "{", index: 0 }));
  expect(again?.value).toEqual({});
});

test("a model that does not stream shows its call at once, a stored copy of a streamed one nothing", () => {
  const whole = (id: string): Json => [{ type: "ai", id, tool_calls: [{ name: "render_learning_plan", args: { topic: "A" } }] }, {}];
  const calls = new FragmentCalls(project, checking);
  expect(calls.take(whole("m"))?.value).toEqual({ topic: "A" });
  calls.take(chunk("n", { name: "render_learning_plan", id: "b", args: "{", index: 0 }));
  expect(calls.take(whole("n"))).toBeNull();
});
