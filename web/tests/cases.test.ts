import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import { Checking } from "../src/checking";
import { FragmentCalls } from "../src/fallback/fragments";
import { turnsOf } from "../src/fallback/judge";
import { isObject, type Json, type JsonObject } from "../src/json";
import { projectFrom, type Schema } from "../src/project";
import { check } from "../src/verdict";
import { PLAN_SCHEMA } from "./plan";

/** The cases that Python's tests read too; the form is told in their FORMAT.md. */
const folder = fileURLToPath(new URL("../../tests/cases/", import.meta.url));

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly input: JsonObject & { readonly type: string };
  readonly expect: { readonly result?: JsonObject; readonly partials?: readonly { after: number; value: Json }[] };
}

const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(folder + name, "utf8")) as Case);

const STATES: Record<string, string> = { ok: "complete", truncated: "incomplete", invalid: "invalid" };

function named(found: readonly Case[]): [string, Case][] {
  expect(found.length).toBeGreaterThan(3);
  return found.map((one) => [one.id, one]);
}

/** A null that means a default is taken by Python's option, not by the schema: the server decides. */
const texts = cases.filter(({ input, kind }) => input.type === "args_text" && kind !== "args.null");

test.each(named(texts))("%s: the verdict on a text", (_, { input, expect: { result } }) => {
  const schema = (input.schema as Schema | undefined) ?? PLAN_SCHEMA;
  expect(check(schema, String(input.text)).state).toBe(STATES[String(result!.status)]);
});

/** Histories as LangGraph's server stores them. */
const stored = cases.filter(({ input, expect: { result } }) => {
  const messages = (input.messages ?? []) as JsonObject[];
  return result && input.type === "wire_messages" && messages.every(({ type }) => ["human", "ai", "tool"].includes(String(type)));
});

test.each(named(stored))("%s: the outcome of the current turn", (_, { input, expect: { result } }) => {
  const schema = (input.schema as Schema | undefined) ?? PLAN_SCHEMA;
  const project = projectFrom({ graphs: [], tools: { render_learning_plan: schema } }, null);
  const last = turnsOf({ values: { messages: input.messages! } }, "idle", project).at(-1)!;
  expect(last.status).toBe(result!.status);
  if (result!.status === "ok") expect(last.value).toEqual(result!.value);
});

const streams = cases.filter(
  ({ input, kind, expect: { partials } }) =>
    partials && input.type === "openai_sse" && ["stream.partial_scalar", "stream.unicode", "stream.flood"].includes(kind),
);

describe("the value so far", () => {
  test.each(named(streams))("%s", (_, { input, expect: { partials } }) => {
    const project = projectFrom({ graphs: [], tools: { render_learning_plan: PLAN_SCHEMA } }, null);
    const calls = new FragmentCalls(project, new Checking(() => project));
    const seen = (input.chunks as JsonObject[]).map((chunk) => copied(calls.take(asMessage(chunk))?.value));
    for (const { after, value } of partials!) expect(seen[after]).toEqual(value);
  });
});

/** A chunk of OpenAI's wire as langchain-core hands it on. */
function asMessage(chunk: JsonObject): Json {
  const pieces = isObject(chunk.delta) ? ((chunk.delta.tool_calls ?? []) as JsonObject[]) : [];
  const toolCallChunks = pieces.map(({ index, id, function: called }) => {
    const { name = null, arguments: args = null } = (called ?? {}) as JsonObject;
    return { index: index ?? null, id: id ?? null, name, args };
  });
  return [{ type: "AIMessageChunk", id: "m", tool_call_chunks: toolCallChunks }, {}];
}

/** The value as it is now: it grows in place. */
function copied(value: Json | undefined): Json {
  return JSON.parse(JSON.stringify(value ?? null)) as Json;
}
