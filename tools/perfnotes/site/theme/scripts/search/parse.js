// What a query says, as docs/search.md specifies it; the twin of tools/perfnotes/search/parse.py.
import { LONGEST_QUERY } from "./constants.js";

/** @import { Kind, Query } from "./types.d.ts" */

const OPTION = new RegExp("^(?:--|-[A-Z]|-[A-Za-z]*[0-9]|-[A-Za-z]{1,2}$|-[^-]+[-=]" +
  "|-f(?:no)?(?:lto|pic|PIC|pie|PIE|openmp|inline|wrapv|builtin|plt|exceptions|rtti)$" +
  "|-m(?:no)?(?:avx|sse|fma|bmi|abm|popcnt|tune|arch|cpu|native)$)");

/**
 * @param {string} text
 * @returns {Query}
 */
export function parse(text) {
  const PART = new RegExp("((?<!\\S)-)?[\"“”]([^\"“”]*)[\"“”]" +
    "|(?<!\\S)(tag|topic|lang|level|type)[:：]([^\\s\"“”]+)|(?<!\\S)(-[^\\s\"“”]+)", "g");
  text = Array.from(text).slice(0, LONGEST_QUERY).join("");
  /** @type {Query} */
  const query = { words: "", phrases: [], excluded: [], filters: [] };
  const words = [];
  let at = 0;
  for (const m of text.matchAll(PART)) {
    const phrase = (m[2] || "").trim();
    words.push(text.slice(at, m.index));
    at = m.index + m[0].length;
    if (m[3]) query.filters.push([/** @type {Kind} */ (m[3]), m[4].toLowerCase()]);
    else if (m[5]) {
      const before = words.join("").trim() || query.phrases.length;
      if (before && !OPTION.test(m[5])) query.excluded.push(m[5].slice(1));
      else words.push(` ${m[5]} `);
    } else if (phrase && m[1]) query.excluded.push(phrase);
    else if (phrase) {
      query.phrases.push(phrase);
      words.push(` ${phrase} `);
    }
  }
  words.push(text.slice(at));
  query.words = words.join("").replace(/["“”]/g, " ").trim();
  return query;
}
