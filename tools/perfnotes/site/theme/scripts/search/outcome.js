// What an answer comes to: which results are listed, and what a screen reader says.

import { parse } from "./parse.js";

/**
 * The answer with the results to list, at most `most`. A first result stands above those of the query
 * before, until all others come.
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
 * Whether not even the root of the index came.
 * @param {import("./types.d.ts").Answer} answer
 */
export const hasFailed = (answer) => answer.missing.includes("root");

const OUTSIDE = "#wanted--outside"; // the list of what nobody needs to write about

/**
 * Whether the question is about what the notes leave out on purpose.
 * @param {import("./types.d.ts").Answer} answer
 */
export const isOutside = (answer) => answer.results.slice(0, 5)
  .some(({ url, sectionUrl }) => url.endsWith(OUTSIDE) || sectionUrl?.endsWith(OUTSIDE));

/**
 * What is said where no note answers.
 * @param {import("./types.d.ts").Answer} answer
 * @param {import("./types.d.ts").Words} words
 */
export const withoutNote = (answer, words) => isOutside(answer) ? words.outside : words.noNote;

/**
 * What is said where no page is found.
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
  if (hasFailed(answer)) return answer.isOther ? words.changed : words.failed(online);
  const counted = total ? words.count(total) : missing.length ? words.noneThere : withoutPages(answer, words);
  const found = answer.isWeak && total ? `${withoutNote(answer, words)} ${counted}` : counted;
  return missing.length ? `${found}. ${words.missing(online)}` : found;
}
