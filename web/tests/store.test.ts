import { expect, test } from "vitest";

import { isRenderTool, projectFrom } from "../src/project";
import { newStore } from "../src/store";
import { newTurn } from "../src/turn";

test("listeners are told of every change until they leave", () => {
  const store = newStore("en", "light");
  const seen: string[] = [];
  const leave = store.subscribe(() => seen.push(store.state.language));
  store.set({ language: "zh" });
  leave();
  store.set({ language: "en" });
  expect(seen).toEqual(["zh"]);
});

test("a turn that forms takes the place of the last one only", () => {
  const store = newStore("en", "light");
  store.set({ turns: [newTurn("one"), newTurn("two")] });
  store.setLast({ ...newTurn("two"), state: "done" });
  expect(store.state.turns.map(({ human, state }) => [human, state])).toEqual([
    ["one", "generating"],
    ["two", "done"],
  ]);
});

test("the page runs the first graph, or the one that the address names", () => {
  const told = {
    graphs: [
      { name: "a", tools: ["render_x"], frames: true },
      { name: "b", tools: ["render_y"], frames: false },
    ],
    tools: { render_x: {}, render_y: {} },
  };
  expect(projectFrom(told, null)).toMatchObject({ graph: "a", tool: "render_x", sendsFrames: true, hasApp: true });
  expect(projectFrom(told, "b")).toMatchObject({ graph: "b", tool: "render_y", sendsFrames: false });
  expect(projectFrom(told, "c")).toMatchObject({ graph: "c", tool: null, sendsFrames: false });
});

test("a server without schemas shows whatever is called render_…", () => {
  const project = projectFrom(null, "agent");
  expect(project).toMatchObject({ graph: "agent", hasApp: false, sendsFrames: false });
  expect([isRenderTool(project, "render_x"), isRenderTool(project, "search")]).toEqual([true, false]);
});
