// The terms of texts and queries, as docs/search.md specifies them and tools/perfnotes/search/tokens.py and
// stem.py make them as well; tests/search/vectors.json holds the two together.
import { CJK, ENDINGS, LONGEST_TERM, MOST_PARTS, NO_PLURAL, REGIONAL, TRADITIONAL } from "./constants.js";

/** @import { Term, Token } from "./types.d.ts" */

const WORD = `(?:(?![${CJK}])[\\p{L}\\p{N}])+`;
const FLAG = "(?:(?<![^ \\t\\n\\r\\f\\v`\"'(\\[{,;|])-{1,2}(?=[A-Za-z]))?";
export const TOKEN = new RegExp(`[${CJK}]+|${FLAG}${WORD}(?:(?:_+|::|->|[.\\-'])${WORD})*`, "gu");
const IS_CJK = new RegExp(`^[${CJK}]`, "u");
const SIMPLIFIED = new Map(TRADITIONAL.match(/../g)?.map((pair) => [pair[0], pair[1]]));
const IS_TRADITIONAL = new RegExp(`[${[...SIMPLIFIED.keys()].join("")}]`, "g");
const MAINLAND = new Map(Object.entries(REGIONAL));
/** @param {boolean} traditional whether the words have traditional characters */
const wordsOfTaiwan = (traditional) =>
  new RegExp([...MAINLAND.keys()].filter((word) => word.search(IS_TRADITIONAL) >= 0 === traditional).join("|"), "g");
const IN_TRADITIONAL = wordsOfTaiwan(true);
const IN_SIMPLIFIED = wordsOfTaiwan(false);
const CONNECTOR = /_+|::|->|[.\-]/g;
// A word with its connectors, its dashes, the underscores around it and the brackets of a call, such as main().
// None of these is a sign.
const NAME = new RegExp(`_*(?:${TOKEN.source})_*(?:\\(\\))?`, "gu");
const SIGNS = /[!#$%&()*+,\-./:;<=>?@[\\\]^_`{|}~]{2,}/g;
const LONGEST_SIGN = 8;
const PIECE = /[0-9]+|[A-Z]+(?![a-z])|[A-Z]?[^A-Z0-9]+|[A-Z]/g;

/** @param {string} text */
export const isCjk = (text) => IS_CJK.test(text);

/**
 * Replaces what is written in several ways by one form: compatible characters, accents, traditional and regional
 * Chinese, names such as C++ and C#, and commas in numbers.
 * @param {string} text
 */
export function fold(text) {
  text = text.normalize("NFKC").replace(/\u2019/g, "'");
  text = text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").normalize("NFC");
  return text
    .replace(IN_TRADITIONAL, (word) => MAINLAND.get(word) || word)
    .replace(IS_TRADITIONAL, (char) => SIMPLIFIED.get(char) || char)
    .replace(IN_SIMPLIFIED, (word) => MAINLAND.get(word) || word)
    .replace(/(^|[^A-Za-z0-9_])([A-Za-z])\+\+/g, "$1$2pp")
    .replace(/(^|[^A-Za-z0-9_])([CcFf])#/g, "$1$2sharp")
    .replace(/(^|[^A-Za-z0-9_*])([A-Za-z])\*(?![A-Za-z0-9_(*])/g, "$1$2star")
    .replace(/([0-9]),(?=[0-9]{3}(?![0-9]))/g, "$1");
}

/**
 * Returns a term for each group of two or more signs in a text, such as [[ or $@.
 * @param {string} text
 */
export const signsOf = (text) => (fold(text).replace(NAME, " ").match(SIGNS) || [])
  .filter((sign) => sign.length <= LONGEST_SIGN).map((sign) => `?${sign}?`);

/** @param {string} word */
const pieces = (word) => (word.match(PIECE) || []).map((piece) => piece.toLowerCase());

/**
 * @param {string} run
 * @returns {Term[]}
 */
function ofRun(run) {
  const chars = Array.from(run);
  /** @type {Term[]} */
  const found = chars.slice(1).map((char, i) => [chars[i] + char, "w"]);
  return [...found, [chars[chars.length - 1], "u"]];
}

/**
 * @param {string} token
 * @returns {Term[]}
 */
function ofWord(token) {
  const name = token.replace(/^-+/, "").replace(/'[sS]$/, "").replace(/'/g, "");
  const version = /^[vV]?([0-9]+(?:\.[0-9]+)+)$/.exec(name);
  if (version) return version[1].length <= LONGEST_TERM ? [[version[1], "w"]] : [];
  const groups = name.split(CONNECTOR).map(pieces);
  const parts = groups.flat();
  const whole = parts.join("");
  if (!whole || Array.from(whole).length > LONGEST_TERM) return [];
  const found = new Map([[whole, "w"]]);
  /**
   * @param {string} term
   * @param {string} role
   */
  const add = (term, role) => found.has(term) || found.set(term, role);
  if (parts.length > 1) {
    const dashed = groups.length === parts.length &&
      (name.match(CONNECTOR) || []).every((c) => c === "-");
    if (!dashed) {
      const most = Math.min(parts.length - 1, MOST_PARTS);
      for (let i = 1; i < most; i++) add(parts.slice(i).join(""), "j");
    }
    for (const part of parts) if (dashed || Array.from(part).length > 1) add(part, "p");
  }
  if (/^-[fmWlDIL][A-Za-z0-9]{2}/.test(token)) {
    add(whole.slice(1), "j");
    for (const part of pieces(name.slice(1).split("-")[0])) add(part, "p");
  }
  return Array.from(found);
}

/** @param {string} token */
export const termsOf = (token) => (isCjk(token) ? ofRun(token) : ofWord(token));

/**
 * Returns the tokens of a text, with offsets in the folded text.
 * @param {string} text
 * @returns {Token[]}
 */
export function tokens(text) {
  /** @type {Token[]} */
  const found = [];
  for (const match of fold(text).matchAll(TOKEN)) {
    const terms = termsOf(match[0]);
    const end = match.index + match[0].length;
    if (terms.length) found.push({ text: match[0], start: match.index, end, terms });
  }
  return found;
}

/** @param {string} word */
export function stem(word) {
  if (word.length < 4 || !/^[a-z]+$/.test(word) || NO_PLURAL.some((ending) => word.endsWith(ending))) return word;
  for (const [ending, off, least] of /** @type {[string, number, number][]} */ (ENDINGS)) {
    if (!word.endsWith(ending)) continue;
    const rest = word.slice(0, -off);
    if (rest.length < least || !/[aeiouy]/.test(rest) || word.endsWith("eed")) continue;
    const doubled = (ending === "ing" || ending === "ed" || ending === "ings") && /([bdgmnprt])\1$/.test(rest);
    return doubled ? rest.slice(0, -1) : rest;
  }
  return word;
}

/**
 * Returns a stem in its British and its American spelling, which are mostly the same.
 * @param {string} base
 * @returns {[string, string]}
 */
export function bothSpellings(base) {
  const [, start] = /^(.{3,}[iy])[sz]$/.exec(base) || [];
  return start ? [`${start}s`, `${start}z`] : [base, base];
}
