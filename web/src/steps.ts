/**
 * The steps of a turn: its calls of ordinary tools, as their UI summaries tell them.
 *
 * The summaries come in events, told in `rendercall.results.tool_events`, and are stored with the
 * tools' messages. Their text is only ever drawn as text.
 */

import { child, isObject, type Json, type JsonObject } from "./json";
import type { Language } from "./words";

/** As the summary has it; `stopped` is a step whose run ended before it did. */
export type StepStatus = "running" | "waiting" | "success" | "error" | "stopped";

export interface Step {
  /** The tool call's id. */
  readonly id: string;
  readonly status: StepStatus;
  readonly title: Readonly<Record<Language, string>>;
  readonly detail: Readonly<Record<Language, string>>;
}

/** Most steps that are held: more of them help nobody. */
export const MOST = 200;
/** Most characters of a title or detail. */
const LONGEST = 200;

export function isActive({ status }: Step): boolean {
  return status === "running" || status === "waiting";
}

/** The step that is under way: one that waits only where none runs. */
export function currentStep(steps: readonly Step[]): Step | undefined {
  return steps.findLast(({ status }) => status === "running") ?? steps.findLast(isActive);
}

/** Take an event's data; the same list where it says nothing new. What has ended stays so. */
export function withEvent(steps: readonly Step[], data: Json): readonly Step[] {
  if (!isObject(data) || data.type !== "tool_event") return steps;
  const step = readStep(data);
  if (step === null) return steps;
  const known = steps.find(({ id }) => id === step.id);
  if (known === undefined) return steps.length < MOST ? [...steps, step] : steps;
  const isReplay = !isActive(known) && isActive(step);
  return isReplay ? steps : steps.map((one) => (one === known ? step : one));
}

/** Read the steps that `rendered.json` tells. */
export function stepsFrom(told: Json | undefined): readonly Step[] {
  if (!Array.isArray(told)) return [];
  const steps = told.filter(isObject).map(readStep);
  return steps.filter((step) => step !== null).slice(0, MOST);
}

/** The steps of a turn that is over: as they are stored, and behind them what was only seen. */
export function settledSteps(seen: readonly Step[], stored: readonly Step[], mayWait = false): readonly Step[] {
  const ids = new Set(stored.map(({ id }) => id));
  const others = seen.filter(({ id }) => !ids.has(id)).map((step) => ended(step, mayWait));
  return [...stored, ...others].slice(0, MOST);
}

function ended(step: Step, mayWait: boolean): Step {
  const isOver = !isActive(step) || (mayWait && step.status === "waiting");
  return isOver ? step : { ...step, status: "stopped", detail: { en: "", zh: "" } };
}

const STATUSES: readonly Json[] = ["running", "waiting", "success", "error"] satisfies StepStatus[];

function readStep({ tool_call_id, name, summary }: JsonObject): Step | null {
  const status = child(summary, "status") as StepStatus | undefined;
  if (typeof tool_call_id !== "string" || typeof name !== "string" || !STATUSES.includes(status ?? null)) return null;
  return {
    id: tool_call_id || name,
    status: status!,
    title: texts(child(summary, "title"), name),
    detail: texts(child(summary, "detail"), ""),
  };
}

/** A text in each language; where one is missing, the other stands for it. */
function texts(told: Json | undefined, spare: string): Record<Language, string> {
  const [en, zh] = (["en", "zh"] as const).map((language) => {
    const text = child(told, language);
    return typeof text === "string" ? text.slice(0, LONGEST) : "";
  });
  return { en: en || zh || spare.slice(0, LONGEST), zh: zh || en || spare.slice(0, LONGEST) };
}
