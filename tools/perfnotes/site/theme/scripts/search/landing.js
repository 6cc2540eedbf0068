// Whether a result opens at one section of its page or at the top; it does as
// tools/perfnotes/search/landing.py.
import { STOP_WORDS } from "./analysis.js";
import { BLOCKS, LANDING } from "./constants.js";
import { isCjk, tokens } from "./tokens.js";

/** @import { QueryWeights } from "./types.d.ts" */

/**
 * Returns the share of a page's evidence that is in the section of block `at`, 0 to 1.
 * @param {Map<number, number>} blocks what each block contributes
 * @param {string[]} anchors of the blocks that are in one file with block `at`
 * @param {number} at
 */
export function sectionShare(blocks, anchors, at) {
  const first = at - at % BLOCKS;
  let here = 0, total = 0;
  for (const [block, said] of blocks) {
    total += said;
    const i = block - first;
    if (i >= 0 && i < anchors.length && anchors[i] === anchors[at - first]) here += said;
  }
  return total ? here / total : 0;
}

/**
 * Returns the first block of the section that has most of a page's evidence; -1 if none has any. Only the
 * sections that are in one file with block `at` count, so that no other file is fetched.
 * @param {Map<number, number>} blocks
 * @param {string[]} anchors
 * @param {number} at
 */
export function fullestSection(blocks, anchors, at) {
  const first = at - at % BLOCKS;
  /** @type {Map<string, number>} */
  const said = new Map();
  anchors.forEach((anchor, i) => {
    const value = blocks.get(first + i);
    if (anchor && value) said.set(anchor, (said.get(anchor) || 0) + value);
  });
  const most = Math.max(...said.values());
  const best = [...said].find(([, value]) => value === most);
  return best ? first + anchors.indexOf(best[0]) : -1;
}

/**
 * Whether a result opens at a section with this heading and share of the evidence.
 * @param {string} heading
 * @param {number} share
 * @param {string[]} terms the terms that were found for the query
 * @param {QueryWeights} weights
 */
export function opensAtSection(heading, share, terms, { slots, hasCode }) {
  // Hardly any heading names a call or an option, so a smaller share suffices if the query has code.
  if (share >= (slots === 1 ? LANDING.only : hasCode ? LANDING.code : LANDING.alone)) return true;
  return share >= LANDING.share && askedShare(heading, new Set(terms)) >= LANDING.heading;
}

/**
 * Returns the share of the heading's words that are among the terms, 0 to 1.
 * @param {string} heading
 * @param {Set<string>} terms
 */
function askedShare(heading, terms) {
  const words = tokens(heading).flatMap(({ text, terms: own }) =>
    (isCjk(text) ? own : own.slice(0, 1)).map(([term]) => term)).filter((word) => !STOP_WORDS.has(word));
  return words.length ? words.filter((word) => terms.has(word)).length / words.length : 0;
}
