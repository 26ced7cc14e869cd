/** A thread of the server: what is sent to it, and how its runs are followed to their end. */

import { type CallSource, FrameCalls } from "./calls";
import { Checking } from "./checking";
import { parse } from "./exact";
import type { Json, JsonObject } from "./json";
import { withEvent } from "./steps";
import type { Note, Store } from "./store";
import * as server from "./transport";
import type { StreamMode, Watched } from "./transport";
import { failed, newTurn, settled, type Turn, turnFrom } from "./turn";

/** Milliseconds before the first new attempt; each further one waits twice as long. */
const FIRST_WAIT = 150;
const LONGEST_WAIT = 5_000;
/** Attempts, over about a minute, before the page asks what to do. */
const ATTEMPTS = 16;

export class Thread {
  private run: string | null = null;
  private seen = "-1";
  private watching: AbortController | null = null;
  private opened: Promise<void> = Promise.resolve();
  private ended: Promise<void> = Promise.resolve();
  private hasLeft = false;
  private stopWanted = false;
  private readonly checking: Checking;

  constructor(
    private readonly store: Store,
    /** The thread's id; null until the first request. */
    public id: string | null,
    private mode: StreamMode,
    private readonly onCreated: (id: string) => void,
  ) {
    this.checking = new Checking(() => store.state.project);
  }

  get busy(): boolean {
    return this.watching !== null;
  }

  /** Show what is stored, and follow the run that is under way. */
  open(note: Note | null = null): Promise<void> {
    this.opened = this.id === null || this.busy ? Promise.resolve() : this.hydrate(note);
    return this.opened;
  }

  /** Ask for something; false where another run is under way. */
  async send(text: string): Promise<boolean> {
    await this.opened;
    if (this.store.last?.state === "done") await this.ended;
    if (this.busy) {
      this.store.set({ note: "busy" });
      return false;
    }
    this.store.set({ turns: [...this.store.state.turns, newTurn(text)], note: null });
    const watching = this.begin();
    try {
      const thread = await this.created();
      const { project } = this.store.state;
      const watched = await server.startRun(thread, project.graph, text, this.mode, watching.signal);
      void this.follow(watched);
      return true;
    } catch (error) {
      return watching.signal.aborted || this.unsent(error);
    }
  }

  /** Stop the run; what has arrived stays. */
  async stop(): Promise<void> {
    const { last } = this.store;
    if (!last || !this.busy) return;
    this.store.setLast({ ...last, phase: "stopping" });
    this.stopWanted = true;
    if (this.id === null || this.run === null) return;
    try {
      await server.cancelRun(this.id, this.run);
    } catch {
      this.store.set({ note: "stopFailed" });
    }
  }

  /** Show another thread: this one's run goes on without us. */
  leave(): void {
    this.hasLeft = true;
    this.watching?.abort();
    this.watching = null;
  }

  private async hydrate(note: Note | null): Promise<void> {
    this.store.set({ loading: true, note });
    try {
      const told = await this.read(false);
      if (this.hasLeft) return;
      this.store.set({ turns: told.turns, loading: false });
      if (told.busy) void this.follow(null);
    } catch (error) {
      if (!this.hasLeft) this.unread(error);
    }
  }

  private unread(error: unknown): void {
    const isGone = error instanceof server.Refused && [404, 422].includes(error.status);
    if (isGone) {
      this.id = null;
      this.store.set({ loading: false, turns: [], note: "gone" });
    } else {
      const turns = this.store.last ? this.store.state.turns : [newTurn("")];
      this.store.set({ loading: false, turns });
      this.store.setLast(failed(turns.at(-1)!, "connection_lost"));
    }
  }

  private begin(): AbortController {
    this.watching = new AbortController();
    this.stopWanted = false;
    this.run = null;
    this.seen = "-1";
    return this.watching;
  }

  private async created(): Promise<string> {
    if (this.id === null) {
      this.id = await server.createThread();
      this.onCreated(this.id);
    }
    return this.id;
  }

  private unsent(error: unknown): boolean {
    this.watching = null;
    const isRefused = error instanceof server.Refused;
    if (isRefused && error.status === 409) {
      void this.open("busy");
      return false;
    }
    this.store.setLast(failed(this.store.last!, isRefused ? "not_taken" : "not_sent"));
    return true;
  }

