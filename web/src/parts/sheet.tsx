import type { VNode } from "preact";

import { useWords } from "../page";
import type { Turn } from "../turn";
import { Card } from "./card";
import { Outcome } from "./outcome";
import { Steps } from "./steps";
import { Toolbar } from "./toolbar";

/** The sheet on which the newest result is written. */
export function Sheet({ turn }: { turn: Turn }): VNode {
  const words = useWords();
  return (
    <div class="sheet">
      <Outcome turn={turn} />
      {turn.steps.length > 0 && <Steps turn={turn} />}
      <Card turn={turn} />
      {turn.value !== undefined && turn.state !== "generating" && <Toolbar turn={turn} />}
      {turn.state === "done" && turn.model && (
        <p class="model" data-model={turn.model} data-rule-based={turn.isRuleBased ? "" : undefined}>
          {turn.isRuleBased ? words.ruleBased : words.model(turn.model)}
        </p>
      )}
    </div>
  );
}
