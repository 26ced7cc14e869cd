/** The cards by tool, found in this folder; a tool without one gets the card of its schema. */

import type { FunctionComponent } from "preact";

import { child, isObject, type Json, keysOf } from "../json";
import { markdownOf } from "../markdown";
import type { Project, Schema } from "../project";
import { label, resolve, under } from "../schema";
import type { Turn } from "../turn";
import type { Welcome, Words } from "../words";
import type { CardModule, CardProps } from "./card";
import { Generic } from "./generic";

const files = import.meta.glob<{ card?: CardModule }>(["./*.tsx", "!./generic.tsx"], { eager: true });
const cards = new Map(Object.values(files).flatMap(({ card }) => (card ? [[card.tool, card]] : [])));

export function bodyOf(tool: string): FunctionComponent<CardProps> {
  return cards.get(tool)?.Body ?? Generic;
}

/** What the page says before anything was asked; it supposes plans until the server has told. */
export function welcomeOf({ graph, tool }: Project, words: Words): Welcome {
  if (graph === "") return words.plan.welcome;
  return cards.get(tool ?? "")?.welcome?.(words) ?? { ...words.welcome, page: label({}, graph) };
}

/** What a result is called: its first text. */
export function titleOf(turn: Turn): string | null {
  if (!isObject(turn.value)) return null;
  const text = Object.values(turn.value).find((value) => typeof value === "string" && value !== "");
  return typeof text === "string" ? text : null;
}

/** A place of the value in words: "Lessons, no. 2, Duration". */
export function labelOf(turn: Turn, project: Project, pointed: string, words: Words): string {
  const names = cards.get(turn.tool ?? "")?.names?.(words) ?? {};
  const root: Schema = project.schemas.get(turn.tool ?? "") ?? {};
  let schema = resolve(root, root);
  let value: Json | undefined = turn.value;
  const parts = keysOf(pointed).map((key) => {
    const isIndex = Array.isArray(value) || (value === undefined && /^\d+$/.test(key));
    schema = under(root, schema, isIndex ? Number(key) : key);
    value = child(value, key);
    return isIndex ? words.item(Number(key) + 1) : (names[key] ?? label(schema, key));
  });
  return parts.join(words.comma) || words.whole;
}

/** A finished result as Markdown. */
export function markdown(turn: Turn, project: Project, words: Words): string {
  const tool = turn.tool ?? "";
  const value = turn.value ?? null;
  const own = turn.state === "done" ? cards.get(tool)?.markdown : undefined;
  return own ? own(value, words) : markdownOf(value, project.schemas.get(tool) ?? {});
}
