/**
 * A JSON reader that is fed: after every fragment, what is known of the value is known.
 *
 * What it shows is final: numbers and literals come when they are over, a key with the beginning
 * of its value, objects and arrays when they open, open strings as far as they are decided. The
 * grammar is RFC 8259 within I-JSON, as in `rendercall.consumer.json_reader`.
 */

import { BOUNDS, type Bounds, codePoints } from "./bounds";
import type { OnClosed } from "./frames";
import { emptyObject, type Json, type JsonObject, type Key, type Path } from "./json";
import { atomBeginning, atomEnd, decodeString, maybeAtom, readAtom } from "./tokens";

export interface ReaderOptions {
  readonly bounds?: Bounds;
  /** May an open string at this place be shown while it grows? */
  readonly grows?: (path: Path) => boolean;
  /** Whether the root may be something else than an object. */
  readonly anyRoot?: boolean;
  /** Read on where a bound is broken, and collect the breaches. */
  readonly lenient?: boolean;
  readonly onClosed?: OnClosed;
}

export interface Fault {
  readonly code: string;
  /** The innermost value that was being read. */
  readonly path: Path;
  /** Index in the whole text. */
  readonly at: number;
}

type State = "value" | "item" | "key" | "nextKey" | "colon" | "after" | "string" | "keyText" | "done";

interface Level {
  readonly value: JsonObject | Json[];
  readonly isArray: boolean;
  key: Key;
  size: number;
}

export class JsonReader {
  /** The value so far; undefined before the root began. */
  document: Json | undefined = undefined;
  fault: Fault | null = null;
  readonly breaches: Fault[] = [];
  private readonly bounds: Bounds;
  private readonly levels: Level[] = [];
  private state: State = "value";
  private text = "";
  private shown = false;
  private hold = "";
  private start = 0;
  private nodes = 0;

  constructor(private readonly options: ReaderOptions = {}) {
    this.bounds = options.bounds ?? BOUNDS;
  }

  get complete(): boolean {
    return this.state === "done" && this.fault === null;
  }

  /** The innermost thing that is open and shown; null before the root opened and after it closed. */
  get openPath(): Path | null {
    if (this.state === "string" && this.shown) return this.path();
    if (this.levels.length === 0) return null;
    return this.levels.slice(0, -1).map((level) => level.key);
  }

  /** What waits for the next fragment to decide it. */
  get pending(): string {
    return this.hold;
  }

