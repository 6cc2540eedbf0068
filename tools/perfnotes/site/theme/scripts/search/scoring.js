// Scores pages by the hits of the slots; the twin of tools/perfnotes/search/scoring.py.
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

/**
 * @param {Row[]} all
 * @param {(df: number) => number} idf
 * @returns {Scores}
 */
export function score(all, idf) {
  const rows = all.filter((row) => row.hits.pages.size);
  /** @type {Scores} */
  const scores = new Map();
  const slots = rows.filter(({ slot }) => slot.kind !== "both").length;
  const least = Math.min(MOST_COVERED, LEAST_COVERED + MORE_COVERED * Math.max(0, slots - FEW_SLOTS));
  const isChinese = rows.some(({ slot }) => slot.kind === "pair" || slot.kind === "loose" || slot.kind === "char");
  const more = isChinese ? 0 : TOGETHER; // the pairs of one Chinese word overlap, so they always stand together
  let total = 0;
  for (const { slot, hits } of rows) {
    const weight = idf(hits.df) * /** @type {Record<string, number>} */ (WEIGHTS)[slot.kind];
    const covers = slot.kind === "both" ? 0 : weight;
    total += covers;
    for (const [page, [value, block]] of hits.pages) {
      let mine = scores.get(page);
      if (!mine) scores.set(page, (mine = { value: 0, covered: 0, blocks: new Map() }));
      const said = weight * value;
      mine.value += said;
      mine.covered = (mine.covered || 0) + covers;
      mine.blocks.set(block, (mine.blocks.get(block) || 0) + said);
    }
  }
  for (const mine of scores.values()) {
    const share = total ? (mine.covered || 0) / total : 1;
    const together = Math.max(...mine.blocks.values());
    mine.value = ((mine.value + more * together) / (1 + more) / 3e7) * (least + (1 - least) * share * share);
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
