/** Why a model stopped, in classes; as `rendercall.consumer.finish`. */

import { child, isObject, type Json } from "../json";

export type FinishClass = "normal" | "length" | "filter" | "refusal" | "malformed";

const WORDS: Readonly<Record<Exclude<FinishClass, "normal">, string>> = {
  length: "length max_tokens max_output_tokens model_length model_context_window_exceeded incomplete",
  filter:
    "content_filter content_filtered guardrail_intervened safety recitation blocklist " +
    "prohibited_content spii language image_safety prompt_blocked",
  refusal: "refusal",
  malformed: "malformed_function_call malformed_tool_call unexpected_tool_call tool_use_failed",
};

const CLASSES = new Map(
  Object.entries(WORDS).flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind as FinishClass])),
);

/** The class of a message's finish reason; an unknown one is `normal`, as is none at all. */
export function finishOf(metadata: Json | undefined): FinishClass {
  if (!isObject(metadata)) return "normal";
  const { status } = metadata;
  const blocked = child(metadata.prompt_feedback, "block_reason");
  const reason =
    child(metadata.incomplete_details, "reason") ||
    metadata.finish_reason ||
    metadata.stop_reason ||
    metadata.stopReason ||
    (blocked ? "prompt_blocked" : null) ||
    (status === "incomplete" ? status : null);
  return CLASSES.get(undouble(String(reason ?? "")).toLowerCase()) ?? "normal";
}

/** Merged metadata adds texts: `lengthlength` is `length`. */
function undouble(reason: string): string {
  return /^(.+?)\1{1,2}$/.exec(reason)?.[1] ?? reason;
}
