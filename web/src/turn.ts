/** One turn of a thread: what was asked, and what came of it. */

import type { Issue } from "./frames";
import { isObject, type Json, type JsonObject, type Path } from "./json";
import { JsonReader } from "./reader";
import { settledSteps, type Step, stepsFrom } from "./steps";

/** What a card can be in; all but `idle` are outcomes as Python names them, in the page's words. */
export type State =
  | "idle"
  | "generating"
  | "done"
  | "truncated"
  | "invalid"
  | "refused"
  | "filtered"
  | "failed"
  | "aborted"
  | "absent";

/** What goes on while a turn is generating, beside that. */
export type Phase = "writing" | "mending" | "reconnecting" | "stopping";

export interface Turn {
  readonly human: string;
  /** What the last AI message says beside its calls. */
  readonly text: string;
  readonly state: State;
  readonly phase: Phase;
  /** The calls of ordinary tools, in the order in which they began. */
  readonly steps: readonly Step[];
  readonly tool: string | null;
  readonly value: Json | undefined;
  /** The innermost thing of the value that is open; null where nothing is. */
  readonly openPath: Path | null;
  /** Pointers of closed parts that do not fit the schema; no error while more may come. */
  readonly doubts: ReadonlySet<string>;
  /** Whether the browser's own verdict is the server's; null where it was not asked. */
  readonly agrees: boolean | null;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
  readonly refusal: string | null;
  readonly raw: string | null;
  readonly model: string | null;
  readonly isRuleBased: boolean;
}

const NONE: ReadonlySet<string> = new Set();

export function newTurn(human: string): Turn {
  return {
    human,
    text: "",
    state: "generating",
    phase: "writing",
    steps: [],
    tool: null,
    value: undefined,
    openPath: null,
    doubts: NONE,
    agrees: null,
    errors: [],
    warnings: [],
    refusal: null,
    raw: null,
    model: null,
    isRuleBased: false,
  };
}

const STATES: Readonly<Record<string, State>> = {
  ok: "done",
  partial: "generating",
  truncated: "truncated",
  invalid: "invalid",
  refused: "refused",
  filtered: "filtered",
  failed: "failed",
  aborted: "aborted",
  absent: "absent",
};

/** The page's word for a status; one that we do not know is no success. */
export function stateOf(status: Json | undefined): State {
  return STATES[String(status)] ?? "failed";
}

/** Read a turn as `rendered.json` tells it. */
export function turnFrom(told: JsonObject): Turn {
  const raw = textOf(told.raw);
  const state = stateOf(told.status);
  return {
    ...newTurn(textOf(told.human) ?? ""),
    text: textOf(told.text) ?? "",
    state,
    steps: stepsFrom(told.steps),
    tool: textOf(told.tool),
    value: state === "done" ? told.value : arrived(raw),
    errors: issues(told.errors),
    warnings: issues(told.warnings),
    refusal: textOf(told.refusal),
    raw,
    model: textOf(told.model),
    isRuleBased: told.is_rule_based === true,
  };
}

/** Give a turn the outcome that the server tells; what was shown stays where it tells no value. */
export function settled(turn: Turn, told: Turn): Turn {
  if (told.human !== turn.human) return failed(turn, "run_error");
  const keeps = told.value === undefined && told.state !== "absent";
  return {
    ...told,
    steps: settledSteps(turn.steps, told.steps, told.state === "absent"), // a question to the user ends so
    tool: told.tool ?? turn.tool,
    value: keeps ? turn.value : told.value,
  };
}

/** End a turn for a reason that the page itself knows. */
export function failed(turn: Turn, code: string): Turn {
  const errors = [{ pointer: "", code, message: "" }];
  return { ...turn, state: "failed", steps: settledSteps(turn.steps, []), openPath: null, errors };
}

/** As much of args that are no valid answer as is certain. */
function arrived(raw: string | null): Json | undefined {
  if (raw === null) return undefined;
  const reader = new JsonReader();
  reader.push(raw);
  return reader.document;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function issues(value: Json | undefined): Issue[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).map((one) => ({
    pointer: textOf(one.pointer) ?? "",
    code: textOf(one.code) ?? "",
    message: textOf(one.message) ?? "",
  }));
}
