// Decodes the numbers and sorted words in the index's files; the same as tools/perfnotes/search/codec.py, which
// describes the encoding.
import { ALPHABET } from "./constants.js";

// ONE characters are numbers themselves, TWO begin a number of two characters, the last one begins one of four.
const ONE = 60, TWO = 29, BASE = 90;
const SMALL = ONE + TWO * BASE; // how many numbers have one or two characters
const LEVELS = 30; // of an impact; added to it if the number of the block follows

/** @type {Map<string, number>} */
const VALUES = new Map(Array.from(ALPHABET, (c, i) => [c, i]));
/** @param {string} char */
const valueOf = (char) => /** @type {number} */ (VALUES.get(char));

/**
 * @param {string} text
 * @param {number} at
 * @returns {[value: number, next: number]}
 */
function read(text, at) {
  const first = valueOf(text[at]);
  if (first < ONE) return [first, at + 1];
  if (first < ONE + TWO) return [ONE + (first - ONE) * BASE + valueOf(text[at + 1]), at + 2];
  const [a, b, c] = [1, 2, 3].map((i) => valueOf(text[at + i]));
  return [SMALL + (a * BASE + b) * BASE + c, at + 4];
}

/** @param {string} text */
export function numbers(text) {
  /** @type {number[]} */
  const found = [];
  for (let at = 0; at < text.length;) {
    const [value, next] = read(text, at);
    found.push(value);
    at = next;
  }
  return found;
}

/**
 * @param {string} text
 * @returns {number[]} page, impact, block, page, impact, block, …
 */
export function decode(text) {
  const found = [];
  for (let at = 0, page = -1; at < text.length;) {
    let gap = 0, block = 0;
    [gap, at] = read(text, at);
    page += gap + 1;
    let impact = valueOf(text[at++]);
    if (impact >= LEVELS) {
      impact -= LEVELS;
      [block, at] = read(text, at);
    }
    found.push(page, impact, block);
  }
  return found;
}

/**
 * @param {string} text
 * @returns {string[]}
 */
export function unpack(text) {
  let before = "";
  return text ? text.split(" ").map((part) =>
    (before = before.slice(0, valueOf(part[0])) + part.slice(1))) : [];
}

/**
 * @template {string | number} T
 * @param {T[]} list
 * @param {T} value
 * @param {boolean} right
 */
export function bisect(list, value, right) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (right ? value < list[middle] : list[middle] >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * @param {string[]} bounds
 * @param {string} term
 */
export const shardAt = (bounds, term) => Math.max(0, bisect(bounds, term, true) - 1);
/**
 * @template T
 * @param {T[]} list
 * @returns {T[]}
 */
export const unique = (list) => Array.from(new Set(list));
