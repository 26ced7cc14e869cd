/** What every part of the page can reach. */

import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";

import type { PageState, Store } from "./store";
import type { Thread } from "./thread";
import { WORDS, type Words } from "./words";

export interface Page {
  readonly store: Store;
  /** The thread that is shown, once the page knows what the server can run. */
  readonly thread: () => Promise<Thread>;
  /** Begin another one. */
  readonly fresh: () => void;
}

export const PageContext = createContext<Page>(null as unknown as Page);
export const WordsContext = createContext<Words>(WORDS.en);

export function usePage(): Page {
  return useContext(PageContext);
}

export function useWords(): Words {
  return useContext(WordsContext);
}

/** The page's state; the component is drawn again when it changes. */
export function usePageState(store: Store): PageState {
  const [, draw] = useState<PageState>(store.state);
  useEffect(() => store.subscribe(() => draw(store.state)), [store]);
  return store.state;
}
