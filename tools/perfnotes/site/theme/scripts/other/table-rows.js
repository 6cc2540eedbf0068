// Which row of a note's table of questions answers a query; the twin of tools/perfnotes/search/table_rows.py.
import { analyse } from "../search/analysis.js";
import { LANDING } from "../search/constants.js";
import { parse } from "../search/parse.js";
import { bothSpellings, stem, tokens } from "../search/tokens.js";

/**
 * Returns the stem of a term in its British spelling, which all forms of a word share.
 * @param {string} term
 */
const formOf = (term) => bothSpellings(stem(term))[0];

/**
 * Returns the index of the row that answers a query; -1 if none has enough of its words. Of several equal
 * rows the first one is taken.
 * @param {string} query
 * @param {string[]} rows
 */
export function bestRow(query, rows) {
  const asked = [...new Set(analyse(parse(query).words).slots.map(({ term }) => formOf(term)))];
  const there = rows.map((row) =>
    new Set(tokens(row).flatMap(({ terms }) => terms.map(([term]) => formOf(term)))));
  const has = new Map(asked.map((form) => [form, there.filter((words) => words.has(form)).length]));
  let best = -1, most = 0;
  there.forEach((words, i) => {
    const found = asked.filter((form) => words.has(form));
    const value = found.reduce((sum, form) => sum + 1 / (has.get(form) || 1), 0);
    if (value > most && found.length >= LANDING.row * asked.length) [best, most] = [i, value];
  });
  return best;
}
