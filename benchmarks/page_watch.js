// Notes when the card changed and when that was painted, and counts changes between frames.
(() => {
  const noted = { paints: [], perFrame: [] };
  window.noted = noted;
  const now = () => (performance.timeOrigin + performance.now()) / 1000;
  const afterPaint = (call) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = call;
    channel.port2.postMessage(0);
  };

  let inFrame = false;
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (call) =>
    request((time) => {
      inFrame = true;
      afterPaint(() => (inFrame = false));
      call(time);
    });

  let renders = 0;
  const count = () => {
    if (renders) noted.perFrame.push(renders);
    renders = 0;
    request(count);
  };
  request(count);

  let changed = new Map();
  const painted = () => {
    const time = now();
    for (const [path, [length, isOpen]] of changed) noted.paints.push([time, path, length, isOpen]);
    changed = new Map();
  };
  const note = (leaf) => {
    if (leaf.closest("article[data-card]:not([data-earlier])")) {
      changed.set(leaf.dataset.path, [leaf.textContent.length, leaf.hasAttribute("data-open")]);
    }
  };
  new MutationObserver((changes) => {
    const before = changed.size;
    for (const { target, addedNodes } of changes) {
      for (const node of [target, ...addedNodes]) {
        const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
        if (!element) continue;
        const around = element.closest("[data-path]");
        if (around) note(around);
        else element.querySelectorAll("[data-path]").forEach(note);
      }
    }
    if (!changed.size) return;
    renders += 1;
    if (before) return;
    if (inFrame) afterPaint(painted);
    else request(() => afterPaint(painted));
  }).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["data-open"],
  });
})();
