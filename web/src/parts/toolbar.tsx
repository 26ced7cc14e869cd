import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { copy, download, fileName } from "../actions";
import { markdown, titleOf } from "../cards";
import { stringify } from "../exact";
import { usePage, useWords } from "../page";
import type { Turn } from "../turn";

/** Copy, download and print what is complete; the data itself for who asks for it. */
export function Toolbar({ turn }: { turn: Turn }): VNode {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const json = (): string => stringify(turn.value ?? null, 2);
  return (
    <div class="tools">
      <div class="row">
        {turn.state === "done" && <Keep turn={turn} json={json} />}
        <button type="button" data-action="view-data" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.hideData : words.viewData}
        </button>
      </div>
      {isOpen && (
        <pre class="data" data-raw role="region" tabIndex={0} aria-label={words.data}>
          {turn.state === "done" ? json() : (turn.raw ?? json())}
        </pre>
      )}
    </div>
  );
}

/** A part of an answer is nothing to keep: it could be taken for the whole. */
function Keep({ turn, json }: { turn: Turn; json: () => string }): VNode {
  const { project } = usePage().store.state;
  const words = useWords();
  const title = titleOf(turn);
  const text = (): string => markdown(turn, project, words);
  return (
    <>
      <CopyButton action="copy" name={words.copy} text={json} />
      <CopyButton action="copy-markdown" name={words.copyMarkdown} text={text} />
      <button
        type="button"
        data-action="download-json"
        aria-label={`${words.download} ${words.downloadJson}`}
        onClick={() => download(json() + "\n", fileName(title, "json"), "application/json")}
      >
        ↓ {words.downloadJson}
      </button>
      <button
        type="button"
        data-action="download-markdown"
        aria-label={`${words.download} ${words.downloadMarkdown}`}
        onClick={() => download(text(), fileName(title, "md"), "text/markdown")}
      >
        ↓ {words.downloadMarkdown}
      </button>
      <button type="button" data-action="print" onClick={() => print()}>
        {words.print}
      </button>
    </>
  );
}

function CopyButton({ action, name, text }: { action: string; name: string; text: () => string }): VNode {
  const words = useWords();
  const [said, say] = useState<string | null>(null);
  const onClick = async (): Promise<void> => {
    say((await copy(text())) ? words.copied : words.copyFailed);
    setTimeout(() => say(null), 2_000);
  };
  return (
    <button type="button" data-action={action} onClick={() => void onClick()}>
      {said ?? name}
    </button>
  );
}
