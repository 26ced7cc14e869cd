import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import type { Schema } from "../src/project";
import { check } from "../src/verdict";

/** `schemas.json` and `documents.jsonl`, written by `python -m tests.page.corpus`. */
const folder = process.env.RENDERCALL_AGREEMENT ?? fileURLToPath(new URL("../../tests/page/agreement", import.meta.url));

interface Line {
  readonly schema: string;
  readonly text: string;
  readonly state: string;
}

describe.skipIf(!existsSync(`${folder}/documents.jsonl`))("the browser's verdict", () => {
  test("is Python's on every document", { timeout: 600_000 }, () => {
    const schemas = JSON.parse(readFileSync(`${folder}/schemas.json`, "utf8")) as Record<string, Schema>;
    const lines = readFileSync(`${folder}/documents.jsonl`, "utf8").split("\n").filter(Boolean);
    const differences = lines
      .map((line) => JSON.parse(line) as Line)
      .map(({ schema, text, state }) => ({ text, schema, state, found: check(schemas[schema]!, text) }))
      .filter(({ state, found }) => found.state !== state || found.ok !== (state === "complete"));
    console.log(`${lines.length} documents, ${differences.length} differences`);
    expect(differences.slice(0, 20)).toEqual([]);
  });
});
