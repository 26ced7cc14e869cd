import type { VNode } from "preact";
import { useRef } from "preact/hooks";

import { useWords } from "../page";
import type { Turn } from "../turn";

/** What a screen reader is told, when writing begins and when it is over; never in between. */
export function StatusLine({ turn }: { turn: Turn | undefined }): VNode {
  const words = useWords();
  const seen = useRef(false);
  const isWriting = turn?.state === "generating";
  seen.current ||= isWriting; // what was there when the page opened is no news
  const said = !seen.current || !turn ? "" : isWriting ? words.status.start : words.status.end(words.states[turn.state].what);
  return (
    <p class="unseen" role="status">
      {said}
    </p>
  );
}
