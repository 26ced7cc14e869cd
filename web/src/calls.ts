/** The calls of a run that watches by render frames: which one is shown, and how far it is. */

import type { Checking } from "./checking";
import { FrameReader, isRenderFrame, type RenderFrame, type Verdict } from "./frames";
import type { Json, Path } from "./json";

/** A call while it arrives. */
export interface Forming {
  readonly tool: string | null;
  readonly value: Json | undefined;
  readonly openPath: Path | null;
  /** The server's verdict, in the last piece. */
  readonly verdict: Verdict | null;
}

/** Reads the events of a run, in any mode. */
export interface CallSource {
  /** Take the data of an event; null where the shown call is as before. */
  take(data: Json): Forming | null;
  /** Whether any piece of a render call has come. */
  readonly used: boolean;
}

interface Call {
  readonly message: string | null;
  readonly id: string | null;
  readonly tool: string | null;
  readonly reader: FrameReader;
}

/** Reads render frames. A call of a newer message supersedes what an older one has shown. */
export class FrameCalls implements CallSource {
  private readonly calls: Call[] = [];
  /** The call that began last: the one that is shown. */
  private current: Call | undefined;
  /** The call of the frame before: what a frame leaves out is as in that one. */
  private before: Call | undefined;

  constructor(private readonly checking: Checking) {}

  get used(): boolean {
    return this.calls.length > 0;
  }

  take(data: Json): Forming | null {
    if (!isRenderFrame(data)) return null;
    const call = (this.before = this.callOf(data));
    const changed = call.reader.feed(data.seq, data.frame);
    const verdict = data.done ?? null;
    if (call !== this.current || (!changed && verdict === null)) return null;
    return { tool: call.tool, value: call.reader.document, openPath: call.reader.openPath, verdict };
  }

  private callOf(frame: RenderFrame): Call {
    const { before } = this;
    const message = frame.message_id === undefined ? (before?.message ?? null) : frame.message_id;
    const id = frame.call_id === undefined ? (before?.id ?? null) : frame.call_id;
    const known = this.calls.find((call) => call.message === message && call.id === id);
    if (known) return known;
    const tool = frame.tool ?? before?.tool ?? null;
    const call = { message, id, tool, reader: new FrameReader(this.checking.begin(tool)) };
    this.calls.push(call);
    this.current = call;
    return call;
  }
}
