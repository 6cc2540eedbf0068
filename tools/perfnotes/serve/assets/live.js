// On each page that `perfnotes serve` sends. After an edit, the new words replace the old ones and the
// reader stays in place. Each finding of the checks is shown at its line until it is mended.
"use strict";

(() => {
  const own = document.currentScript;
  const url = decodeURIComponent(location.pathname).replace(/index\.html$/, "").replace(/^\//, "");
  let version = own.dataset.version;
  let source = null; // the connection, while this page listens
  let waiting = 0; // lets the page listen again
  const TURN = 2000; // ms that a page waits when others listen

  // The blocks of the article as the server gave them, and the elements that show them, which other
  // scripts may have put into boxes since.
  const article = document.querySelector("article");
  // The box that says how to cite the page is left as it was loaded: its digest changes with each edit.
  const blocksOf = (place) => [...(place?.children ?? [])].filter((block) => !block.matches(".pn-cite-page"));
  let blocks = blocksOf(article).map((element) => element.cloneNode(true));
  let shown = blocksOf(article);
  // Elements to which other scripts add something when a page is loaded.
  const ADORNED = "h1, h2, h3, h4, h5, h6, pre, table, img, svg, details, [class*=pn-]";
  // The title and all words outside of the article. It empties the article of `body`, the page's own
  // body or a copy of it, which therefore must not be on the screen.
  const frameOf = (page, body) => {
    body.querySelector("article")?.replaceChildren();
    for (const each of body.querySelectorAll("noscript")) each.remove(); // browsers parse it in two ways
    return page.title + body.textContent;
  };
  let frame = article ? frameOf(document, document.body.cloneNode(true)) : "";
  const SETTLED = 1000; // ms after the last edit, until the page is loaded again

  const placed = (element) => {
    while (element.parentElement && element.parentElement !== article) element = element.parentElement;
    return element.parentElement ? element : null;
  };

  // Put what is new into the open page. Returns when the page must be loaded again: "now", if more
  // than the article is new; "later", if scripts add something to the new words when a page is
  // loaded; or "" for never.
  const renew = (page) => {
    const fresh = blocksOf(page.querySelector("article"));
    let from = 0, end = 0;
    const least = Math.min(blocks.length, fresh.length);
    while (from < least && blocks[from].isEqualNode(fresh[from])) from++;
    while (end < least - from && blocks.at(-1 - end).isEqualNode(fresh.at(-1 - end))) end++;
    const old = shown.slice(from, shown.length - end).map(placed);
    const after = end ? placed(shown.at(-end)) : null;
    if (old.includes(null) || (end && !after)) return "now";
    const made = fresh.slice(from, fresh.length - end).map((block) => document.importNode(block, true));
    for (const element of old) element.remove();
    if (after) after.before(...made);
    else if (from) placed(shown[from - 1]).after(...made);
    else article.prepend(...made);
    const adorned = [...blocks.slice(from, blocks.length - end), ...made]
      .some((block) => block.matches(ADORNED) || block.querySelector(ADORNED));
    shown = [...shown.slice(0, from), ...made, ...shown.slice(shown.length - end)];
    blocks = fresh;
    const now = frameOf(page, page.body);
    const same = now === frame;
    frame = now;
    if (!same) return "now";
    return adorned ? "later" : "";
  };

  const plain = (text) => text.replace(/\s+/g, " ").trim();

  const box = (finding) => {
    const element = document.createElement("aside");
    element.className = "pn-finding";
    if (finding.error) element.dataset.error = "";
    const line = document.createElement("p");
    const name = document.createElement("b");
    name.textContent = `${finding.code}, line ${finding.line}: `;
    line.append(name, finding.message);
    element.append(line);
    if (finding.hint) {
      const hint = document.createElement("p");
      hint.textContent = finding.hint;
      element.append(hint);
    }
    return element;
  };

  // The block below the heading `anchor` that holds the words, else that heading, else the top.
  const place = (finding) => {
    const heading = finding.anchor ? document.getElementById(finding.anchor) : null;
    const words = plain(finding.near);
    let inside = !heading;
    for (const block of article.querySelectorAll("h1,h2,h3,h4,h5,h6,p,li,td,pre,dt,dd,blockquote")) {
      if (block === heading) inside = true;
      if (!inside || !words || block.closest(".pn-finding") || block.querySelector("p,li,pre")) continue;
      if (plain(block.textContent).includes(words)) return block.closest("table, pre") ?? block;
    }
    return heading ?? article.querySelector("h1") ?? article.firstElementChild;
  };

  let wrong = []; // the findings that are shown
  const showWrong = (findings) => {
    for (const old of document.querySelectorAll(".pn-finding")) old.remove();
    wrong = findings;
    if (!article || !findings.length) return;
    for (const finding of [...findings].reverse()) {
      const at = place(finding);
      if (at) at.after(box(finding));
      else article.prepend(box(finding));
    }
    const bar = document.createElement("p");
    bar.className = "pn-finding pn-finding-bar";
    bar.setAttribute("role", "status");
    if (findings.some((each) => each.error)) bar.dataset.error = "";
    const link = document.createElement("a");
    link.href = "#";
    link.textContent = findings.length > 1 ? `${findings.length} findings on this page` : "1 finding on this page";
    link.addEventListener("click", (event) => {
      event.preventDefault();
      document.querySelector("article .pn-finding")?.scrollIntoView({ block: "center" });
    });
    bar.append(link);
    document.body.append(bar);
  };

  const askWrong = async () => {
    const answer = await fetch(`/_perfnotes/wrong?${encodeURIComponent(url)}`);
    const findings = await answer.json();
    if (JSON.stringify(findings) !== JSON.stringify(wrong)) showWrong(findings);
  };

  const reload = () => {
    sessionStorage.setItem(`pn-live ${url}`, String(scrollY));
    location.reload();
  };

  let timer = 0; // loads the page again

  // Get the newest page and show its words at once. If more than words has changed, load the page again
  // after they were painted.
  const update = async () => {
    const answer = await fetch(location.href, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.querySelector("script[data-version]")?.dataset.version;
    if (!now || now === version) return;
    version = now;
    const when = article && page.querySelector("article") ? renew(page) : "now";
    if (when === "now") {
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(reload)));
      return;
    }
    showWrong(wrong); // the findings may have come before the words below which they belong
    if (when === "later" || timer) {
      clearTimeout(timer);
      timer = setTimeout(reload, SETTLED);
    }
  };

  const listen = () => {
    source = new EventSource(`/_perfnotes/news?${encodeURIComponent(url)}`); // its first message has the newest version
    source.addEventListener("pages", (event) => {
      const now = JSON.parse(event.data)[url];
      if (now && now !== version) update();
    });
    source.addEventListener("wrong", askWrong);
    source.addEventListener("later", () => {
      rest();
      waiting = setTimeout(show, TURN);
    });
  };

  const rest = () => {
    clearTimeout(waiting);
    source?.close();
    source = null;
  };

  const saved = sessionStorage.getItem(`pn-live ${url}`);
  if (saved !== null) {
    sessionStorage.removeItem(`pn-live ${url}`);
    const back = () => scrollTo({ top: Number(saved), behavior: "instant" });
    back();
    addEventListener("load", back, { once: true });
  }

  // A browser opens six connections to one host. A page keeps one while it listens, so pages that are hidden,
  // such as those that were opened in tabs in the background, do not listen. Of many pages that can be seen,
  // in several windows, the server lets some listen at a time; the one that a reader turns to is the next.
  const show = () => {
    if (document.hidden) {
      rest();
    } else if (!source) {
      clearTimeout(waiting);
      listen();
      askWrong();
    }
  };
  document.addEventListener("visibilitychange", show);
  addEventListener("focus", show);
  show();
})();
