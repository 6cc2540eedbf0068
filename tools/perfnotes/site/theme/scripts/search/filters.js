// Filters as chips. A filter is a part of the query, such as `topic:caches`: a chip adds it to the text of the
// query or removes it. So the address holds the filter, and people learn how to type it.
import { parse } from "./parse.js";

/** @import { Answer, Chip, Facets, Kind } from "./types.d.ts" */

export const filters = (() => {
  /** @type {Record<Kind, number>} how many chips each kind has */
  const MOST = { type: 6, topic: 6, level: 3, lang: 2, tag: 8 };

  /**
   * @param {string} text
   * @param {Kind} kind
   * @param {string} value
   */
  const isOn = (text, kind, value) =>
    parse(text).filters.some(([k, v]) => k === kind && v === value.toLowerCase());

  /** @param {string} char */
  const exact = (char) => `\\u{${(char.codePointAt(0) || 0).toString(16)}}`;
  /**
   * @param {Kind} kind
   * @param {string} value
   */
  const pattern = (kind, value) =>
    new RegExp(`(^|\\s)${kind}[:：]${value.replace(/[^\p{L}\p{N}]/gu, exact)}(?=\\s|$)`, "giu");

  /**
   * @param {string} text
   * @param {Kind} kind
   * @param {string} value
   */
  function without(text, kind, value) {
    return text.replace(pattern(kind, value), "").replace(/^\s+/, "");
  }

  /**
   * Returns the query with a filter added or removed. Since a page has only one topic, level, language and
   * type, another filter of that kind is replaced; a page may have several tags.
   * @param {string} text
   * @param {Kind} kind
   * @param {string} value
   */
  function toggled(text, kind, value) {
    if (isOn(text, kind, value)) return without(text, kind, value);
    let rest = text;
    if (kind !== "tag") {
      for (const [k, v] of parse(text).filters) if (k === kind) rest = without(rest, k, v);
    }
    return `${rest.trim()} ${kind}:${value}`.trim();
  }

  /**
   * Returns the chips of filters that are on, then those of the most frequent values of each kind. `nameOf`
   * gives the name of a value.
   * @param {string} text
   * @param {Answer["facets"]} facets
   * @param {number} total
   * @param {(kind: Kind, value: string) => string} nameOf
   * @returns {Chip[]}
   */
  function chips(text, facets, total, nameOf) {
    /** @type {Chip[]} */
    const found = [];
    for (const [kind, most] of /** @type {[Kind, number][]} */ (Object.entries(MOST))) {
      const counts = new Map(Object.entries(facets[kind] || {}));
      const on = parse(text).filters.filter(([k]) => k === kind).map(([, v]) => v);
      for (const value of new Set(on)) {
        const known = [...counts.keys()].find((each) => each.toLowerCase() === value);
        const own = known || value;
        found.push({ kind, value: own, name: nameOf(kind, own), count: (known && counts.get(known)) || 0, on: true });
        if (known) counts.delete(known);
      }
      if (on.length && kind !== "tag") continue;
      const rest = [...counts].filter(([value, count]) => !/[\s"“”]/.test(value) && count < total);
      rest.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
      for (const [value, count] of rest.slice(0, most)) {
        found.push({ kind, value, name: nameOf(kind, value), count, on: false });
      }
    }
    return [...found.filter((each) => each.on), ...found.filter((each) => !each.on)];
  }

  /**
   * Returns the filters of a query that no page of the site matches.
   * @param {string} text
   * @param {Facets} facets
   */
  function unknown(text, { values, tags }) {
    /**
     * @param {string} has
     * @param {string} value
     */
    const fits = (has, value) => has.toLowerCase() === value || has.toLowerCase().startsWith(`${value}/`);
    return parse(text).filters.filter(([kind, value]) =>
      !(kind === "tag" ? Object.keys(tags) : values[kind]).some((has) => fits(has, value)));
  }

  /**
   * Returns the name of a value in a language. Topics and tags have titles in the index; the names of types,
   * levels and languages are words of the interface.
   * @param {Kind} kind
   * @param {string} value
   * @param {string} lang
   * @param {import("./types.d.ts").Words} words
   * @param {Facets["titles"] | undefined} titles
   */
  function called(kind, value, lang, words, titles) {
    if (kind !== "topic" && kind !== "tag") return words.values[value] || value;
    const own = titles?.[kind];
    return (own && Object.hasOwn(own, value) && own[value][lang]) || value;
  }

  return { called, chips, toggled, unknown };
})();
