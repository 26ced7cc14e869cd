import { describe, expect, test } from "vitest";

import { turnsOf } from "../src/fallback/judge";
import type { Json, JsonObject } from "../src/json";
import { projectFrom } from "../src/project";
import { currentStep, isActive, MOST, settledSteps, type Step, stepsFrom, withEvent } from "../src/steps";
import { failed, newTurn, settled, turnFrom } from "../src/turn";

const title = { en: "Search the logs", zh: "搜索日志" };

function event(id: string, status: string, detail = "", more: JsonObject = {}): JsonObject {
  const summary = { status, title, detail: { en: detail, zh: detail } };
  return { type: "tool_event", event: "progress", tool_call_id: id, name: "search_logs", summary, ...more };
}

function fold(...events: Json[]): readonly Step[] {
  return events.reduce<readonly Step[]>(withEvent, []);
}

const told = (steps: readonly Step[]): string[] => steps.map(({ id, status, detail }) => `${id} ${status} ${detail.en}`.trim());

describe("tool events", () => {
  test("give one step for each call, in the order of their beginning, as the last summary has it", () => {
    const steps = fold(
      event("a", "running"),
      event("b", "running"),
      event("b", "success", "1–20 of 43"),
      event("a", "running", "3 of 9"),
      event("a", "waiting", "Trying again in 1 s"),
      event("a", "error", "Not found"),
    );
    expect(told(steps)).toEqual(["a error Not found", "b success 1–20 of 43"]);
    expect(steps[0]!.title).toEqual(title);
  });

  test("that a stream replays change nothing", () => {
    const events = [event("a", "running"), event("a", "success", "5"), event("b", "running"), event("b", "error", "x")];
    const steps = fold(...events);
    expect(fold(...events, ...events)).toEqual(steps);
    expect(withEvent(steps, events[0]!)).toBe(steps);
  });

  test.each<[string, Json]>([
    ["another type", { ...event("a", "running"), type: "render_frame" }],
    ["no call", { ...event("a", "running"), tool_call_id: null }],
    ["no name", { ...event("a", "running"), name: 7 }],
    ["no summary", { ...event("a", "running"), summary: null }],
    ["a summary that is text", { ...event("a", "running"), summary: "running" }],
    ["a status that nobody knows", event("a", "splendid")],
    ["a status that only the page has", event("a", "stopped")],
    ["the name of a prototype's member", event("a", "constructor")],
    ["no object", ["tool_event"]],
    ["nothing", null],
  ])("of an unknown shape are ignored: %s", (_, data) => {
    const before = fold(event("z", "running"));
    expect(withEvent(before, data)).toBe(before);
  });

  test.each<[string, Json, Json, string, string]>([
    ["one language", { zh: "搜索" }, { en: "5" }, "搜索", "5"],
    ["no title", null, null, "search_logs", ""],
    ["titles that are no text", { en: 5, zh: ["x"] }, "5", "search_logs", ""],
  ])("with %s still have words", (_, titles, detail, shown, more) => {
    const [step] = fold(event("a", "running", "", { summary: { status: "running", title: titles, detail } }));
    expect([step!.title.en, step!.title.zh, step!.detail.en, step!.detail.zh]).toEqual([shown, shown, more, more]);
  });

  test("tell which step is under way: one that waits only where none runs", () => {
    const steps = fold(event("a", "running"), event("b", "running"), event("c", "waiting"), event("d", "success"));
    expect(currentStep(steps)!.id).toBe("b");
    expect(currentStep(fold(event("c", "waiting"), event("d", "error")))!.id).toBe("c");
    expect(currentStep(fold(event("d", "success")))).toBeUndefined();
  });

  test("are bounded in number and length", () => {
    const many = Array.from({ length: MOST + 9 }, (_, at) => event(`${at}`, "running", "x".repeat(9_000)));
    const steps = fold(...many, ...many);
    expect(steps).toHaveLength(MOST);
    expect(steps[0]!.detail.en.length).toBeLessThan(500);
  });
});

describe("the steps of a turn that is over", () => {
  const seen = fold(event("a", "running"), event("b", "success"), event("c", "running"), event("d", "waiting", "Waiting"));
  const stored = { steps: [{ tool_call_id: "a", name: "search_logs", summary: event("a", "error", "Not found").summary! }] };

  test("are as they are stored; what was seen and not stored did not finish", () => {
    expect(told(settledSteps(seen, stepsFrom(stored.steps)))).toEqual(["a error Not found", "b success", "c stopped", "d stopped"]);
    expect(settledSteps(seen, []).some(isActive)).toBe(false);
  });

  test.each([
    ["absent", "waiting"],
    ["aborted", "stopped"],
    ["failed", "stopped"],
  ])("which ended as %s: a step that waited is now %s", (status, now) => {
    const turn = settled({ ...newTurn("x"), steps: seen }, turnFrom({ human: "x", status, ...stored }));
    expect(turn.steps.at(-1)!.status).toBe(now);
    expect(turn.steps.some((step) => step.status === "running")).toBe(false);
  });

  test("do not run on where the page itself ends the turn", () => {
    expect(failed({ ...newTurn("x"), steps: seen }, "connection_lost").steps.some(isActive)).toBe(false);
  });
});

test("stored steps of an unknown shape are ignored", () => {
  for (const steps of [undefined, null, "x", { a: 1 }, [null, 1, {}, { tool_call_id: "a", name: "b", summary: null }]]) {
    expect(stepsFrom(steps as Json)).toEqual([]);
  }
});

test("without the app, the tools' messages tell the same", () => {
  const artifact = { type: "tool_result", outcome: "ok", structured: { secret: 1 }, summary: event("a", "success", "5").summary! };
  const messages = [
    { type: "human", content: "plan" },
    { type: "tool", tool_call_id: "a", name: "search_logs", content: "text", artifact },
    { type: "tool", tool_call_id: "b", name: "plain", content: "text" },
  ];
  const [turn] = turnsOf({ values: { messages } }, "idle", projectFrom(null, null));
  expect(JSON.stringify(turn!.steps)).not.toContain("secret");
  expect(told(turnFrom(turn!).steps)).toEqual(["a success 5"]);
});