  push(fragment: string): void {
    if (this.fault !== null || fragment === "") return;
    let text = this.hold + fragment;
    this.hold = "";
    let half = "";
    if (/[\ud800-\udbff]$/.test(text)) {
      half = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (this.start + text.length > this.bounds.maxBytes) return this.fail("too_large", 0);
    if (/\p{Surrogate}/u.test(text)) return this.fail("lone_surrogate", 0);
    let at = 0;
    while (at < text.length) {
      const next = this.step(text, at);
      if (next === at) break;
      at = next;
    }
    this.start += at;
    this.hold = text.slice(at) + half;
  }

  /** Take the next piece of the text; the index after it, the same where more is needed. */
  private step(text: string, at: number): number {
    if (this.state === "string" || this.state === "keyText") return this.readText(text, at);
    const char = text[at]!;
    if (char === " " || char === "\n" || char === "\r" || char === "\t") return at + 1;
    switch (this.state) {
      case "value":
      case "item":
        return this.state === "item" && char === "]" ? this.close(at) : this.begin(text, at, char);
      case "key":
      case "nextKey":
        if (char === "}" && this.state === "key") return this.close(at);
        if (char !== '"') return this.syntax(at);
        this.state = "keyText";
        return at + 1;
      case "colon":
        if (char !== ":") return this.syntax(at);
        this.state = "value";
        return at + 1;
      case "after": {
        const { isArray } = this.levels.at(-1)!;
        if (char === (isArray ? "]" : "}")) return this.close(at);
        if (char !== ",") return this.syntax(at);
        this.state = isArray ? "value" : "nextKey";
        return at + 1;
      }
      default:
        return this.syntax(at);
    }
  }

  private begin(text: string, at: number, char: string): number {
    if (this.levels.length === 0 && char !== "{" && !this.options.anyRoot) {
      return this.syntax(at, '["-0123456789tfnNI'.includes(char) ? "not_object" : "json_syntax");
    }
    if (char !== '"' && char !== "{" && char !== "[") return this.readAtom(text, at);
    this.count(at);
    if (char === '"') {
      this.state = "string";
      this.shown = this.options.grows?.(this.path()) ?? true;
      if (this.shown) this.set("");
      return at + 1;
    }
    if (this.levels.length >= this.bounds.maxDepth) this.breach("too_deep", at);
    const isArray = char === "[";
    const value = isArray ? [] : emptyObject();
    this.set(value);
    this.levels.push({ value, isArray, key: 0, size: 0 });
    this.state = isArray ? "item" : "key";
    return at + 1;
  }

  private readAtom(text: string, at: number): number {
    const end = atomEnd(text, at);
    const literal = text.slice(at, end);
    const isCut = end === text.length && maybeAtom(literal);
    if (isCut && literal.length <= this.bounds.maxNumber) return at;
    const atom = readAtom(literal, this.bounds.maxNumber) ?? (isCut ? { code: "number_too_long" } : undefined);
    if (atom === undefined) return this.syntax(at + atomBeginning(literal), "json_syntax", at);
    this.count(at);
    if ("code" in atom) this.breach(atom.code, at);
    this.set("code" in atom ? null : atom.value);
    this.next();
    return end;
  }

  private readText(text: string, at: number): number {
    const piece = decodeString(text, at);
    this.text += piece.text;
    if (piece.lone) this.breach("lone_surrogate", at);
    if (this.text.length > this.bounds.maxString && codePoints(this.text) > this.bounds.maxString) {
      this.breach("string_too_long", at);
    }
    if (this.fault) return at;
    if (this.state === "string" && this.shown && piece.text !== "") this.set(this.text);
    if (piece.fault) return this.syntax(piece.end, "json_syntax", at);
    if (!piece.closed) return piece.end;
    if (this.state === "string") this.endString();
    else this.endKey(at);
    this.text = "";
    return piece.end + 1;
  }

  private endString(): void {
    this.set(this.text);
    this.next();
  }

  private endKey(at: number): void {
    const level = this.levels.at(-1)!;
    level.key = this.text;
    if (Object.hasOwn(level.value, this.text)) this.breach("duplicate_key", at);
    this.state = "colon";
  }

  private close(at: number): number {
    this.levels.pop();
    this.next();
    return at + 1;
  }

  /** Go on after a value. */
  private next(): void {
    const level = this.levels.at(-1);
    if (this.options.onClosed) {
      this.options.onClosed(this.path(), level ? (level.value as JsonObject)[level.key]! : this.document!);
    }
    if (level?.isArray) level.key = (level.key as number) + 1;
    this.state = level ? "after" : "done";
  }

  private set(value: Json): void {
    const level = this.levels.at(-1);
    if (level) (level.value as JsonObject)[level.key] = value;
    else this.document = value;
  }

  private count(at: number): void {
    this.nodes += 1;
    if (this.nodes > this.bounds.maxNodes) this.breach("too_many_nodes", at);
    const level = this.levels.at(-1);
    if (level && ++level.size > this.bounds.maxItems) this.breach("too_many_items", at);
  }

  private path(): Path {
    return this.levels.map((level) => level.key);
  }

  private breach(code: string, at: number): void {
    const fault = { code, path: this.path(), at: this.start + at };
    if (this.options.lenient) this.breaches.push(fault);
    else this.fault ??= fault;
  }

  /** The text cannot be read on; returns `stay`, so that nothing more is taken. */
  private syntax(at: number, code = "json_syntax", stay = at): number {
    this.fail(code, at);
    return stay;
  }

  private fail(code: string, at: number): void {
    this.fault ??= { code, path: this.path(), at: this.start + at };
  }
}
