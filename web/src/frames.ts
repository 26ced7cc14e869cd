/**
 * Render frames, read: the value so far of one call, put together from small numbered pieces.
 *
 * The format is told in `rendercall.langgraph.frames` and `rendercall.consumer.cursor`.
 */

import { emptyObject, isObject, type Json, type JsonObject, type Key, type Path } from "./json";

/** What the graph says of a finished call. */
export interface Verdict {
  readonly status: string;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
}

export interface Issue {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** One message of the run's `custom` stream; a short one leaves out what the one before it said. */
export interface RenderFrame {
  readonly type: "render_frame";
  readonly call_id?: string | null;
  readonly message_id?: string | null;
  readonly tool?: string | null;
  readonly seq: number;
  readonly frame: Json;
  readonly done?: Verdict;
}

export function isRenderFrame(data: unknown): data is RenderFrame {
  return isObject(data) && data.type === "render_frame" && typeof data.seq === "number";
}

interface Level {
  readonly kind: "object" | "array" | "text";
  readonly value: JsonObject | Json[] | null;
  key: Key | null;
}

/** Is told of a part of the value that never changes again. */
export type OnClosed = (path: Path, value: Json) => void;

/** Applies the frames of one call, in order, from the first one or from a keyframe on. */
export class FrameReader {
  document: Json | undefined = undefined;
  /** Whether a piece was missed: nothing is read until a keyframe says all again. */
  lost = false;
  private levels: Level[] = [];
  private seq = -1;

  /** Tells of each part that has closed. */
  constructor(private readonly onClosed: OnClosed = () => {}) {}

  /** The innermost thing that is open; null where nothing is. */
  get openPath(): Path | null {
    if (this.levels.length === 0) return null;
    return this.levels.slice(0, -1).map((level) => level.key!);
  }

  /** Whether the whole value has arrived. */
  get complete(): boolean {
    return this.document !== undefined && this.levels.length === 0 && !this.lost;
  }

  /** Take a frame; false where it says nothing new. */
  feed(seq: number, frame: Json): boolean {
    if (seq <= this.seq) return false;
    const isNext = seq === this.seq + 1;
    this.seq = seq;
    if (isObject(frame)) {
      this.jump(frame.document as Json, frame.path as Key[] | null);
      return true;
    }
    if (!isNext) this.lost = true;
    if (this.lost || frame === null) return false;
    const tokens = Array.isArray(frame) ? frame : [frame];
    this.lost = !tokens.every((token) => this.take(token));
    return !this.lost;
  }

  private take(token: Json): boolean {
    const level = this.levels.at(-1);
    if (Array.isArray(token) && token[0] === 0) return this.close();
    if (level?.kind === "text") return this.append(token);
    if (level?.kind === "object" && level.key === null) {
      if (typeof token !== "string") return false;
      level.key = token;
      return true;
    }
    this.begin(token);
    return true;
  }

  private begin(token: Json): void {
    if (typeof token !== "object" || token === null) {
      this.set(token);
      this.tell();
      this.step();
    } else if (Array.isArray(token) && typeof token[0] === "string") {
      this.set(token[0]);
      this.levels.push({ kind: "text", value: null, key: null });
    } else {
      const value = Array.isArray(token) ? [] : emptyObject();
      this.set(value);
      this.levels.push(levelOf(value));
    }
  }

  private append(token: Json): boolean {
    const holder = this.levels.at(-2);
    if (typeof token !== "string" || !holder) return false;
    const values = holder.value as JsonObject;
    values[holder.key!] = (values[holder.key!] as string) + token;
    return true;
  }

  private close(): boolean {
    if (this.levels.pop() === undefined) return false;
    this.tell();
    this.step();
    return true;
  }

  private tell(): void {
    const level = this.levels.at(-1);
    const value = level ? (level.value as JsonObject)[level.key!]! : this.document!;
    this.onClosed(this.levels.map(({ key }) => key!), value);
  }

  private set(value: Json): void {
    const level = this.levels.at(-1);
    if (level) (level.value as JsonObject)[level.key!] = value;
    else this.document = value;
  }

  /** Go on to the next place of the innermost open thing. */
  private step(): void {
    const level = this.levels.at(-1);
    if (level) level.key = level.kind === "array" ? (level.key as number) + 1 : null;
  }

  private jump(document: Json, path: Key[] | null): void {
    this.document = document;
    this.lost = false;
    this.levels = path === null ? [] : [levelOf(document)];
    let value: Json = document;
    for (const key of path ?? []) {
      this.levels.at(-1)!.key = key;
      value = (value as JsonObject)[key]!;
      this.levels.push(levelOf(value));
    }
  }
}

function levelOf(value: Json): Level {
  if (Array.isArray(value)) return { kind: "array", value, key: value.length };
  return isObject(value) ? { kind: "object", value, key: null } : { kind: "text", value: null, key: null };
}
