/** What the page knows, in one place; each change is drawn in the next animation frame. */

import type { Project } from "./project";
import { projectFrom } from "./project";
import type { Turn } from "./turn";
import type { Language } from "./words";

export type Theme = "light" | "dark";

/** What the page has to say that is no outcome of a turn. */
export type Note = "busy" | "gone" | "stopFailed";

export interface PageState {
  readonly language: Language;
  readonly theme: Theme;
  readonly project: Project;
  /** Oldest first. */
  readonly turns: readonly Turn[];
  readonly note: Note | null;
  /** What the request form starts with; a new object puts it there again. */
  readonly draft: { readonly text: string };
  /** Whether a stored thread is still being read. */
  readonly loading: boolean;
}

export class Store {
  private listeners = new Set<() => void>();

  constructor(public state: PageState) {}

  set(change: Partial<PageState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  /** Replace the last turn. */
  setLast(turn: Turn): void {
    this.set({ turns: [...this.state.turns.slice(0, -1), turn] });
  }

  get last(): Turn | undefined {
    return this.state.turns.at(-1);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

export function newStore(language: Language, theme: Theme): Store {
  return new Store({
    language,
    theme,
    project: { ...projectFrom(null, null), graph: "" },
    turns: [],
    note: null,
    draft: { text: "" },
    loading: false,
  });
}
