// @vitest-environment happy-dom
import { render } from "preact";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { bodyOf, labelOf, markdown, titleOf } from "../src/cards";
import { parse, stringify } from "../src/exact";
import { isObject, type Json, pointer, type Path } from "../src/json";
import { WordsContext } from "../src/page";
import { webAddress } from "../src/parts/leaf";
import { projectFrom, type Schema } from "../src/project";
import { JsonReader } from "../src/reader";
import { Spot } from "../src/spot";
import { newTurn } from "../src/turn";
import { WORDS } from "../src/words";
import { PLAN_SCHEMA } from "./plan";

const plan =
  '{"topic":"SQL <b>","level":"beginner","objectives":["解释 OVER","b"],"lessons":[{"title":"Frames","duration_minutes":25},' +
  '{"title":"Ranking","duration_minutes":9007199254740993}],"total_minutes":60}';
const trip =
  '{"name":"Porto","days":[{"at":"2027-01-02","stops":["a","b"],"cost":null}],"page":"https://example.com/x","extra":{"deep":[{"er":true}]}}';
const tripSchema = {
  properties: {
    name: { type: "string", title: "Name" },
    days: { type: "array", items: { type: "object", properties: { at: { type: "string" } } } },
  },
} as unknown as Schema;

const report =
  '{"title":"Errors in <b>payments","severity":"major","summary":"503 errors.","timeline":[{"time":"2026-03-14T12:02:07.000Z","event":"deployed",' +
  '"citations":[{"artifact":"deploys.log@8ce0ced6","line":3,"quote":"deploy of payments"},{"artifact":"b","line":9007199254740993,"quote":"x"}]}],' +
  '"findings":[{"kind":"fact","text":"The pool was https://example.com/ full.","citations":[{"artifact":"a","line":1,"quote":"pool"}]},' +
  '{"kind":"inference","text":"因为部署。","citations":[]}],"gaps":["No traces.","b"]}';

let page: HTMLElement;
beforeEach(() => document.body.append((page = document.createElement("div"))));
afterEach(() => page.remove());

/** Every leaf of a value, as its text. */
function leaves(value: Json | undefined, path: Path = [], found: Record<string, string> = {}): Record<string, string> {
  if (Array.isArray(value)) value.forEach((item, index) => leaves(item, [...path, index], found));
  else if (isObject(value)) for (const key of Object.keys(value)) leaves(value[key], [...path, key], found);
  else if (value !== undefined) found[pointer(path)] = typeof value === "string" ? value : stringify(value);
  return found;
}

function shown(): Record<string, string> {
  const places = [...page.querySelectorAll<HTMLElement>("[data-path]")];
  return Object.fromEntries(places.map((place) => [place.dataset.path, place.textContent]));
}

describe.each([
  ["render_learning_plan", plan, PLAN_SCHEMA],
  ["render_trip", trip, tripSchema],
  ["render_trip", trip, undefined],
  ["render_incident_report", report, undefined],
])("the card of %s", (tool, text, schema) => {
  const Body = bodyOf(tool);

  test("shows what is known of the value, and nothing else, at every character", () => {
    const reader = new JsonReader();
    for (const char of text) {
      reader.push(char);
      render(<Body spot={Spot.root(reader.document, reader.openPath, false)} schema={schema} />, page);
      expect(shown()).toEqual(leaves(reader.document));
      const open = [...page.querySelectorAll<HTMLElement>("[data-open]")].map((place) => place.dataset.path);
      const path = reader.openPath;
      const value = path?.reduce<Json | undefined>((at, key) => (at as Record<string, Json>)[key], reader.document);
      expect(open).toEqual(typeof value === "string" ? [pointer(path!)] : []);
    }
    expect(shown()).toEqual(leaves(parse(text)));
    expect(page.querySelectorAll("[data-skeleton]")).toHaveLength(0);
  });

  test("shows a part without a promise of more once it is over", () => {
    const reader = new JsonReader();
    reader.push(text.slice(0, 20));
    render(<Body spot={Spot.root(reader.document, reader.openPath, true)} schema={schema} />, page);
    expect(page.querySelectorAll("[data-skeleton],[data-open]")).toHaveLength(0);
  });

  test("draws what the schema does not allow, too", () => {
    const shows = (value: string, ...texts: string[]): void => {
      render(<Body spot={Spot.root(parse(value), null, true)} schema={schema} />, page);
      for (const text of texts) expect(page.textContent).toContain(text);
    };
    if (tool === "render_incident_report") {
      shows('{"title":[11],"severity":5,"timeline":{"a":22},"findings":"xx","gaps":3}', "11", "5", "22", "xx", "3");
      shows('{"timeline":[77,null,"tt"],"findings":[{"kind":9,"text":{"b":8},"citations":["cc",{"line":"l"}]}],"gaps":[[4]]}', "77", "null", "tt", "9", "8", "cc", "l", "4");
      return;
    }
    shows('{"topic":[11],"lessons":{"a":22},"objectives":"xx","days":3}', "11", "22", "xx");
    shows('{"lessons":[77,null,"tt"],"objectives":[]}', "77", "null", "tt");
  });
});

