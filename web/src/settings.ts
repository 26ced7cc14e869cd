/** What the page remembers in this browser: its language and theme. */

import type { Theme } from "./store";
import type { Language } from "./words";
import { TAGS } from "./words";

export function firstLanguage(): Language {
  const known = remembered("language");
  if (known === "en" || known === "zh") return known;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export function firstTheme(): Theme {
  const known = remembered("theme");
  if (known === "light" || known === "dark") return known;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Show a language and a theme on the document itself. */
export function apply(language: Language, theme: Theme): void {
  document.documentElement.lang = TAGS[language];
  document.documentElement.dataset.theme = theme;
}

export function remember(name: "language" | "theme", value: string): void {
  try {
    localStorage.setItem(`rendercall.${name}`, value);
  } catch {
    // A browser that stores nothing forgets it with the page.
  }
}

function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`rendercall.${name}`);
  } catch {
    return null;
  }
}
