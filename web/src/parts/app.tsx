import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { welcomeOf } from "../cards";
import { usePageState, WordsContext } from "../page";
import type { Store } from "../store";
import { WORDS } from "../words";
import { Conversation } from "./conversation";
import { Header } from "./header";
import { Idle } from "./idle";
import { RequestForm } from "./request_form";
import { Sheet } from "./sheet";
import { StatusLine } from "./status_line";

/** The whole page: the request and the conversation on one side, what is shown on the other. */
export function App({ store }: { store: Store }): VNode {
  const { language, project, turns, loading } = usePageState(store);
  const words = WORDS[language];
  const welcome = welcomeOf(project, words);
  const last = turns.at(-1);
  const talk = useRef<HTMLElement>(null);
  const stage = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = `${welcome.page} · rendercall`;
  }, [welcome.page]);
  useEffect(() => {
    talk.current?.scrollTo({ top: talk.current.scrollHeight });
    const below = stage.current && stage.current.getBoundingClientRect().top > innerHeight / 2;
    if (last?.state === "generating" && below) stage.current!.scrollIntoView({ block: "start" });
  }, [turns.length]);
  return (
    <WordsContext.Provider value={words}>
      <a class="skip" href="#result">
        {words.skip}
      </a>
      <Header title={welcome.page} />
      <main class="columns">
        <section class="talk" ref={talk} aria-label={words.conversation}>
          <Conversation turns={turns} loading={loading} />
          <RequestForm welcome={welcome} />
        </section>
        <section class="stage" id="result" ref={stage} tabIndex={-1} aria-label={words.result}>
          {last ? <Sheet turn={last} /> : <Idle welcome={welcome} />}
        </section>
      </main>
      <StatusLine turn={last} />
    </WordsContext.Provider>
  );
}
