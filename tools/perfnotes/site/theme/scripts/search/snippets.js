// Cuts the texts that an answer shows, and marks the words that were found.
import { rangeOf } from "./phrases.js";
import { fold, isCjk, termsOf, TOKEN } from "./tokens.js";

/** @import { Part } from "./types.d.ts" */

/** @typedef {[from: number, to: number, term: string]} Mark */

/**
 * Finds the terms of an answer in a text.
 * @param {string} text
 * @param {string[]} terms
 * @returns {Mark[]}
 */
function marksIn(text, terms) {
  const wanted = new Set(terms), wide = terms.filter((t) => t.endsWith("*"));
  const starts = wide.map((t) => t.slice(0, -1));
  /** @param {string} term */
  const isWanted = (term) => wanted.has(term) || starts.some((s) => term.startsWith(s));
  /** @type {Mark[]} */
  const marks = [];
  for (const match of text.matchAll(TOKEN)) {
    let at = match.index;
    if (isCjk(match[0])) {
      const chars = Array.from(match[0]);
      chars.forEach((char, i) => {
        const pair = i + 1 < chars.length ? char + chars[i + 1] : "";
        if (pair && isWanted(pair)) marks.push([at, at + pair.length, pair]);
        else if (wanted.has(char)) marks.push([at, at + char.length, char]);
        at += char.length;
      });
      continue;
    }
    const hit = termsOf(fold(match[0])).find(([term]) => isWanted(term));
    if (hit) marks.push([at, at + match[0].length, hit[0]]);
  }
  return marks;
}

/**
 * Cuts a range of a text into parts where marks begin and end.
 * @param {string} text
 * @param {Mark[]} marks
 * @param {number} start
 * @param {number} end
 * @returns {Part[]}
 */
function parts(text, marks, start, end) {
  /** @type {Part[]} */
  const found = [];
  let at = start;
  /**
   * @param {number} to
   * @param {boolean} mark
   */
  const add = (to, mark) => {
    const last = found[found.length - 1];
    if (to > at && mark && last && last.mark) last.text += text.slice(at, to);
    else if (to > at) found.push({ text: text.slice(at, to), mark });
    at = Math.max(at, to);
  };
  for (const [from, to] of marks) {
    if (to <= at || from >= end) continue;
    add(Math.max(from, at), false);
    add(Math.min(to, end), true);
  }
  add(end, false);
  return found;
}
/**
 * @param {string} text
 * @param {string[]} terms
 */
export const marked = (text, terms) => parts(text, marksIn(text, terms), 0, text.length);

/**
 * Returns the part of a text with one of the phrases, or else that with most of the terms.
 * @param {string} text
 * @param {string[]} terms
 * @param {string[]} [phrases]
 */
export function snippet(text, terms, phrases = []) {
  const range = phrases.map((phrase) => rangeOf(text, phrase)).find(Boolean), marks = marksIn(text, terms);
  if (range) marks.unshift([...range, ""]); // no words before it are marked, so that the result opens at it
  const length = text.charCodeAt(0) > 0x2fff || /[\u4e00-\u9fff]{8}/.test(text) ? 110 : 220;
  let [start, most] = range ? [Math.max(0, range[0] - 30), Infinity] : [0, 0];
  marks.forEach(([from], i) => {
    const inside = new Set();
    for (let k = i; k < marks.length && marks[k][1] <= from + length - 30; k++) inside.add(marks[k][2]);
    if (inside.size > most) [start, most] = [Math.max(0, from - 30), inside.size];
  });
  start = Math.min(start, Math.max(0, text.length - length)); // a text that fits is shown whole
  let end = Math.min(text.length, start + length);
  const before = start && text.lastIndexOf(" ", start);
  if (start - before < 40) start = before && before + 1; // no word is cut in two
  const word = text.lastIndexOf(" ", end);
  if (end < text.length && end - word < 20) end = word;
  const found = parts(text, marks, start, end);
  if (start) found.unshift({ text: "… ", mark: false });
  if (end < text.length) found.push({ text: " …", mark: false });
  return found;
}
