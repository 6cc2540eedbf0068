// Parses a query, as docs/search.md specifies it; the same as tools/perfnotes/search/parse.py.
import { BUNDLING, CJK, COMPILERS, LONGEST_QUERY } from "./constants.js";

/** @import { Kind, Query } from "./types.d.ts" */

const OPTION = new RegExp("^(?:--|-[A-Z]|-[A-Za-z]*[0-9]|-[A-Za-z]{1,2}$|-[^-]+[-=]" +
  "|-f(?:no)?(?:lto|pic|PIC|pie|PIE|openmp|inline|wrapv|builtin|plt|exceptions|rtti)$" +
  "|-m(?:no)?(?:avx|sse|fma|bmi|abm|popcnt|tune|arch|cpu|native)$" +
  "|-l(?:pthread|dl|rt|stdc|numa|gomp|profiler|tcmalloc|jemalloc|mimalloc|cuda|cublas|nccl))");

// Words with a dash that exclude nothing: an arrow, and "-bash:", which begins a login shell's messages.
const NO_EXCLUSION = /^-(?:[^\p{L}\p{N}_]|.*[:：]$)/u;

const TRACEBACK = "Traceback (most recent call last)";
const ERROR = /\b[A-Za-z_]\w*(?:Error|Exception)\b/g;

const BUNDLE = /^-[a-z]{3,4}$/;
const BUNDLES = new Set(BUNDLING.split(" "));
const COMPILES = new Set(COMPILERS.split(" "));

/**
 * Whether a word is an option of a program.
 * @param {string} word
 * @param {string[]} before The words before it.
 */
function isOption(word, before) {
  if (OPTION.test(word) || before.some((each) => COMPILES.has(each.toLowerCase()))) return true;
  return BUNDLE.test(word) && BUNDLES.has((before.at(-1) || "").toLowerCase());
}

/**
 * Whether a word that begins with a dash excludes the pages that have it.
 * @param {string} word
 * @param {string[]} before The words before it.
 */
function isExclusion(word, before) {
  return !NO_EXCLUSION.test(word) && !isOption(word, before);
}

/**
 * Returns a text, of a traceback of Python only what stands before it and its last error.
 * @param {string} text
 */
export function withoutFrames(text) {
  const at = text.indexOf(TRACEBACK);
  const last = at < 0 ? undefined : [...text.slice(at).matchAll(ERROR)].at(-1);
  return last ? text.slice(0, at) + text.slice(at + last.index) : text;
}

/**
 * @param {string} text
 * @returns {Query}
 */
export function parse(text) {
  const PART = new RegExp("((?<!\\S)-)?[\"“”]([^\"“”]*)[\"“”]" +
    "|(?<!\\S)(tag|topic|lang|level|type)[:：]([^\\s\"“”]+)" +
    `|(?<!\\S)(-(?:[!-~][^\\s"“”${CJK}\\u3000-\\u303f\\uff00-\\uff65]*|[^\\s"“”]+))` +
    "|([\\[({=][\"“”][^\"“”]*[\"“”])", "gu"); // a string in code, as in batch["d1"], is no phrase
  text = Array.from(withoutFrames(text)).slice(0, LONGEST_QUERY).join("");
  /** @type {Query} */
  const query = { words: "", phrases: [], excluded: [], filters: [] };
  const words = [];
  let at = 0;
  for (const m of text.matchAll(PART)) {
    const phrase = (m[2] || "").trim();
    words.push(text.slice(at, m.index));
    at = m.index + m[0].length;
    if (m[6]) words.push(m[6]);
    else if (m[3]) query.filters.push([/** @type {Kind} */ (m[3]), m[4].toLowerCase()]);
    else if (m[5]) {
      const before = words.join("").split(/\s+/).filter(Boolean);
      const isFirst = !before.length && !query.phrases.length;
      if (!isFirst && isExclusion(m[5], before)) query.excluded.push(m[5].slice(1));
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
