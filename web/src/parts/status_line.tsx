import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { usePage, useWords } from "../page";
import { currentStep } from "../steps";
import type { Turn } from "../turn";
import type { Language, Words } from "../words";

/** Milliseconds that a step must last to be told aloud. */
const LASTING = 1_000;

/**
 * What a screen reader is told: that writing begins and how it ended, and in between a tool's step
 * that lasts or fails. Progress is never told, nor anything of the card.
 */
export function StatusLine({ turn }: { turn: Turn | undefined }): VNode {
  const words = useWords();
  const { language } = usePage().store.state;
  const said = useRef("");
  const wasWriting = useRef<boolean | null>(null); // null: what was there when the page opened is no news
  const isWriting = turn?.state === "generating";
  const step = isWriting ? stepWords(turn, language, words) : "";
  const lasted = useLasting(step);
  if (isWriting && !wasWriting.current) said.current = words.status.start;
  else if (isWriting && step !== "" && lasted === step) said.current = step;
  else if (!isWriting && wasWriting.current) said.current = words.status.end(words.states[turn?.state ?? "idle"].what);
  if (isWriting || wasWriting.current !== null) wasWriting.current = isWriting;
  return (
    <p class="unseen" role="status">
      {said.current}
    </p>
  );
}

/** The step that is under way, or the last one where it failed; nothing that changes as it goes on. */
function stepWords({ steps }: Turn, language: Language, words: Words): string {
  const last = steps.at(-1);
  const step = currentStep(steps) ?? (last?.status === "error" ? last : undefined);
  if (step === undefined) return "";
  const how = step.status === "waiting" ? step.detail[language] : "";
  return step.title[language] + words.colon + (how || words.steps.status[step.status]);
}

/** A text once it has been the same for a while, and until another one has. */
function useLasting(text: string): string {
  const [lasting, set] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => set(text), LASTING);
    return () => clearTimeout(timer);
  }, [text]);
  return lasting;
}
