// Copies of parts of the page for the card. They look as on the page, but have no links, ids or controls.

const TABLE = "a[href^='#']"; // in a row of a table, links to sections of the page stay
const KEPT = new Set(["class", "dir", "lang", "display", "colspan", "rowspan"]);
export const LEFT_OUT = "aside, button, details, form, iframe, input, object, script, style, svg, video, " +
  ".filename, .pn-anchor, .pn-code-bar, .pn-hint, .pn-locator, .pn-margin, .pn-calc, .pn-explore, .pn-recorded, [hidden]";

/**
 * Returns a copy without controls and links; the words of links stay.
 * @param {Element} element
 */
export function copyOf(element) {
  const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
  const kept = element.matches("tr") ? TABLE : "none";
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
 * Cuts off what stands before and behind some characters of a block.
 * @param {Element} block
 * @param {number} start
 * @param {number} end
 */
function cut(block, start, end) {
  const whole = block.textContent ?? "", isProgram = block.matches("pre");
  const before = whole.slice(0, start).trim() ? "… " : "", behind = whole.slice(end).trim() ? " …" : "";
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  let at = 0;
  for (const text of texts) {
    const from = Math.max(start - at, 0), to = Math.min(end - at, text.length);
    at += text.length;
    if (from >= to) text.remove();
    else text.data = text.data.slice(from, to);
  }
  for (const each of [...block.querySelectorAll("*")].reverse()) if (!each.textContent) each.remove();
  if (isProgram) return;
  block.prepend(before);
  block.append(behind);
}

/**
 * Returns the elements of passages for the card. Those that follow each other in one block become one element. Rows
 * become paragraphs, because the card is narrow. If their table has more than two columns, its head stands above them.
 * @param {import("./passages.js").Passage[]} passages
 */
export function elementsOf(passages) {
  /** @type {import("./passages.js").Passage[]} */
  const whole = [];
  for (const passage of passages) {
    const last = whole.at(-1);
    if (last?.copy === passage.copy) whole[whole.length - 1] = { ...last, end: passage.end };
    else whole.push(passage);
  }
  return whole.flatMap((passage, i) => {
    const { table, head } = passage, isFirst = head && table !== whole[i - 1]?.table;
    return isFirst ? [headOf(head), elementOf(passage)] : elementOf(passage);
  });
}

/**
 * Returns a paragraph with the heads of the columns of a table.
 * @param {HTMLElement} head a copy of its first row
 */
function headOf(head) {
  const paragraph = document.createElement("p");
  paragraph.className = "pn-passages-head";
  paragraph.textContent = textsOf(head).join(" · ");
  return paragraph;
}

/**
 * Returns the words of the cells of a row, without those that are empty.
 * @param {HTMLElement} row
 */
export const textsOf = (row) => [...row.children].map((cell) => (cell.textContent ?? "").trim()).filter(Boolean);

/**
 * Returns the contents of a row of a table. The first cell is bold.
 * @param {Element[]} cells
 */
function contentsOf(cells) {
  const between = cells.length > 2 ? " · " : " ";
  return cells.filter((cell) => cell.textContent?.trim()).flatMap((cell, i) => {
    const value = document.createElement(i ? "span" : "b");
    value.append(...cell.childNodes);
    return i ? [between, value] : [value];
  });
}

/**
 * Returns the element of a passage.
 * @param {import("./passages.js").Passage} passage
 */
function elementOf({ copy, start, end }) {
  const block = /** @type {HTMLElement} */ (copy.cloneNode(true));
  if (block.matches("pre")) {
    cut(block, start, end);
    const frame = document.createElement("div");
    frame.className = "highlight";
    frame.append(block);
    return frame;
  }
  if (block.matches(".pn-math")) return block;
  const paragraph = document.createElement("p");
  if (block.matches("tr")) {
    paragraph.append(...contentsOf([...block.children]));
  } else {
    cut(block, start, end);
    paragraph.append(...block.childNodes);
  }
  return paragraph;
}
