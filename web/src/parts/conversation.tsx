import type { VNode } from "preact";

import { titleOf } from "../cards";
import { useWords } from "../page";
import type { Turn } from "../turn";
import { Card } from "./card";
import { Outcome } from "./outcome";
import { Steps } from "./steps";

/** What was asked so far, with the results of earlier turns folded up. */
export function Conversation({ turns, loading }: { turns: readonly Turn[]; loading: boolean }): VNode | null {
  const words = useWords();
  if (loading) return <p class="hint">{words.loading}</p>;
  if (turns.length === 0) return null;
  return (
    <ol class="turns">
      {turns.map((turn, index) => (
        <li key={index}>
          {turn.human !== "" && (
            <p class="asked" dir="auto">
              <span class="unseen">{words.you}: </span>
              {turn.human}
            </p>
          )}
          {index < turns.length - 1 && <Earlier turn={turn} />}
        </li>
      ))}
    </ol>
  );
}

function Earlier({ turn }: { turn: Turn }): VNode {
  const words = useWords();
  const title = titleOf(turn) ?? words.states[turn.state].what;
  return (
    <details class="earlier">
      <summary>
        <span class={`sign ${turn.state}`} aria-hidden="true">
          {words.states[turn.state].sign}
        </span>
        <span class="unseen">{words.earlier}: </span>
        <span dir="auto">{title}</span>
      </summary>
      <Outcome turn={turn} isEarlier />
      {turn.steps.length > 0 && <Steps turn={turn} isEarlier />}
      <Card turn={turn} isEarlier />
    </details>
  );
}
