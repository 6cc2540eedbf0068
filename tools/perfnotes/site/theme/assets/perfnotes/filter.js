// A field that hides the rows without its words. All words of a part must be in a row; a comma between
// parts means or. What holds no such row is hidden too, and a fold that holds one opens. The words stay
// in the address. Without this script all rows are shown.
"use strict";

(() => {
  const { say, made } = pnPage;
  const place = document.querySelector(".pn-find");
  if (!place) return;
  /** @type {NodeListOf<HTMLElement>} */
  const all = document.querySelectorAll(".pn-row");
  /** @param {HTMLElement} row @returns {HTMLDetailsElement | null | undefined} */
  const foldAround = (row) => row.parentElement?.closest("details");
  const rows = [...all].map((row) => {
    const name = row.querySelector(":scope > summary, :scope > th") ?? row;
    const above = foldAround(row)?.querySelector("summary")?.textContent ?? "";
    return { row, words: `${above} ${name.textContent ?? ""}`.toLowerCase() };
  });
  const folds = new Set(rows.flatMap(({ row }) => foldAround(row) ?? []));
  /** @type {Set<HTMLDetailsElement>} */
  const opened = new Set(); // by this script, which closes them again
  /** @type {NodeListOf<HTMLElement>} */
  const boxes = document.querySelectorAll(".pn-scroll:has(.pn-row)"); // a table without rows goes too

  // A heading with all that stands below it, up to its last row, and the links to it above all rows.
  /** @type {NodeListOf<HTMLElement>} */
  const headings = document.querySelectorAll("article > :is(h2, h3)");
  const sections = [...headings].flatMap((heading) => {
    /** @type {HTMLElement[]} */
    const parts = [heading];
    const end = heading.matches("h2") ? "h2" : "h2, h3";
    for (let next = heading.nextElementSibling; next && !next.matches(end); next = next.nextElementSibling) {
      if (next instanceof HTMLElement) parts.push(next);
    }
    while (parts.at(-1)?.matches(":not(.pn-row, :has(.pn-row))")) parts.pop();
    /** @type {NodeListOf<HTMLElement>} */
    const links = document.querySelectorAll(`.pn-places > li:has(> a[href="#${CSS.escape(heading.id)}"])`);
    /** @type {(part: HTMLElement) => Iterable<HTMLElement>} */
    const inside = (part) => (part.matches(".pn-row") ? [part] : part.querySelectorAll(".pn-row"));
    return parts.length ? [{ inside: parts.flatMap((part) => [...inside(part)]), parts: [...parts, ...links] }] : [];
  });

  const label = made("label", "", say("Show only", "只显示"));
  const field = Object.assign(document.createElement("input"), { type: "search", placeholder: say("words; a comma means or", "词；逗号表示或") });
  label.append(field);
  const said = made("span", "pn-count");
  said.setAttribute("role", "status");
  place.append(label, said);

  const show = () => {
    const parts = field.value.toLowerCase().split(/[,，、]/).map((part) => part.split(/\s+/).filter(Boolean))
      .filter((part) => part.length);
    /** @param {string} words */
    const fits = (words) => !parts.length || parts.some((part) => part.every((word) => words.includes(word)));
    const fitting = new Set(rows.flatMap(({ row, words }) => (fits(words) ? row : [])));
    for (const section of sections) {
      const isEmpty = !section.inside.some((row) => fitting.has(row));
      for (const part of section.parts) part.hidden = isEmpty;
    }
    for (const { row } of rows) row.hidden = !fitting.has(row);
    for (const box of boxes) box.hidden = !box.querySelector(".pn-row:not([hidden])");
    for (const fold of folds) {
      fold.hidden = !fold.querySelector(".pn-row:not([hidden])");
      const opens = parts.length > 0 && !fold.hidden;
      if (opens && !fold.open) opened.add(fold);
      if (opens) fold.open = true;
      else if (opened.delete(fold)) fold.open = false;
    }
    said.textContent = fitting.size ? "" : say("Nothing fits.", "没有符合的项。");
    const url = new URL(location.href);
    if (parts.length) url.searchParams.set("show", field.value.trim());
    else url.searchParams.delete("show");
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  };
  // A link to something hidden shows all again.
  const reveal = () => {
    const target = document.querySelector(":target");
    if (!target?.closest("[hidden]")) return;
    field.value = "";
    show();
    target.scrollIntoView();
  };
  field.value = new URL(location.href).searchParams.get("show") ?? "";
  field.addEventListener("input", show);
  addEventListener("hashchange", reveal);
  if (field.value) show();
})();
