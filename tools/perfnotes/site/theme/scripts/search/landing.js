// Whether a result opens at one section of its page or at the top; the twin of
// tools/perfnotes/search/landing.py.
import { BLOCKS, LANDING, STOP } from "./constants.js";
import { isCjk, tokens } from "./tokens.js";

/** @import { Asked } from "./types.d.ts" */

const SAID_NOTHING = new Set(STOP.split(" "));

/**
 * Returns the share of a page's evidence that is in the section of block `at`.
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
 * Whether a section with `share` of the evidence is where a result opens.
 * @param {string} heading
 * @param {number} share
 * @param {string[]} terms those found for the query
 * @param {Asked} asked
 */
export function opensAtSection(heading, share, terms, { slots, hasCode }) {
  // Hardly any heading names a call or an option, so with code in the query the share decides.
  if (share >= (slots === 1 ? LANDING.only : hasCode ? LANDING.code : LANDING.alone)) return true;
  return share >= LANDING.share && asksFor(heading, new Set(terms)) >= LANDING.heading;
}

/**
 * Returns the share of the heading's words that were asked for.
 * @param {string} heading
 * @param {Set<string>} terms
 */
function asksFor(heading, terms) {
  const words = tokens(heading).flatMap(({ text, terms: own }) =>
    (isCjk(text) ? own : own.slice(0, 1)).map(([term]) => term)).filter((word) => !SAID_NOTHING.has(word));
  return words.length ? words.filter((word) => terms.has(word)).length / words.length : 0;
}
