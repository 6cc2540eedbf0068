// Side notes: in the margin of a wide window, beside the line of a number or a citation, the short
// form of its card. They repeat what the page holds, so they are hidden from screen readers. If there
// is no room near the line, no side note is shown; the card is still there.
"use strict";
(() => {
  const { say, made, locator } = pnPage;
  const FAR = 260; // px that a note may stand below its line
  const GAP = 12;
  const article = /** @type {HTMLElement} */ (document.querySelector("article"));
  const margin = made("div", "pn-margin");
  margin.setAttribute("aria-hidden", "true");
  const named = new Set(); // the addresses of the sources that a note above has named

  /** @param {HTMLAnchorElement} link */
  function ofNumber(link) {
    const row = /** @type {HTMLTableRowElement | null} */ (document.getElementById(`pn-n${link.dataset.n}`));
    if (!row) return null;
    const note = made("div", "pn-side");
    const what = /** @type {HTMLElement} */ (row.cells[1].cloneNode(true));
    for (const each of what.querySelectorAll("a")) each.replaceWith(...each.childNodes); // no links in what is hidden from screen readers
    note.append(made("b", "", link.textContent ?? ""), " ", ...what.childNodes);
    note.append(made("span", "pn-side-how", row.querySelector(".pn-how")?.textContent ?? ""));
    return note;
  }

  /** @type {NodeListOf<HTMLAnchorElement>} */
  const references = document.querySelectorAll(".pn-references > li a.pn-ref");

  /** @param {HTMLAnchorElement} link */
  function ofCitation(link) {
    const line = [...references].find((each) => each.href === link.href);
    if (!line) return null;
    const note = made("div", "pn-side pn-side-cited");
    const place = link.querySelector(".pn-locator")?.textContent ?? "";
    const heading = [link.textContent?.replace(place, ""), locator(link)].filter(Boolean).join(say(", ", "，"));
    // A source that was named before is named in short.
    const again = named.has(link.href);
    named.add(link.href);
    const away = made("a", "", again ? heading : line.textContent ?? "");
    away.href = line.href;
    if (!again) away.lang = line.lang; // empty where the reference is in the language of the page
    away.tabIndex = -1; // the keyboard reaches the same through the citation
    if (!again) note.append(made("b", "", heading), " ");
    note.append(away);
    return note;
  }

  // One note for each number and each place in a source, where it comes up first in running text.
  const seen = new Set();
  /** @type {{ link: HTMLAnchorElement, note: HTMLElement }[]} */
  const notes = [];
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = article.querySelectorAll(":scope > :is(p, ul, ol, blockquote) a:is(.pn-n, .pn-cite)");
  for (const link of links) {
    const name = link.dataset.n ?? `${link.href} ${locator(link)}`;
    const note = !seen.has(name) && (link.matches(".pn-n") ? ofNumber(link) : ofCitation(link));
    if (!note) continue;
    seen.add(name);
    notes.push({ link, note });
    margin.append(note);
  }
  article.append(margin);

  // No side note stands beside what is wider than the text and reaches into the margin.
  function lay() {
    if (!margin.offsetParent) return;
    const top = article.getBoundingClientRect().top;
    const edge = margin.getBoundingClientRect().left;
    const taken = [...article.children].filter((each) => each !== margin)
      .map((each) => each.getBoundingClientRect())
      .filter((box) => box.right > edge && box.height)
      .map((box) => [box.top - top, box.bottom - top]);
    let free = 0;
    for (const { link, note } of notes) {
      const line = link.getClientRects()[0];
      if (!line) continue;
      const height = note.offsetHeight;
      let at = Math.max(free, line.top - top);
      for (const [from, to] of taken) if (at < to + GAP && at + height > from - GAP) at = to + GAP;
      note.hidden = false;
      const far = at - (line.top - top) > FAR;
      note.classList.toggle("pn-side-left", far);
      if (far) continue;
      note.style.top = `${at}px`;
      free = at + height + GAP;
    }
  }
  lay();
  new ResizeObserver(lay).observe(article);

  // A side note and the link in its line are highlighted together.
  for (const { link, note } of notes) {
    for (const [one, other] of [[link, note], [note, link]]) {
      one.addEventListener("pointerenter", () => other.classList.add("pn-lit"));
      one.addEventListener("pointerleave", () => other.classList.remove("pn-lit"));
    }
  }
})();
