// Opens the search by keys, by its button and by addresses with a query. The script of the search itself is
// loaded when one of these is used or the button is pointed at. This script also starts the service worker,
// which stores visited pages for reading offline. On pages that are opened as files, it makes links lead to
// pages instead of folders.
"use strict";
/** @type {PageSearch} */
var pnSearch = window.pnSearch || /** @type {PageSearch} */ ({});
window.pnSearch = pnSearch;

(() => {
  const root = new URL("../../", /** @type {HTMLScriptElement} */ (document.currentScript).src);
  /** @type {HTMLAnchorElement | null} */
  const button = document.querySelector("[data-pn-search]");
  const page = document.getElementById("pn-search-page");
  const isChinese = document.documentElement.lang.startsWith("zh");
  /** @type {Promise<SearchBox> | null | undefined} */
  let app;
  pnSearch.root = root;

  // Loads a script below search/.
  /** @param {string} name */
  const loadScript = (name) => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL(`search/${name}`, root).href;
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
  // Loads the script of the search once, which brings its style sheet, and beside it the root of the
  // index, which it takes from `arrived`. If the script does not load, the next call tries again.
  const arrived = (pnSearch.arrived = new Map());
  pnSearch.shard = (name, data) => arrived.set(name, data);
  /** @type {() => Promise<SearchBox>} */
  const load = () => (app ||= (() => {
    pnSearch.rootCame ||= loadScript("root.js").catch(() => {});
    return loadScript("app.js").then(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(pnSearch.style);
      document.adoptedStyleSheets.push(sheet);
      return pnSearch.ui({ page });
    });
  })().catch((problem) => {
    app = null;
    throw problem;
  }));

  // Where the site is opened as files, the address of a folder would list its files.
  /** @param {string | URL} address */
  const asFile = (address) => {
    const url = new URL(address);
    if (url.protocol === "file:" && url.pathname.endsWith("/")) url.pathname += "index.html";
    return url.href;
  };
  pnSearch.asFile = asFile;

  // The keys that the reader types while the search loads: its field takes them. At other times there is no list.
  /** @type {string[] | undefined} */
  let keys;
  // If the search does not load, the page of results may still load, unless there is no network.
  /** @param {string} [query] */
  const open = (query) => {
    keys ||= [];
    load().then((ui) => ui.open(query, keys), () => {
      if (navigator.onLine) location.assign(asFile(/** @type {HTMLAnchorElement} */ (button).href));
      else tell(isChinese ? "没有网络，搜索未能加载。" : "There is no network: the search could not be loaded.");
    }).then(() => (keys = undefined));
  };
  /** @param {string} text */
  function tell(text) {
    // Material's box for short messages
    const box = /** @type {Element & { firstElementChild: Element }} */ (document.querySelector("[data-md-component=dialog]"));
    box.setAttribute("role", "status");
    box.firstElementChild.textContent = text;
    box.classList.add("md-dialog--active");
    setTimeout(() => box.classList.remove("md-dialog--active"), 5000);
  }
  const preload = () => load().then((ui) => ui.preload(), () => {});
  // Whether the reader types in a field. The field of a dialog that has just closed keeps the focus for a moment; it does not count.
  /** @param {Partial<Element>} target */
  const isField = (target) => target.closest?.("input, textarea, select, [contenteditable]")?.getClientRects().length;

  document.addEventListener("keydown", (event) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    const control = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "k";
    const slash = key === "/" && !ctrlKey && !metaKey && !altKey;
    // On Windows, AltGr counts as Control and Alt.
    const typed = keys && ctrlKey === altKey && !metaKey && /^(.|Backspace|Enter)$/u.test(key);
    if (!(control || slash || typed) || event.isComposing || isField(/** @type {Partial<Element>} */ (event.target))) return;
    event.preventDefault();
    if (typed) keys?.push(key);
    else open();
  });
  if (button) {
    button.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open();
    });
    for (const kind of ["pointerenter", "focus"]) button.addEventListener(kind, preload, { once: true });
  }
  const asked = new URL(location.href).searchParams.get("q");
  if (page) load().catch(() => page.replaceChildren(isChinese ? "搜索未能加载。" : "The search could not be loaded."));
  else if (asked !== null) open(asked);
  // The reader went back or forward to an address with a query, or away from one.
  addEventListener("popstate", () => {
    const query = new URL(location.href).searchParams.get("q");
    if (app || query !== null) load().then((ui) => ui.show(query), () => {});
  });

  if (location.protocol === "file:") {
    /** @param {Element} link */
    const settle = (link) => {
      const plain = new URL(/** @type {string} */ (link.getAttribute("href")), document.baseURI).href; // getAttribute also works for links in SVG
      const address = asFile(plain);
      if (address !== plain) link.setAttribute("href", address);
    };
    /** @param {Event} event */
    const ofEvent = (event) => {
      const link = /** @type {Partial<Element>} */ (event.target).closest?.("a[href]");
      if (link) settle(link);
    };
    for (const kind of ["pointerdown", "keydown", "click", "auxclick", "contextmenu", "focusin", "dragstart"]) {
      addEventListener(kind, ofEvent, true);
    }
    document.querySelectorAll("link[rel=prev], link[rel=next]").forEach(settle);
  } else if (navigator.serviceWorker) {
    // Nobody reads the page of results again, so there the worker starts after the first click or key.
    const kinds = page ? ["pointerdown", "keydown"] : ["load"];
    const begin = () => {
      for (const kind of kinds) removeEventListener(kind, begin, true);
      keep().catch(() => {});
    };
    for (const kind of kinds) addEventListener(kind, begin, true);
  }

  // Tells the worker to store the files of this page, which it takes from the browser's HTTP cache, and later
  // the index. The index is many times as large. It is fetched some seconds after the reader's first click,
  // touch or key, so a short visit transfers only the page, and never if the browser saves data. The attribute
  // data-offline of the root element says what is stored: "page", "used" or "search".
  async function keep() {
    const worker = navigator.serviceWorker;
    // The address under which the page was loaded; scripts may have changed location.href since.
    const own = () => ["navigation", "resource"]
      .flatMap((kind) => performance.getEntriesByType(kind)).map((entry) => entry.name);
    worker.addEventListener("message", ({ data }) => {
      if (data?.kept) document.documentElement.dataset.offline = data.kept;
    });
    await worker.register(new URL("sw.js", root));
    const registration = await worker.ready;
    /** @type {(index: boolean, renewed?: boolean) => void} */
    const tell = (index, renewed = false) =>
      registration.active?.postMessage({ keep: own(), index, renewed });
    // A new worker has stored nothing yet. If it replaces another one, the site has a new version.
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
