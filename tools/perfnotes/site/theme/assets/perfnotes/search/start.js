// What every page needs of the search: the keys and the button that open it, which bring the rest
// at the first sign of interest, and an address that holds a query. Then the worker that keeps
// visited pages for reading offline. Opened as files, links lead to pages instead of folders.
"use strict";
var pnSearch = window.pnSearch || {};
window.pnSearch = pnSearch;

(() => {
  const root = new URL("../../../", document.currentScript.src);
  const button = document.querySelector("[data-pn-search]");
  const page = document.getElementById("pn-search-page");
  const isChinese = document.documentElement.lang.startsWith("zh");
  let app;
  pnSearch.root = root;

  // One script and one style sheet; where they do not come, the next try asks again.
  const load = () => (app ||= new Promise((done, failed) => {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = new URL("assets/perfnotes/search/search.css", root).href;
    const styled = new Promise((next) => (style.onload = style.onerror = next));
    const script = document.createElement("script");
    script.src = new URL("search/app.js", root).href;
    script.onload = () => styled.then(() => done(pnSearch.ui({ page })));
    script.onerror = failed;
    document.head.append(style, script);
  }).catch((problem) => {
    app = null;
    throw problem;
  }));

  // A folder's address, opened as a file, would show what lies in the folder.
  const asFile = (address) => {
    const url = new URL(address);
    if (url.protocol === "file:" && url.pathname.endsWith("/")) url.pathname += "index.html";
    return url.href;
  };
  pnSearch.asFile = asFile;

  // Where the search does not come, the page of results may; without a network it would not either.
  const open = (query) => load().then((ui) => ui.open(query), () => {
    if (navigator.onLine) location.assign(asFile(button.href));
    else tell(isChinese ? "没有网络，搜索未能加载。" : "There is no network: the search could not be loaded.");
  });
  function tell(text) {
    const box = document.querySelector("[data-md-component=dialog]"); // of the theme, for short words
    box.setAttribute("role", "status");
    box.firstElementChild.textContent = text;
    box.classList.add("md-dialog--active");
    setTimeout(() => box.classList.remove("md-dialog--active"), 5000);
  }
  const preload = () => load().then((ui) => ui.preload(), () => {});
  const isField = (target) => target.closest?.("input, textarea, select, [contenteditable]");

  document.addEventListener("keydown", (event) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    const control = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "k";
    const slash = key === "/" && !ctrlKey && !metaKey && !altKey;
    if (!(control || slash) || event.isComposing || isField(event.target)) return;
    event.preventDefault();
    open();
  });
  if (button) {
    button.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open();
    });
    for (const kind of ["pointerenter", "focus"]) button.addEventListener(kind, preload, { once: true });
  }
  const asked = new URL(location).searchParams.get("q");
  if (page) load().catch(() => page.replaceChildren(isChinese ? "搜索未能加载。" : "The search could not be loaded."));
  else if (asked !== null) open(asked);
  // Back or forward to an address with a query, or away from it.
  addEventListener("popstate", () => {
    const query = new URL(location).searchParams.get("q");
    if (app || query !== null) load().then((ui) => ui.show(query), () => {});
  });

  if (location.protocol === "file:") {
    const settle = (link) => {
      const plain = new URL(link.getAttribute("href"), document.baseURI).href; // also in a picture
      const address = asFile(plain);
      if (address !== plain) link.setAttribute("href", address);
    };
    const ofEvent = (event) => {
      const link = event.target.closest?.("a[href]");
      if (link) settle(link);
    };
    for (const kind of ["pointerdown", "keydown", "click", "auxclick", "contextmenu", "focusin", "dragstart"]) {
      addEventListener(kind, ofEvent, true);
    }
    document.querySelectorAll("link[rel=prev], link[rel=next]").forEach(settle);
  } else if (navigator.serviceWorker) {
    addEventListener("load", () => keep().catch(() => {}));
  }

  // What this page was made of came before the worker, which takes it from the browser's memory.
  // The index, many times as large, follows a while after the reader's first click, touch or key,
  // and not where data is to be saved: a glance at a page transfers no more than the page. The page
  // says how much of all that is there: "page", "used" or "search".
  async function keep() {
    const worker = navigator.serviceWorker;
    const own = () => performance.getEntriesByType("resource").map((entry) => entry.name);
    worker.addEventListener("message", ({ data }) => {
      if (data?.kept) document.documentElement.dataset.offline = data.kept;
    });
    await worker.register(new URL("sw.js", root));
    const registration = await worker.ready;
    const tell = (index, renewed = false) =>
      registration.active.postMessage({ keep: [location.href, ...own()], index, renewed });
    // A new one has nothing yet; where it takes the place of another, the site is another too.
    let had = !!worker.controller;
    worker.addEventListener("controllerchange", () => {
      tell(false, had);
      had = true;
    });
    tell(false);
    const { saveData, effectiveType = "" } = navigator.connection || {};
    const later = () => {
      if (pnSearch.isOpen) setTimeout(later, 4000);
      else tell(!saveData && !effectiveType.includes("2g"));
    };
    const kinds = ["pointerdown", "keydown"];
    const begin = () => {
      for (const kind of kinds) removeEventListener(kind, begin, true);
      setTimeout(later, 4000);
    };
    for (const kind of kinds) addEventListener(kind, begin, true);
  }
})();