describe("the card of an incident report", () => {
  const Body = bodyOf("render_incident_report");
  const draw = (text: string, language: "en" | "zh" = "en", isOver = true): void => {
    const reader = new JsonReader();
    reader.push(text);
    const spot = Spot.root(reader.document, reader.openPath, isOver);
    const body = <Body spot={spot} schema={undefined} />;
    render(<WordsContext.Provider value={WORDS[language]}>{body}</WordsContext.Provider>, page);
  };
  const textsOf = (places: string): string[] => [...page.querySelectorAll(places)].map((place) => place.textContent.trim());

  test.each([
    ["en", ["fact", "inference"], "major"],
    ["zh", ["事实 fact", "推断 inference"], "严重 major"],
  ] as const)("tells facts and inferences apart in words (%s)", (language, kinds, severity) => {
    draw(report, language);
    expect(textsOf(".kind")).toEqual(kinds);
    expect(textsOf(".severity dd")).toEqual([severity]);
    expect([...page.querySelectorAll<HTMLElement>("[data-kind]")].map((one) => one.dataset.kind)).toEqual(["fact", "inference"]);
  });

  test("has each claim's log, line and words beside it, and no link or markup of the text", () => {
    draw(report);
    expect(textsOf(".timeline .citations li")).toEqual(["deploys.log@8ce0ced6 line 3 deploy of payments", "b line 9007199254740993 x"]);
    expect(textsOf(".findings .citations li")).toEqual(["a line 1 pool"]);
    expect(page.querySelectorAll("a, b")).toHaveLength(0);
    draw(report, "zh");
    expect(textsOf(".findings .citations li")).toEqual(["a 第 1 行 pool"]);
  });

  test("marks what is awaited, and says where a list is empty", () => {
    draw('{"title":"T', "en", false);
    expect(page.querySelectorAll(".kind [data-skeleton]")).toHaveLength(1);
    expect(page.querySelectorAll("[data-kind]")).toHaveLength(0);
    draw('{"title":"T","timeline":[],"findings":[],"gaps":[]}');
    expect(textsOf(".none")).toEqual(["—", "—", "nothing", "nothing", "nothing"]);
  });
});

test("only whole addresses of the web become links", () => {
  for (const text of ["https://example.com/x?y#z", "HTTP://EXAMPLE.COM"]) expect(webAddress(text)).not.toBeNull();
  for (const text of [
    "javascript:alert(1)",
    " https://example.com",
    "https://user@example.com",
    "https://good.com\\@evil.com",
    "data:text/html,x",
    "//example.com",
    "https://",
    "see https://example.com",
  ]) {
    expect(webAddress(text)).toBeNull();
  }
});

test("a place is told in words, in both languages", () => {
  const project = projectFrom({ graphs: [], tools: { render_learning_plan: PLAN_SCHEMA } }, null);
  const turn = { ...newTurn("x"), tool: "render_learning_plan", value: parse(plan) };
  expect(labelOf(turn, project, "/lessons/1/duration_minutes", WORDS.en)).toBe("Lessons, no. 2, Duration");
  expect(labelOf(turn, project, "/lessons/1/title", WORDS.zh)).toBe("课程，第 2 项，标题");
  expect(labelOf(turn, project, "/no_such_key", WORDS.en)).toBe("No such key");
  expect(labelOf(turn, project, "", WORDS.en)).toBe("The answer as a whole");
  expect(titleOf(turn)).toBe("SQL <b>");
});

test("Markdown holds the text as text", () => {
  const project = projectFrom({ graphs: [], tools: { render_learning_plan: PLAN_SCHEMA, render_trip: tripSchema } }, null);
  const done = (tool: string, value: string): string =>
    markdown({ ...newTurn("x"), state: "done", tool, value: parse(value) }, project, WORDS.en);
  expect(done("render_learning_plan", plan)).toContain("# SQL \\<b\\>");
  expect(done("render_learning_plan", plan)).toContain("2. Ranking (9007199254740993 min)");
  expect(done("render_trip", trip)).toBe(
    "# Porto\n\n## Days\n\n- \n  - At: 2027-01-02\n  - Stops: \n    - a\n    - b\n  - Cost: null\n\n" +
      "**Page:** https://example.com/x\n\n## Extra\n\n- Deep: \n  - \n    - Er: true\n",
  );
  expect(done("render_incident_report", report)).toBe(
    "# Errors in \\<b\\>payments\n\nSeverity: major\n\n503 errors.\n\n## Timeline\n\n" +
      "- 2026-03-14T12:02:07.000Z: deployed\n  - deploys.log@8ce0ced6, line 3: “deploy of payments”\n  - b, line 9007199254740993: “x”\n\n" +
      "## Findings\n\n- **Fact:** The pool was https://example.com/ full.\n  - a, line 1: “pool”\n- **Inference:** 因为部署。\n\n" +
      "## What is not known\n\n- No traces.\n- b\n\n",
  );
});
