/** The requests that the page makes: LangGraph's own routes, and the two of the app. */

import { parse } from "./exact";
import type { Json, JsonObject } from "./json";
import { EventReader, type ServerEvent } from "./sse";

/** The page stands in `/app/`; the API is its parent, wherever that is mounted. */
const API = new URL("../", document.baseURI);
const APP = new URL("./", document.baseURI);

/** What the server answered, where that is no success. What it said stays unread. */
export class Refused extends Error {
  constructor(readonly status: number) {
    super(`the server answered ${status}`);
  }
}

/** How a run is watched: render frames, or the model's own fragments; tools' events come with both. */
export type StreamMode = "custom" | "messages-tuple";

export interface Watched {
  readonly events: AsyncIterable<ServerEvent>;
  /** The run's id, where the answer's head names it. */
  readonly run: string | null;
}

async function ask(address: URL, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(address, { ...init, headers: { "content-type": "application/json", ...init.headers } });
  if (!response.ok) throw new Refused(response.status);
  return response;
}

async function askJson(address: URL, init?: RequestInit): Promise<Json> {
  return parse(await (await ask(address, init)).text());
}

function post(body: unknown): RequestInit {
  return { method: "POST", body: JSON.stringify(body) };
}

/** The graphs and schemas that the app serves; null where there is no such app. */
export async function fetchSchemas(): Promise<JsonObject | null> {
  const response = await fetch(new URL("schemas.json", APP));
  const isJson = response.headers.get("content-type")?.includes("json");
  return response.ok && isJson ? ((await response.json()) as JsonObject) : null;
}

/** A thread as `last_render` reads it; `last` asks for the last turn only. */
export async function fetchRendered(thread: string, last: boolean): Promise<JsonObject> {
  const query = last ? "?turns=last" : "";
  return (await askJson(new URL(`threads/${thread}/rendered.json${query}`, APP))) as JsonObject;
}

/** A thread's stored state, from any LangGraph server. */
export async function fetchState(thread: string): Promise<JsonObject> {
  return (await askJson(new URL(`threads/${thread}/state`, API))) as JsonObject;
}

export async function fetchThread(thread: string): Promise<JsonObject> {
  return (await askJson(new URL(`threads/${thread}`, API))) as JsonObject;
}

export async function createThread(): Promise<string> {
  const created = (await askJson(new URL("threads", API), post({}))) as JsonObject;
  return String(created.thread_id);
}

/** The run that is under way on a thread. */
export async function findRun(thread: string): Promise<string | null> {
  for (const status of ["running", "pending"]) {
    const runs = await askJson(new URL(`threads/${thread}/runs?limit=1&status=${status}`, API));
    const run = Array.isArray(runs) ? (runs[0] as JsonObject | undefined) : undefined;
    if (run) return String(run.run_id);
  }
  return null;
}

/** Start a run that goes on without us and can be joined again. */
export async function startRun(
  thread: string,
  graph: string,
  text: string,
  mode: StreamMode,
  signal: AbortSignal,
): Promise<Watched> {
  const body = {
    assistant_id: graph,
    input: { messages: [{ type: "human", content: text }] },
    stream_mode: [...new Set([mode, "custom"])],
    stream_subgraphs: true,
    stream_resumable: true,
    on_disconnect: "continue",
    multitask_strategy: "reject",
    durability: "async",
  };
  const response = await ask(new URL(`threads/${thread}/runs/stream`, API), { ...post(body), signal });
  const place = response.headers.get("content-location") ?? "";
  return { events: eventsOf(response), run: /\/runs\/([^/]+)/.exec(place)?.[1] ?? null };
}

/** Join a run; `after` is the id of the last event that was seen, `-1` for all of them. */
export async function joinRun(thread: string, run: string, after: string, signal: AbortSignal): Promise<Watched> {
  const headers = { "last-event-id": after };
  const response = await ask(new URL(`threads/${thread}/runs/${run}/stream`, API), { headers, signal });
  return { events: eventsOf(response), run };
}

export async function cancelRun(thread: string, run: string): Promise<void> {
  await ask(new URL(`threads/${thread}/runs/${run}/cancel?wait=0&action=interrupt`, API), { method: "POST" });
}

async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  const events = new EventReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield* events.feed(decoder.decode(value, { stream: true }));
  }
}
