import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { usePage, useWords } from "../page";
import { currentStep, MOST, type Step } from "../steps";
import type { Turn } from "../turn";
import type { Language } from "../words";

/**
 * What the tools do: a list until the answer begins to form, then folded to one line.
 *
 * It folds before there is anything to read below it, so that nothing which is read moves; after
 * that it is as the reader leaves it.
 */
export function Steps({ turn, isEarlier = false }: { turn: Turn; isEarlier?: boolean }): VNode {
  const words = useWords();
  const [chosen, choose] = useState<boolean | null>(null);
  const isOpen = chosen ?? (turn.state === "generating" && turn.value === undefined && !isEarlier);
  const toggle = (event: Event): void => {
    event.preventDefault(); // the state opens it, not the browser
    choose(!isOpen);
  };
  return (
    <details class="worked" data-steps open={isOpen}>
      <summary onClick={toggle}>
        {words.steps.count(turn.steps.length, turn.steps.length >= MOST)}
        {!isOpen && <Folded steps={turn.steps} />}
      </summary>
      <ol aria-label={words.steps.name}>
        {turn.steps.map((step) => (
          <Row key={step.id} step={step} />
        ))}
      </ol>
    </details>
  );
}

function Row({ step }: { step: Step }): VNode {
  const { language } = usePage().store.state;
  const words = useWords().steps;
  return (
    <li data-step={step.id} data-status={step.status}>
      <span class="sign" aria-hidden="true">
        {words.signs[step.status]}
      </span>
      <span>
        <Said step={step} language={language} />
      </span>
      <span class="how">{words.status[step.status]}</span>
    </li>
  );
}

/** What a closed list still tells: the step that is under way, and whether any failed. */
function Folded({ steps }: { steps: readonly Step[] }): VNode {
  const { language } = usePage().store.state;
  const words = useWords().steps;
  const current = currentStep(steps);
  const failures = steps.filter(({ status }) => status === "error").length;
  return (
    <>
      {failures > 0 && <span class="failures"> · {words.failed(failures)}</span>}
      {current && (
        <span class="current">
          {" · "}
          <Said step={current} language={language} />
        </span>
      )}
    </>
  );
}

function Said({ step, language }: { step: Step; language: Language }): VNode {
  const detail = step.detail[language];
  return (
    <>
      <bdi>{step.title[language]}</bdi>
      {detail && <bdi class="detail"> {detail}</bdi>}
    </>
  );
}
