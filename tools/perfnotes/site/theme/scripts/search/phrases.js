// Exact phrases in the blocks of a page; it does as tools/perfnotes/search/phrases.py.
import { analyse } from "./analysis.js";
import { plain, textOf } from "./store.js";

/** @import { Block } from "./types.d.ts" */

/**
 * Returns the phrases that are looked for in texts; the index has the pages of a plain word.
 * @param {string[]} phrases
 */
export const exact = (phrases) => phrases.filter((phrase) => {
  const [slot, ...more] = analyse(phrase).slots;
  return !(slot && !more.length && slot.kind === "word" && slot.term === phrase.toLowerCase());
});

/**
 * Returns the block of a page that has most of the phrases, the first of equal ones. If no block has a phrase, one
 * may begin in a block and end in the next: then both texts are taken. The heading is that of the section. Returns
 * undefined if the phrases are in none, such as those of a title.
 * @param {Block[]} blocks
 * @param {string[]} phrases
 * @returns {Block | undefined}
 */
export function blockWith(blocks, phrases) {
  const wanted = phrases.map(plain);
  /** @type {Block | undefined} */
  let best;
  for (let many = 1, most = 0; many < 3 && !best; many++) {
    blocks.forEach(([anchor], i) => {
      const some = blocks.slice(i, i + many), words = plain(textOf(some));
      const count = wanted.filter((phrase) => words.includes(phrase)).length;
      if (count <= most) return;
      most = count;
      const [, heading] = /** @type {Block} */ (blocks.find(([own]) => own === anchor));
      best = [anchor, heading, some.map(([, , text]) => text).join(" ")];
    });
  }
  return best;
}

/**
 * Returns where a phrase stands in a text that may be written otherwise, such as with capitals; undefined if it is
 * not there.
 * @param {string} text
 * @param {string} phrase
 * @returns {[from: number, to: number] | undefined}
 */
export function rangeOf(text, phrase) {
  const wanted = plain(phrase);
  /** @type {(from: number, to: number) => boolean} */
  const has = (from, to) => plain(text.slice(from, to)).includes(wanted);
  let to = text.length;
  if (!has(0, to)) return undefined;
  for (let low = 0; low < to;) { // the least end with which the text has the phrase
    const middle = (low + to) >> 1;
    if (has(0, middle)) to = middle;
    else low = middle + 1;
  }
  let from = to;
  while (!has(from, to)) from--;
  return [from, to];
}
