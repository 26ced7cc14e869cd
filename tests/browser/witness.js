// Runs before the page does, and writes down what must not happen, and what was shown.
(() => {
  const seen = { broken: [], calls: [], shown: new Map(), frames: 0 };
  window.witness = {
    report: () => ({ ...seen, shown: [...seen.shown.values()] }),
    forget: () => seen.shown.clear(),
  };
  document.addEventListener("securitypolicyviolation", (event) => {
    seen.broken.push(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`);
  });

  // The driver itself uses eval.
  const byDriver = () => /UtilityScript/.test(new Error().stack ?? "");
  const hook = (owner, name, isWrong = () => true) => {
    const original = owner[name];
    owner[name] = function (...values) {
      if (!byDriver() && isWrong(...values)) seen.calls.push(`${name} ${String(values[0]).slice(0, 80)}`);
      return original.apply(this, values);
    };
  };
  const isForeign = (target) => new URL(target?.url ?? target, location.href).origin !== location.origin;
  for (const name of ["alert", "confirm", "prompt", "eval", "open"]) hook(window, name);
  hook(window, "fetch", isForeign);
  hook(navigator, "sendBeacon");
  hook(XMLHttpRequest.prototype, "open", (_, url) => isForeign(url));
  for (const name of ["write", "writeln", "execCommand"]) {
    hook(document, name, (value) => name !== "execCommand" || value !== "copy");
  }

  const note = (leaf) => {
    const card = leaf.closest("article[data-card]");
    if (!card || card.hasAttribute("data-earlier")) return;
    const entry = [leaf.dataset.path, leaf.textContent, leaf.hasAttribute("data-open")];
    seen.shown.set(JSON.stringify(entry), entry);
  };
  const look = (node) => {
    const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
    if (!element) return;
    const around = element.closest("[data-path]");
    if (around) note(around);
    for (const leaf of element.querySelectorAll("[data-path]")) note(leaf);
  };
  new MutationObserver((changes) => {
    for (const change of changes) {
      look(change.target.nodeType === Node.TEXT_NODE ? change.target : change.target);
      for (const node of change.addedNodes) look(node);
    }
  }).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true,
    attributeFilter: ["data-open", "data-path"],
  });
})();
