// Scores pages by the hits of the slots; the same as tools/perfnotes/search/scoring.py.
// A row is a slot with its hits: { slot, hits: { df, pages: page → [value, block], terms } }.
import { FEW_SLOTS, LEAST_COVERED, MORE_COVERED, MOST_COVERED, RARER, TOGETHER, WEIGHTS } from "./constants.js";

/** @import { Row, Scored, Scores, Slot } from "./types.d.ts" */

/**
 * Makes a pair of characters `loose` if it is much rarer than both pairs next to it: such a pair is the end of
 * one Chinese word and the beginning of the next, so it counts less.
 * @param {Row[]} rows
 * @returns {Row[]}
 */
export function loosened(rows) {
  /** @param {Slot} slot */
  const isPair = ({ kind }) => kind === "pair" || kind === "loose";
  /** @param {Slot} slot */
  const next = ({ at, term }) => at + Array.from(term)[0].length;
  const pairs = rows.filter((row) => isPair(row.slot));
  const starts = new Map(pairs.map((row) => [row.slot.at, row.hits.df]));
  const ends = new Map(pairs.map((row) => [next(row.slot), row.hits.df]));
  return rows.map(({ slot, hits }) => {
    if (slot.kind !== "pair") return { slot, hits };
    const around = Math.min(ends.get(slot.at) || 0, starts.get(next(slot)) || 0);
    return { slot: hits.df * RARER <= around ? { ...slot, kind: "loose" } : slot, hits };
  });
}

/** @param {Slot} slot */
const isChinese = ({ kind }) => kind === "pair" || kind === "loose" || kind === "char";

/**
 * Returns the rows without those of a word that stands earlier in the query: whoever writes "40 ms ... 220 ms"
 * does not ask twice for "ms". Pairs of Chinese characters are all kept, because what is repeated there is
 * mostly the subject.
 * @param {Row[]} rows
 * @returns {Row[]}
 */
export function saidOnce(rows) {
  /** @type {Set<string>} */
  const seen = new Set();
  return rows.filter(({ slot }) => {
    const isNew = isChinese(slot) || !seen.has(slot.term);
    seen.add(slot.term);
    return isNew;
  });
}

/**
 * Scores all pages that match any slot. A page and its twin, which is in `twins`, are one page in two languages:
 * both get the same score, for which the words of either count. Each keeps its own blocks.
 * @param {Row[]} all
 * @param {(df: number) => number} idf
 * @param {Set<number>} [twins]
 * @returns {Scores}
 */
export function score(all, idf, twins = new Set()) {
  const rows = all.filter((row) => row.hits.pages.size);
  /** @type {Scores} */
  const scores = new Map();
  const slots = rows.filter(({ slot }) => slot.kind !== "both").length;
  const least = Math.min(MOST_COVERED, LEAST_COVERED + MORE_COVERED * Math.max(0, slots - FEW_SLOTS));
  // The pairs of one Chinese word overlap, so they always stand together.
  const more = rows.some(({ slot }) => isChinese(slot)) ? 0 : TOGETHER;
  /** @param {number} page */
  const originalOf = (page) => twins.has(page) ? page - 1 : page;
  /** @type {Map<number, { said: number, covered: number, together: number }>} */
  const both = new Map(); // what an original and its twin say together
  let total = 0;
  for (const { slot, hits } of rows) {
    const weight = idf(hits.df) * /** @type {Record<string, number>} */ (WEIGHTS)[slot.kind];
    const covers = slot.kind === "both" ? 0 : weight;
    total += covers;
    for (const [page, [value, block]] of hits.pages) {
      let mine = scores.get(page);
      if (!mine) scores.set(page, (mine = { value: 0, blocks: new Map() }));
      mine.blocks.set(block, (mine.blocks.get(block) || 0) + weight * value);
      const original = originalOf(page);
      if (original !== page && hits.pages.has(original)) continue; // counted with the original
      let whole = both.get(original);
      if (!whole) both.set(original, (whole = { said: 0, covered: 0, together: 0 }));
      const other = original === page && twins.has(page + 1) ? hits.pages.get(page + 1) : undefined;
      whole.said += weight * Math.max(value, other ? other[0] : 0);
      whole.covered += covers;
    }
  }
  for (const [page, { blocks }] of scores) {
    const whole = both.get(originalOf(page));
    if (whole) whole.together = Math.max(whole.together, ...blocks.values());
  }
  for (const [page, mine] of scores) {
    const whole = both.get(originalOf(page));
    if (!whole) continue;
    const share = total ? whole.covered / total : 1;
    mine.value = ((whole.said + more * whole.together) / (1 + more) / 3e7) * (least + (1 - least) * share * share);
  }
  return scores;
}

/**
 * Replaces each score that is lower than the page's score in `other` times `weight`. Returns whether `other`
 * has any page.
 * @param {Scores} scores
 * @param {Scores} other
 * @param {number} weight
 */
export function takeBetter(scores, other, weight) {
  for (const [page, scored] of other) {
    const value = scored.value * weight, mine = scores.get(page);
    if (!mine || value > mine.value) scores.set(page, { value, blocks: scored.blocks });
  }
  return other.size > 0;
}

/** Returns the block that contributes most to a score, the first of equal ones. @param {Scored | undefined} scored */
export function bestBlock(scored) {
  let best = 0, most = -1;
  for (const [block, said] of scored ? scored.blocks : []) {
    if (said > most || (said === most && block < best)) [best, most] = [block, said];
  }
  return best;
}
