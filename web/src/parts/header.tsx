import type { VNode } from "preact";

import { usePage, useWords } from "../page";
import { apply, remember } from "../settings";
import { TAGS } from "../words";

/** The page's name, its language and its theme. */
export function Header({ title }: { title: string }): VNode {
  const { store, fresh } = usePage();
  const words = useWords();
  const { language, theme, turns } = store.state;
  const other = language === "en" ? "zh" : "en";
  const isDark = theme === "dark";
  const choose = (change: { language: "en" | "zh" } | { theme: "light" | "dark" }): void => {
    for (const [name, value] of Object.entries(change)) remember(name as "language" | "theme", value);
    store.set(change);
    apply(store.state.language, store.state.theme);
  };
  return (
    <header class="top">
      <h1>{title}</h1>
      <nav>
        {turns.length > 0 && (
          <button type="button" class="quiet" data-action="new" aria-label={words.freshLong} onClick={fresh}>
            {words.fresh}
          </button>
        )}
        <button
          type="button"
          class="quiet"
          data-action="theme"
          aria-label={words.theme(isDark)}
          onClick={() => choose({ theme: isDark ? "light" : "dark" })}
        >
          {isDark ? words.light : words.dark}
        </button>
        <button
          type="button"
          class="quiet"
          data-action="language"
          lang={TAGS[other]}
          onClick={() => choose({ language: other })}
        >
          {words.otherLanguage}
        </button>
      </nav>
    </header>
  );
}
