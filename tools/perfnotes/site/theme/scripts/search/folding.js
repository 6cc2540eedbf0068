// Adds the scores of symptoms to those of their notes; the same as Ranked.fold in
// tools/perfnotes/search/scoring.py.
import { NAMED, SYMPTOM, SYMPTOM_SHOWN } from "./constants.js";

/** @import { Scores } from "./types.d.ts" */

/**
 * Adds the score of each note's best symptom to that of the note, and leaves the symptoms out. If both the note
 * and its twin were found, both get it, so that a filter for one language keeps it.
 * @param {Scores} scores
 * @param {Map<number, number>} notes the note of each symptom
 * @param {Set<number>} twins
 * @returns {Scores}
 */
export function folded(scores, notes, twins) {
  /** @type {Map<number, [value: number, symptom: number]>} */
  const best = new Map();
  /** @type {Scores} */
  const found = new Map();
  for (const [page, scored] of scores) {
    const note = notes.get(page), symptom = twins.has(page) ? page - 1 : page;
    if (note === undefined) {
      found.set(page, scored);
      continue;
    }
    const [value, first] = best.get(note) || [0, 0];
    if (scored.value > value || (scored.value === value && symptom < first)) best.set(note, [scored.value, symptom]);
  }
  for (const [note, [value, symptom]] of best) {
    const both = [note, note + 1].filter((page) => found.has(page) && (page === note || twins.has(page)));
    for (const page of both.length ? both : [note]) {
      const mine = found.get(page) || { value: 0, blocks: new Map() };
      const answers = mine.value < NAMED && value > SYMPTOM_SHOWN * mine.value;
      found.set(page, { ...mine, value: mine.value + SYMPTOM * value, symptom: answers ? symptom : undefined });
    }
  }
  return found;
}

/**
 * Returns the symptom of a page that answers, in the page's language.
 * @param {number} page
 * @param {Scores} scores
 * @param {Set<number>} twins
 * @returns {number | undefined}
 */
export function symptomOf(page, scores, twins) {
  const others = [page, twins.has(page) ? page - 1 : page + 1];
  for (const other of others) {
    const symptom = scores.get(other)?.symptom;
    if (symptom === undefined || (other > page && !twins.has(other))) continue;
    return twins.has(page) && twins.has(symptom + 1) ? symptom + 1 : symptom;
  }
  return undefined;
}

/**
 * Returns a page with its twin and with the symptoms of both; it does as ShardStore.with_parts in
 * tools/perfnotes/search/store.py.
 * @param {number} page
 * @param {Map<number, number>} notes the note of each symptom
 * @param {Set<number>} twins
 */
export function withParts(page, notes, twins) {
  const original = twins.has(page) ? page - 1 : page, found = new Set([original, page]);
  if (twins.has(original + 1)) found.add(original + 1);
  for (const [symptom, note] of notes) if (note === original) found.add(symptom);
  return found;
}
