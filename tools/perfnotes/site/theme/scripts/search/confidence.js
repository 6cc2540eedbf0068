// Whether the results probably answer a query, and which pages are worth listing; the twin of
// tools/perfnotes/search/confidence.py.
import { CONFIDENCE, FLOOR, NAMED, WEIGHTS } from "./constants.js";

/** @import { Asked, Row } from "./types.d.ts" */

const FULL = 3e7 / 3000; // divides a slot's weight to give the score of a page that matches it fully

/**
 * Weighs the slots. A word that no page has weighs as much as one that a single page has.
 * @param {Row[]} rows
 * @param {(df: number) => number} idf
 * @returns {Asked}
 */
export function asked(rows, idf) {
  const found = { total: 0, unknown: 0, slots: 0 };
  for (const { slot, hits } of rows) {
    if (slot.kind === "both") continue;
    const weight = idf(hits.df) * /** @type {Record<string, number>} */ (WEIGHTS)[slot.kind];
    found.total += weight;
    found.unknown += hits.pages.size ? 0 : weight;
    found.slots++;
  }
  return found;
}

/**
 * Whether a first result with the score `best` probably does not answer.
 * @param {Asked} query
 * @param {number} best
 * @param {number} corrections
 * @param {boolean} isNote
 */
export function isDoubtful({ total, unknown }, best, corrections, isNote) {
  if (best >= NAMED || !total) return false;
  const sure = CONFIDENCE.base + CONFIDENCE.unknown * unknown / total +
    CONFIDENCE.score * Math.min(CONFIDENCE.most, best * FULL / total) +
    CONFIDENCE.corrected * Math.min(3, corrections) + (isNote ? CONFIDENCE.note : 0);
  return sure < 0;
}

/**
 * Leaves out the pages that say next to nothing of the query.
 * @param {number[]} order
 * @param {Map<number, number>} best the score of each page
 */
export function worthListing(order, best) {
  /** @param {number} page */
  const score = (page) => best.get(page) || 0;
  const least = FLOOR * order.reduce((most, page) => Math.max(most, score(page) % NAMED), 0);
  return order.filter((page) => score(page) >= least);
}
