// Whether the results probably answer a query, and which pages are worth listing; it does as
// tools/perfnotes/search/confidence.py.
import { CONFIDENCE, FLOOR, NAMED, WEIGHTS } from "./constants.js";

/** @import { QueryWeights, Row, Scores } from "./types.d.ts" */

const FULL = 3e7 / 3000; // divides a slot's weight to give the score of a page that matches it fully
const DIGITS = /^[0-9][0-9.]*[a-z%]{0,3}$/; // perhaps with a unit

/**
 * Weighs the slots. A word that no page has weighs as much as one that a single page has. `subjects` are the
 * documents of subjects without a note: a word that only they have counts as unknown, and a word that says more
 * about such a subject than about any page as foreign.
 * @param {Row[]} rows
 * @param {(df: number) => number} idf
 * @param {Set<number>} subjects
 * @param {Scores} [scores] the scores of all pages
 * @returns {QueryWeights}
 */
export function queryWeights(rows, idf, subjects, scores = new Map()) {
  /** @type {QueryWeights} */
  const found = { total: 0, unknown: 0, slots: 0, rival: 0, hasCode: false, foreign: 0, matches: [] };
  for (const { slot, hits } of rows) {
    if (slot.kind === "both") continue;
    const weight = idf(hits.df) * /** @type {Record<string, number>} */ (WEIGHTS)[slot.kind];
    found.total += weight;
    let theirs = 0, ours = 0;
    for (const [page, [value]] of hits.pages) {
      if (subjects.has(page)) theirs = Math.max(theirs, value);
      else ours = Math.max(ours, value);
    }
    found.unknown += ours ? 0 : weight;
    found.foreign += theirs > ours ? weight : 0;
    if (!DIGITS.test(slot.term)) found.matches.push([weight, hits.pages]);
    found.slots++;
    found.hasCode ||= slot.kind === "code" || !!slot.isOption;
  }
  for (const page of subjects) found.rival = Math.max(found.rival, scores.get(page)?.value || 0);
  return found;
}

/**
 * Whether a first result with the score `best` probably does not answer. `pages` are its page with the page's
 * twin and symptoms.
 * @param {QueryWeights} weights
 * @param {number} best
 * @param {Set<number>} pages
 * @param {number} corrections
 * @param {boolean} isNote
 */
export function isDoubtful({ total, unknown, foreign, rival, matches }, best, pages, corrections, isNote) {
  if (best >= NAMED || !total) return false;
  const full = total / FULL, parts = [...pages];
  let absent = 0, rarest = 0;
  for (const [weight, theirs] of matches) {
    if (parts.some((page) => theirs.has(page))) continue;
    absent += weight;
    rarest = Math.max(rarest, weight);
  }
  const sure = CONFIDENCE.base + CONFIDENCE.unknown * unknown / total +
    CONFIDENCE.score * Math.min(CONFIDENCE.most, best / full) +
    CONFIDENCE.absent * absent / total + CONFIDENCE.rarest * rarest / total +
    CONFIDENCE.foreign * foreign / total +
    CONFIDENCE.rival * Math.min(CONFIDENCE.most, rival / full) +
    CONFIDENCE.corrected * Math.min(3, corrections) + (isNote ? CONFIDENCE.note : 0);
  return sure < 0;
}

/**
 * Returns the least score with which a page is listed. `scores` are those before any filter.
 * @param {Scores} scores
 */
export function leastScore(scores) {
  let most = 0;
  for (const { value } of scores.values()) most = Math.max(most, value % NAMED);
  return FLOOR * most;
}

/**
 * Returns the pages whose score is at least `least`, or all pages if none has such a score.
 * @param {number[]} order
 * @param {Map<number, number>} best the score of each page
 * @param {number} least
 */
export function worthListing(order, best, least) {
  const found = order.filter((page) => (best.get(page) || 0) >= least);
  return found.length ? found : order;
}
