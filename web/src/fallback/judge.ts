/**
 * A thread's turns from its stored state, for servers without the app: the rules of `last_render`.
 *
 * The result of a turn is its last render call; a finish reason, a cut text or a rejected call
 * keeps it from being one. What comes out has the form of `rendered.json`.
 */

import { stringify } from "../exact";
import { child, isObject, type Json, type JsonObject } from "../json";
import { isRenderTool, type Project } from "../project";
import { check, type Finding } from "../verdict";
import { finishOf } from "./finish";

/** Read every turn of a thread, oldest first. */
export function turnsOf(state: JsonObject, threadStatus: string, project: Project): JsonObject[] {
  const turns: JsonObject[][] = [];
  for (const message of objects(child(state.values, "messages"))) {
    if (roleOf(message) === "human" || turns.length === 0) turns.push([]);
    turns.at(-1)!.push(message);
  }
  return turns.map((messages, index) => {
    const isLast = index === turns.length - 1;
    const shown = lastRender(messages, project);
    return { ...about(messages), ...(isLast ? ended(shown, threadStatus, objects(state.interrupts)) : shown) };
  });
}

function about(messages: readonly JsonObject[]): JsonObject {
  const human = messages.find((message) => roleOf(message) === "human");
  const answer = messages.findLast((message) => roleOf(message) === "ai");
  const metadata = answer?.response_metadata;
  const model = child(metadata, "model_name") ?? child(metadata, "model") ?? null;
  return {
    human: human ? textOf(human) : "",
    text: answer ? textOf(answer) : "",
    steps: messages.filter((message) => roleOf(message) === "tool").flatMap(stepOf),
    model,
    is_rule_based: model === "rule-based",
  };
}

/** What a tool's message has stored of the call for people. */
function stepOf({ tool_call_id, name, artifact }: JsonObject): JsonObject[] {
  if (!isObject(artifact) || artifact.type !== "tool_result") return [];
  return [{ tool_call_id: tool_call_id ?? "", name: name ?? "", summary: artifact.summary ?? null }];
}

/** How the last turn's run ended, where it ended before it wrote an outcome. */
function ended(shown: JsonObject, threadStatus: string, interrupts: readonly JsonObject[]): JsonObject {
  if (threadStatus === "busy") return { status: "partial" };
  if (shown.status === "ok") return shown;
  if (threadStatus === "error") return outcome("failed", "run_error");
  return threadStatus === "interrupted" && interrupts.length === 0 ? outcome("aborted", "aborted") : shown;
}

function lastRender(messages: readonly JsonObject[], project: Project): JsonObject {
  const rejected = new Set<Json>();
  let silence: JsonObject | null = null;
  let isFirst = true;
  for (const message of messages.toReversed()) {
    const role = roleOf(message);
    if (role === "tool" && message.status === "error") rejected.add(message.tool_call_id ?? null);
    if (role !== "ai") continue;
    const call = callsOf(message).findLast((one) => isRenderTool(project, String(one.name)));
    if (call) {
      const shown = judge(message, call, project, rejected.has(call.id ?? null));
      return silence !== null && shown.status !== "ok" ? silence : shown;
    }
    if (isFirst) silence = judgeSilence(message);
    isFirst = false;
    rejected.clear();
  }
  return silence ?? outcome("absent", "absent");
}

function judge(message: JsonObject, call: JsonObject, project: Project, isRejected: boolean): JsonObject {
  const tool = String(call.name);
  const raw = typeof call.args === "string" ? call.args : stringify(call.args ?? {});
  const about = { tool, raw, call_id: call.id ?? null, message_id: message.id ?? null };
  const verdict = check(project.schemas.get(tool) ?? {}, raw);
  const finish = finishOf(message.response_metadata);
  const isWritten = typeof call.args !== "string"; // parsed args hide whether a parser completed them
  const isLastCall = callsOf(message).at(-1) === call;
  if (finish === "filter") return { ...about, ...outcome("filtered", "content_filter") };
  if (verdict.state === "incomplete" || (finish === "length" && isWritten && isLastCall)) {
    return { ...about, ...outcome("truncated", "truncated") };
  }
  if (verdict.state === "invalid") return { ...about, status: "invalid", errors: verdict.errors.map(issue) };
  if (isRejected) return { ...about, ...outcome("failed", "not_shown") };
  return { ...about, status: "ok", value: call.args as Json };
}

/** What a last message without a render call says. */
function judgeSilence(message: JsonObject): JsonObject | null {
  const finish = finishOf(message.response_metadata);
  const refusal = child(message.additional_kwargs, "refusal");
  if (refusal || finish === "refusal") return { ...outcome("refused", "refusal"), refusal: refusal ?? null };
  if (finish === "filter") return outcome("filtered", "content_filter");
  if (finish === "malformed") return outcome("failed", "malformed_call");
  if (callsOf(message).length > 0) return null;
  if (finish === "length") return outcome("truncated", "truncated");
  return textOf(message).trim() === "" ? outcome("failed", "empty_message") : null;
}

function outcome(status: string, code: string): JsonObject {
  return { status, errors: [issue({ pointer: "", code })] };
}

function issue({ pointer, code }: Finding): JsonObject {
  return { pointer, code, message: "" };
}

function callsOf(message: JsonObject): JsonObject[] {
  return [...objects(message.tool_calls), ...objects(message.invalid_tool_calls)];
}

function roleOf(message: JsonObject): string {
  const role = String(message.type ?? message.role ?? "");
  return { user: "human", assistant: "ai" }[role] ?? role;
}

function textOf(message: JsonObject): string {
  const { content } = message;
  if (typeof content === "string") return content;
  return objects(content)
    .map((block) => (typeof block.text === "string" ? block.text : ""))
    .join("");
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
