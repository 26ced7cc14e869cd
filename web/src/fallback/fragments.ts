/** The calls of a run whose graph sends no frames: read from the model's own fragments. */

import type { CallSource, Forming } from "../calls";
import type { Checking } from "../checking";
import { emptyObject, isObject, type Json, type JsonObject } from "../json";
import { isRenderTool, type Project } from "../project";
import { JsonReader } from "../reader";
import { mayGrow } from "./growth";

interface Call {
  readonly message: string;
  readonly index: string;
  readonly tool: string;
  readonly reader: JsonReader;
}

/** Reads the data of `messages` events: `[chunk, metadata]`. */
export class FragmentCalls implements CallSource {
  private calls: Call[] = [];
  /** The call of the piece before, for pieces that do not say whose they are. */
  private before: Call | undefined;

  constructor(
    private readonly project: Project,
    private readonly checking: Checking,
  ) {}

  get used(): boolean {
    return this.calls.length > 0;
  }

  take(data: Json): Forming | null {
    const chunk = Array.isArray(data) ? data[0] : data;
    if (!isObject(chunk)) return null;
    if (chunk.type === "ai") return this.whole(chunk);
    if (chunk.type !== "AIMessageChunk") return null;
    let changed: Call | undefined;
    for (const piece of objects(chunk.tool_call_chunks)) {
      const call = this.callOf(String(chunk.id ?? ""), piece);
      if (!call) continue;
      if (typeof piece.args === "string") call.reader.push(piece.args);
      changed = call;
    }
    const last = this.calls.at(-1);
    return changed && changed === last ? forming(last) : null;
  }

  /** A message that came at once, from a model that does not stream. */
  private whole(message: JsonObject): Forming | null {
    const id = String(message.id ?? "");
    if (this.calls.some((call) => call.message === id)) return null;
    const found = objects(message.tool_calls).findLast((call) => isRenderTool(this.project, String(call.name)));
    if (!found) return null;
    return { tool: String(found.name), value: found.args ?? emptyObject(), openPath: null, verdict: null };
  }

  private callOf(message: string, piece: JsonObject): Call | undefined {
    const index = piece.index ?? piece.id ?? null;
    const known = this.calls.find((call) => call.message === message && call.index === String(index));
    if (known) return (this.before = known);
    if (index === null && !piece.name) return this.before?.message === message ? this.before : undefined;
    const tool = String(piece.name ?? "");
    if (!isRenderTool(this.project, tool)) return undefined;
    const schema = this.project.schemas.get(tool);
    const onClosed = this.checking.begin(tool);
    const reader = new JsonReader({ grows: (path) => mayGrow(schema, path), onClosed });
    this.before = { message, index: String(index), tool, reader };
    this.calls.push(this.before);
    return this.before;
  }
}

function forming({ tool, reader }: Call): Forming {
  return { tool, value: reader.document, openPath: reader.openPath, verdict: null };
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
