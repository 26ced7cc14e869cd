/** The browser's own check of what arrives. It comes after the first paint, and decides nothing. */

import { stringify } from "./exact";
import type { OnClosed } from "./frames";
import { pointer } from "./json";
import type { Project } from "./project";
import type { Turn } from "./turn";

type VerdictModule = typeof import("./verdict");

let verdict: VerdictModule | null = null;

/** Load the checker once the page stands. */
export function loadWhenIdle(): void {
  const load = (): void => void import("./verdict").then((found) => (verdict = found)).catch(() => {});
  if ("requestIdleCallback" in globalThis) requestIdleCallback(load, { timeout: 2_000 });
  else setTimeout(load, 500);
}

/** Checks the parts of a call as they close, and the whole at the end. */
export class Checking {
  doubts: ReadonlySet<string> = new Set();

  constructor(private readonly project: () => Project) {}

  /** Begin with a call; takes its parts as they close. */
  begin(tool: string | null): OnClosed {
    this.doubts = new Set();
    const schema = this.project().schemas.get(tool ?? "");
    const check = schema && verdict ? new verdict.SchemaCheck(schema) : null;
    return (path, value) => {
      if (check && check.errorsAt(path, value).length > 0) this.doubts = new Set([...this.doubts, pointer(path)]);
    };
  }

  /** Whether the browser comes to the server's verdict; null where it cannot tell. */
  agrees(turn: Turn | undefined): boolean | null {
    const schema = this.project().schemas.get(turn?.tool ?? "");
    if (!turn || !schema || !verdict || !["done", "invalid"].includes(turn.state)) return null;
    const text = turn.raw ?? stringify(turn.value ?? null);
    return verdict.check(schema, text).ok === (turn.state === "done");
  }
}
