import type { VNode } from "preact";

import { usePage } from "../page";
import type { Welcome } from "../words";

/** What stands where nothing was asked yet. */
export function Idle({ welcome }: { welcome: Welcome }): VNode {
  const { store } = usePage();
  return (
    <div class="sheet">
      <article class="idle" data-card data-tool={store.state.project.tool ?? ""} data-state="idle" aria-labelledby="idle">
        <h2 id="idle">{welcome.title}</h2>
        <p>{welcome.text}</p>
        <ul class="examples">
          {welcome.examples.map((text) => (
            <li key={text}>
              <button type="button" data-action="example" onClick={() => store.set({ draft: { text } })}>
                {text}
              </button>
            </li>
          ))}
        </ul>
      </article>
    </div>
  );
}
