// The contents of the card: a copy of the beginning of a section, or of the note's answer and the row of its
// table that answers the query. The copy looks as on the page, but has no links, ids or controls.
import { bestRow } from "./table-rows.js";

// These are the values of tools/perfnotes/search/screen.py: the card shows CARD words of a section. In the room
// of WORDS words, CHARACTERS Chinese characters fit.
const CARD = 75;
const WORDS = 130;
const CHARACTERS = 250;
const LINE = 12; // a row of a table or a line of a program counts as so many words at most
const UNIT = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\s\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+/g;
const CHINESE = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/;
const HEADING = /^H([1-6])$/;
const LEFT_OUT = "aside, button, details, form, iframe, input, object, script, style, svg, video, " +
  ".filename, .pn-anchor, .pn-code-bar, .pn-hint, .pn-locator, .pn-margin, .pn-calc, .pn-explore, .pn-recorded, [hidden]";
const KEPT = new Set(["class", "dir", "lang", "display", "colspan", "rowspan"]);

/**
 * Returns the room that a word or a Chinese character takes, in a unit in which WORDS words take as much as
 * CHARACTERS characters.
 * @param {string} unit
 */
const sizeOf = (unit) => (CHINESE.test(unit) ? WORDS : CHARACTERS);

/** Returns the room that a text takes. @param {string} text */
const size = (text) => (text.match(UNIT) ?? []).reduce((sum, unit) => sum + sizeOf(unit), 0);

/**
 * Returns a copy without controls and links; the words of links stay, and links that match `kept`.
 * @param {Element} element
 * @param {string} [kept]
 */
function copyOf(element, kept = "none") {
  const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
  for (const each of copy.querySelectorAll(LEFT_OUT)) each.remove();
  for (const image of copy.querySelectorAll("img")) image.replaceWith(image.alt); // what it shows, in words
  for (const link of copy.querySelectorAll(`a:not(${kept})`)) link.replaceWith(...link.childNodes);
  for (const each of [copy, ...copy.querySelectorAll("*")]) {
    for (const { name } of [...each.attributes]) {
      if (!KEPT.has(name) && !(name === "href" && each.matches(kept))) each.removeAttribute(name);
    }
  }
  copy.normalize();
  return copy;
}

/**
 * Returns how many characters of a block fit into the room, and the room that is left after it. Lines of
 * programs and rows of tables are never cut.
 * @param {Element} block
 * @param {number} room
 * @returns {[end: number, room: number]}
 */
function fitting(block, room) {
  const text = block.textContent ?? "", rows = [...block.querySelectorAll("tr")];
  const lines = rows.length ? rows.map((row) => row.textContent ?? "")
    : block.querySelector("pre") ? text.match(/[^\n]*\n?/g) ?? [] : null;
  let end = 0;
  for (const line of lines ?? []) {
    if (room <= 0) return [end, room];
    if (line.trim()) room -= Math.min(size(line), LINE * CHARACTERS);
    end = text.indexOf(line, end) + line.length;
  }
  if (lines) return [text.length, room];
  for (const { 0: unit, index } of text.matchAll(UNIT)) {
    room -= sizeOf(unit);
    if (room <= 0) return [index + unit.length, room];
  }
  return [text.length, room];
}

/**
 * Cuts a block after so many characters.
 * @param {Element} block
 * @param {number} end
 */
function cut(block, end) {
  const whole = block.textContent ?? "";
  if (!whole.slice(end).trim()) return;
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  let at = 0;
  for (const text of texts) {
    const { length } = text.data, left = end - at;
    at += length;
    if (left <= 0) text.remove();
    else if (left <= length) text.data = text.data.slice(0, left) + (block.querySelector("pre, tr") ? "" : " …");
  }
  for (const each of [...block.querySelectorAll("*")].reverse()) if (!each.textContent) each.remove();
}

/**
 * Returns copies of the first elements of a section.
 * @param {HTMLElement} heading
 */
export function ofSection(heading) {
  const level = Number(HEADING.exec(heading.tagName)?.[1]);
  const found = [];
  let room = CARD * CHARACTERS;
  for (let next = heading.nextElementSibling; next && room > 0; next = next.nextElementSibling) {
    const below = Number(HEADING.exec(next.tagName)?.[1] ?? 7);
    if (below <= level) break;
    if (next.matches(LEFT_OUT)) continue;
    const copy = copyOf(next);
    if (!copy.textContent?.trim()) continue;
    const [end, left] = fitting(copy, room);
    room = left;
    cut(copy, end);
    if (below < 7) { // a heading becomes a bold paragraph, so that the page's outline does not change
      const line = document.createElement("p");
      const name = document.createElement("b");
      name.textContent = copy.textContent;
      line.append(name);
      found.push(line);
    } else found.push(copy);
  }
  return found;
}

/**
 * Returns the note's answer, its first paragraph, and the row of the table of questions that answers.
 * @param {HTMLElement} article
 * @param {string} query
 */
export function ofTop(article, query) {
  const answer = article.querySelector(":scope > p:not([class])");
  if (!answer) return [];
  const found = [copyOf(answer)];
  const table = article.querySelector(":scope > table, :scope > .pn-wide > table, :scope > .md-typeset__scrollwrap table");
  const heading = article.querySelector(":scope > h2");
  const isAbove = table && !(heading && heading.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING);
  const rows = isAbove ? [.../** @type {HTMLTableElement} */ (table).tBodies[0].rows] : [];
  const row = rows[bestRow(query, rows.map((each) => [...each.cells].map((cell) => cell.textContent).join(" · ")))];
  if (row) {
    const [question, ...answers] = [...row.cells].map((cell) => copyOf(cell, "a[href^='#']"));
    const line = document.createElement("p"), asked = document.createElement("b");
    asked.append(...question.childNodes);
    line.append(asked, ...answers.flatMap((cell) => [" ", ...cell.childNodes]));
    found.push(line);
  }
  return found;
}
