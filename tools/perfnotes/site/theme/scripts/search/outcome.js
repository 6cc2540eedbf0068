// Decides from an answer which results are listed and what a screen reader says.

import { parse } from "./parse.js";

/**
 * Returns the answer with the results to list, at most `most`. As long as only first results have come, those
 * of the query before are listed below them.
 * @param {import("./types.d.ts").Answer} answer
 * @param {import("./types.d.ts").Answer | null} before
 * @param {number} most
 * @returns {import("./types.d.ts").Answer}
 */
export function listed(answer, before, most) {
  const older = answer.partial && before ? before.results : [];
  const ids = new Set(answer.results.map((found) => found.id));
  const results = [...answer.results, ...older.filter((found) => !ids.has(found.id))].slice(0, most);
  return { ...answer, results };
}

/**
 * Whether the search failed: not even the root of the index has loaded.
 * @param {import("./types.d.ts").Answer} answer
 */
export const hasFailed = (answer) => answer.missing.includes("root");

const OUTSIDE = "#wanted--outside"; // the list of subjects that the notes leave out on purpose

/**
 * Whether the query is about a subject that the notes leave out on purpose.
 * @param {import("./types.d.ts").Answer} answer
 */
export const isOutside = (answer) => answer.results.slice(0, 5)
  .some(({ url, sectionUrl }) => url.endsWith(OUTSIDE) || sectionUrl?.endsWith(OUTSIDE));

/**
 * Returns the message that no note answers.
 * @param {import("./types.d.ts").Answer} answer
 * @param {import("./types.d.ts").Words} words
 */
export const withoutNote = (answer, words) => isOutside(answer) ? words.outside : words.noNote;

/**
 * Returns the message that no page was found.
 * @param {import("./types.d.ts").Answer} answer
 * @param {import("./types.d.ts").Words} words
 */
export const withoutPages = (answer, words) =>
  parse(answer.query).excluded.length ? words.noneLeft : words.none;

/**
 * @param {import("./types.d.ts").Answer} answer
 * @param {import("./types.d.ts").Words} words
 * @param {boolean} online
 */
export function spoken(answer, words, online) {
  const { total, missing } = answer;
  if (hasFailed(answer)) return answer.isOtherFormat ? words.changed : words.failed(online);
  const counted = total ? words.count(total) : missing.length ? words.noneThere : withoutPages(answer, words);
  const found = answer.isWeak && total ? `${withoutNote(answer, words)} ${counted}` : counted;
  return missing.length ? `${found}. ${words.missing(online)}` : found;
}
