import type { ComponentChildren, VNode } from "preact";

import { usePage, useWords } from "../page";
import { isActive } from "../steps";
import type { Turn } from "../turn";
import type { Told, Words } from "../words";
import { Problems } from "./problems";

/** How a turn stands, and what can be done about it. */
export function Outcome({ turn, isEarlier = false }: { turn: Turn; isEarlier?: boolean }): VNode {
  const words = useWords();
  if (turn.state === "generating") return <Writing turn={turn} />;
  const { sign, what, next } = told(turn, words);
  const line = (
    <p class="what">
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      {what}
    </p>
  );
  if (turn.state === "done") return <div class="strip done">{line}</div>;
  return (
    <div key="end" class={`strip ${turn.state}`} role={isEarlier ? undefined : "alert"}>
      {line}
      {turn.refusal && <p dir="auto">{turn.refusal}</p>}
      {turn.state === "absent" && turn.text && (
        <p class="said" dir="auto">
          {turn.text}
        </p>
      )}
      <Problems turn={turn} />
      {!isEarlier && <p class="next">{next}</p>}
      {!isEarlier && <NextSteps turn={turn} />}
    </div>
  );
}

function Writing({ turn }: { turn: Turn }): VNode {
  const { thread, store } = usePage();
  const words = useWords();
  const isWorking = turn.phase === "writing" && turn.steps.some(isActive);
  const stop = (): void => {
    void thread().then((shown) => shown.stop());
    store.set({ draft: { ...store.state.draft } });
  };
  return (
    <div key="writing" class="strip generating">
      <p class="what">
        <span class="dots" aria-hidden="true" />
        {isWorking ? words.steps.working : words.phases[turn.phase]}
      </p>
      <button type="button" data-action="stop" onClick={stop}>
        {words.stop}
      </button>
    </div>
  );
}

function NextSteps({ turn }: { turn: Turn }): VNode {
  const { thread, store } = usePage();
  const words = useWords();
  const isLost = turn.errors[0]?.code === "connection_lost";
  const ask = (text: string): void => void thread().then((shown) => shown.send(text));
  const reopen = (): void => void thread().then((shown) => shown.open());
  return (
    <div class="row steps">
      {turn.state === "truncated" && (
        <Step action="continue" onClick={() => ask(words.continueText)}>
          {words.continue}
        </Step>
      )}
      <Step action="retry" onClick={() => (isLost ? reopen() : ask(turn.human))}>
        {isLost ? words.reconnect : words.retry}
      </Step>
      <Step action="edit" onClick={() => store.set({ draft: { text: turn.human } })}>
        {words.edit}
      </Step>
    </div>
  );
}

function Step(props: { action: string; onClick: () => void; children: ComponentChildren }): VNode {
  return (
    <button type="button" data-action={props.action} onClick={props.onClick}>
      {props.children}
    </button>
  );
}

function told(turn: Turn, words: Words): Told {
  return words.failures[turn.errors[0]?.code ?? ""] ?? words.states[turn.state];
}
