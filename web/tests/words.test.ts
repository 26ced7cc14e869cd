import { expect, test } from "vitest";

import { faultWords, WORDS } from "../src/words";

/** Every text, functions called with 90. */
function texts(words: unknown): string[] {
  if (typeof words === "string") return [words];
  if (typeof words === "function") return [String((words as (value: number) => string)(90))];
  if (words instanceof RegExp) return [];
  return Object.values(words as object).flatMap(texts);
}

test("both languages say the same things, Chinese ones in Chinese", () => {
  expect(texts(WORDS.zh)).toHaveLength(texts(WORDS.en).length);
  const untranslated = texts(WORDS.zh).filter((text) => text.length > 1 && !/[\u3400-\u9fff]/.test(text));
  expect(untranslated).toEqual(["English", "JSON", "Markdown"]);
  expect(texts(WORDS.en).filter((text) => /[\u3400-\u9fff]/.test(text))).toEqual(["中文"]);
});

test.each(["missing", "greater_than", "exclusiveMinimum", "literal_error", "duplicate_key", "int_type", "list_type"])(
  "the fault %s has words",
  (code) => {
    expect(faultWords(WORDS.en, code)).not.toBe(WORDS.en.anyFault);
    expect(faultWords(WORDS.zh, code)).toMatch(/[\u3400-\u9fff]/);
  },
);

test("a fault without words of its own is told all the same", () => {
  expect(faultWords(WORDS.en, "something_new")).toBe(WORDS.en.anyFault);
});
