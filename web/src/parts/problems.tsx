import type { VNode } from "preact";

import { labelOf } from "../cards";
import { usePage, useWords } from "../page";
import type { Turn } from "../turn";
import { faultWords } from "../words";

/** Most problems that are listed: more of them help nobody. */
const MOST = 12;

/** Which fields are wrong, in words. */
export function Problems({ turn }: { turn: Turn }): VNode | null {
  const words = useWords();
  const { project } = usePage().store.state;
  if (turn.state !== "invalid" || turn.errors.length === 0) return null;
  return (
    <ul data-problems class="problems" aria-label={words.problems}>
      {turn.errors.slice(0, MOST).map((error, index) => (
        <li key={index} data-pointer={error.pointer}>
          <strong>{labelOf(turn, project, error.pointer, words)}</strong> {faultWords(words, error.code)}
        </li>
      ))}
      {turn.errors.length > MOST && <li>…</li>}
    </ul>
  );
}
