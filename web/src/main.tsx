/** Puts the page together. */

import { options, render } from "preact";

import { App } from "./parts/app";
import { PageContext } from "./page";
import { projectFrom } from "./project";
import { loadWhenIdle } from "./checking";
import { apply, firstLanguage, firstTheme } from "./settings";
import { newStore } from "./store";
import "./style/base.css";
import "./style/page.css";
import "./style/card.css";
import "./style/print.css";
import { Thread } from "./thread";
import * as server from "./transport";

// However much arrives between two frames of the screen, the page is drawn once for it.
options.debounceRendering = (draw) => void requestAnimationFrame(draw);

const address = new URL(location.href);
const store = newStore(firstLanguage(), firstTheme());
apply(store.state.language, store.state.theme);

function note(thread: string | null): void {
  if (thread === null) address.searchParams.delete("thread");
  else address.searchParams.set("thread", thread);
  history.replaceState(null, "", address);
}

function newThread(id: string | null): Thread {
  const isPlain = address.searchParams.get("stream") === "messages" || !store.state.project.sendsFrames;
  return new Thread(store, id, isPlain ? "messages-tuple" : "custom", note);
}

async function fresh(): Promise<void> {
  (await thread).leave();
  thread = Promise.resolve(newThread(null));
  note(null);
  store.set({ turns: [], note: null, draft: { text: "" } });
}

async function start(): Promise<Thread> {
  const id = address.searchParams.get("thread");
  store.set({ loading: id !== null });
  const schemas = await server.fetchSchemas().catch(() => null);
  store.set({ loading: false, project: projectFrom(schemas, address.searchParams.get("graph")) });
  const opened = newThread(id);
  void opened.open();
  return opened;
}

let thread = start();

render(
  <PageContext.Provider value={{ store, thread: () => thread, fresh: () => void fresh() }}>
    <App store={store} />
  </PageContext.Provider>,
  document.getElementById("page")!,
);
loadWhenIdle();
