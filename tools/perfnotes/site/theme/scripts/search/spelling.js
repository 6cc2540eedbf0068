// Finds the words that are nearest to a mistyped word; the same as tools/perfnotes/search/spelling.py.
import { MOST_CORRECTIONS } from "./constants.js";

/** Returns the greatest distance of a correction from a word. @param {string} word */
export const mostSlips = (word) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

/**
 * Returns how many letters were changed, left out, added or swapped with their neighbour; `most + 1` if these are
 * more than `most`. With `prefix`, this is the least distance to any beginning of the word.
 * @param {string} typed
 * @param {string} word
 * @param {number} most
 * @param {boolean} prefix
 */
export function distance(typed, word, most, prefix) {
  if (!prefix && Math.abs(typed.length - word.length) > most) return most + 1;
  word = word.slice(0, typed.length + most);
  /** @type {number[]} */
  let before = [];
  let last = Array.from({ length: word.length + 1 }, (_, i) => i);
  for (let i = 1; i <= typed.length; i++) {
    const row = [i];
    for (let j = 1; j <= word.length; j++) {
      const same = typed[i - 1] === word[j - 1];
      let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1]) {
        cost = Math.min(cost, before[j - 2] + 1);
      }
      row.push(cost);
    }
    if (Math.min(...row) > most) return most + 1;
    before = last;
    last = row;
  }
  return prefix ? Math.min(...last) : last[word.length];
}

/**
 * Returns the nearest words with their distances, at most MOST_CORRECTIONS.
 * @param {string} typed
 * @param {Iterable<[word: string, common: number]>} words
 * @param {boolean} prefix
 * @param {number} most
 * @returns {[word: string, slips: number][]}
 */
export function nearest(typed, words, prefix, most) {
  /** @type {[rank: number, common: number, word: string, slips: number][]} */
  const found = [];
  for (const [word, common] of words) {
    let slips = distance(typed, word, most, false), rank = slips;
    if (prefix && slips > 1 && word.length > typed.length) {
      const begun = distance(typed, word, most, true);
      if (begun <= (typed.length < 9 ? 1 : most) && begun + 0.5 < rank) [slips, rank] = [begun, begun + 0.5];
    }
    if (slips <= most) found.push([rank, -common, word, slips]);
  }
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0));
  return found.slice(0, MOST_CORRECTIONS).filter((f) => f[0] <= found[0][0] + 0.5).map((f) => [f[2], f[3]]);
}
