import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { usePage, useWords } from "../page";
import type { Welcome } from "../words";

/** Where the request is written. */
export function RequestForm({ welcome }: { welcome: Welcome }): VNode {
  const { store, thread } = usePage();
  const words = useWords();
  const { turns, note, draft } = store.state;
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (draft.text === "" && area.current!.value === "") return;
    area.current!.value = draft.text;
    area.current!.focus();
  }, [draft]);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const text = area.current!.value.trim();
    if (text === "") return area.current!.focus();
    area.current!.value = "";
    const isSent = await (await thread()).send(text);
    if (!isSent && area.current!.value === "") area.current!.value = text;
  };
  const isFirst = turns.length === 0;
  return (
    <form class="request" data-testid="request" onSubmit={(event) => void send(event)}>
      <label for="request">{isFirst ? welcome.ask : words.again}</label>
      <textarea
        id="request"
        name="request"
        ref={area}
        rows={3}
        dir="auto"
        maxLength={8000}
        placeholder={isFirst ? welcome.hint : words.hintAgain}
        aria-describedby="keys"
        onKeyDown={sendOnEnter}
      />
      <div class="row">
        <span class="hint" id="keys">
          {words.keys}
        </span>
        <button type="submit" class="main" data-action="send">
          {words.send}
        </button>
      </div>
      {note && (
        <p class="note" role="alert" data-note={note}>
          {words.notes[note]}
        </p>
      )}
    </form>
  );
}

/** Enter sends, but not the Enter that ends the input of Chinese characters. */
function sendOnEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  (event.currentTarget as HTMLTextAreaElement).form!.requestSubmit();
}