  /** Watch the run to its end, through any number of lost connections; the end is read from state. */
  private follow(watched: Watched | null): Promise<void> {
    const { signal } = this.watching ?? this.begin();
    this.ended = this.watch(watched, signal).finally(() => {
      this.watching = null;
    });
    return this.ended;
  }

  private async watch(first: Watched | null, signal: AbortSignal): Promise<void> {
    const source = await this.source();
    let watched = first;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      let isBroken = false;
      try {
        watched ??= await this.join(signal);
        if (watched && (await this.take(watched, source))) attempt = 0;
      } catch {
        isBroken = true;
      }
      watched = null;
      if (signal.aborted || (await this.settle(source, signal))) return;
      if (isBroken) this.mark({ phase: "reconnecting" });
      await pause(Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT), signal);
    }
    this.store.setLast(failed(this.store.last!, "connection_lost"));
  }

  private async join(signal: AbortSignal): Promise<Watched | null> {
    this.run ??= await server.findRun(this.id!);
    return this.run === null ? null : server.joinRun(this.id!, this.run, this.seen, signal);
  }

  /** Read what the connection brings; whether it brought anything. */
  private async take(watched: Watched, source: CallSource): Promise<boolean> {
    this.run = watched.run ?? this.run;
    if (this.stopWanted) void this.stop();
    let some = false;
    for await (const event of watched.events) {
      some = true;
      if (event.id) this.seen = event.id;
      if (!/^(?:custom|messages)(?:\||$)/.test(event.name)) continue;
      const data = parse(event.data);
      this.takeStep(data);
      const forming = source.take(data);
      if (forming === null) continue;
      const { verdict, ...shown } = forming;
      const isOk = verdict?.status === "ok" && shown.openPath === null;
      const phase = this.stopWanted ? "stopping" : verdict ? "mending" : "writing";
      this.mark({ ...shown, doubts: this.checking.doubts, phase, state: isOk ? "done" : "generating" });
    }
    return some;
  }

  /** What a tool says of itself stands beside the card. */
  private takeStep(data: Json): void {
    const steps = this.store.last?.steps ?? [];
    const now = withEvent(steps, data);
    if (now !== steps) this.mark({ steps: now, phase: this.stopWanted ? "stopping" : "writing" });
  }

  /** End the turn as the stored state tells it; false while the run goes on or nobody answers. */
  private async settle(source: CallSource, signal: AbortSignal): Promise<boolean> {
    try {
      const told = await this.read(true);
      const last = told.turns.at(-1);
      if (signal.aborted) return true;
      if (told.busy) return false;
      if (this.mode === "custom" && !source.used && last?.tool) this.mode = "messages-tuple";
      if (this.store.last) this.store.setLast(settled(this.store.last, last ?? newTurn("")));
      this.mark({ agrees: this.checking.agrees(this.store.last) });
      return true;
    } catch {
      return false;
    }
  }

  private async read(last: boolean): Promise<{ turns: Turn[]; busy: boolean }> {
    const { project } = this.store.state;
    if (project.hasApp) {
      const told = await server.fetchRendered(this.id!, last);
      return { turns: (told.turns as JsonObject[]).map(turnFrom), busy: told.busy === true };
    }
    const { turnsOf } = await import("./fallback/judge");
    const [state, thread] = await Promise.all([server.fetchState(this.id!), server.fetchThread(this.id!)]);
    const status = String(thread.status);
    return { turns: turnsOf(state, status, project).map(turnFrom), busy: status === "busy" };
  }

  /** Reads the run's events: frames, or the model's fragments where there are none. */
  private async source(): Promise<CallSource> {
    if (this.mode === "custom") return new FrameCalls(this.checking);
    const { FragmentCalls } = await import("./fallback/fragments");
    return new FragmentCalls(this.store.state.project, this.checking);
  }

  private mark(change: Partial<Turn>): void {
    if (this.store.last) this.store.setLast({ ...this.store.last, ...change });
  }
}

/** Wait, or less where the browser is online again or the page gave up. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const now = (): void => {
      clearTimeout(timer);
      resolve();
    };
    addEventListener("online", now, { once: true, signal });
    signal.addEventListener("abort", now, { once: true });
  });
}
