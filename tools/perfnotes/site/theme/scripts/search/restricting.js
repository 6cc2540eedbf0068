// Restricts the pages of a query by its filters, phrases and excluded words, and counts their facets.
import { analyse } from "./analysis.js";
import { KINDS, MOST_PHRASE, PHRASE_STEP } from "./constants.js";
import { Ranking } from "./ranking.js";
import { plain } from "./store.js";

/** @import { Facets, Kind, Query, Scores } from "./types.d.ts" */

export class Restricting extends Ranking {
  /**
   * Returns the pages that match a filter; for a topic also the pages of its subtopics.
   * @param {Kind} kind
   * @param {string} value
   * @returns {Promise<Set<number>>}
   */
  async allowedBy(kind, value) {
    const facets = await this.facetsOf();
    /** @type {Set<number>} */
    const pages = new Set();
    if (!facets) return pages;
    if (kind === "tag") {
      for (const [tag, list] of Object.entries(facets.tags)) {
        if (tag.toLowerCase() === value) for (const page of list) pages.add(page);
      }
      return pages;
    }
    facets.values[kind].forEach((has, page) => {
      const lower = has.toLowerCase();
      if (lower === value || (kind === "topic" && lower.startsWith(`${value}/`))) pages.add(page);
    });
    return pages;
  }

  /**
   * Returns the scores of the pages that the filters, the words of phrases and the excluded words leave.
   * @param {Query} query
   * @param {Scores} all
   * @returns {Promise<Scores>}
   */
  async restricted(query, all) {
    let scores = all;
    /** @param {(page: number) => boolean} test */
    const keep = (test) => {
      scores = new Map([...scores].filter(([page]) => test(page)));
    };
    for (const [kind, value] of query.filters) {
      const pages = await this.allowedBy(kind, value);
      keep((page) => pages.has(page));
    }
    for (const words of query.phrases) keep(await this.hasAll(words));
    for (const words of query.excluded) {
      const test = await this.hasAll(words);
      // The words of a page count for its twin, so an excluded page takes its twin with it.
      /** @param {number} page */
      const other = (page) => this.twins.has(page) ? page - 1 : this.twins.has(page + 1) ? page + 1 : page;
      keep((page) => !test(page) && !test(other(page)));
    }
    return scores;
  }

  /**
   * Returns a function that tells whether a page has every one of the words.
   * @param {string} words
   * @returns {Promise<(page: number) => boolean>}
   */
  async hasAll(words) {
    const slots = analyse(words).slots;
    await this.needs(slots.flatMap((slot) => this.shards(slot, false)));
    const hits = slots.map((slot) => this.match(slot, false).pages);
    return (page) => hits.length > 0 && hits.every((pages) => pages.has(page));
  }

  /**
   * Returns the pages that have every phrase. The text of a page takes several files, so the pages are searched
   * in steps. After the first step, `early` gets its pages with the phrases, or all its pages if none has them.
   * @param {number[]} order
   * @param {string[]} phrases
   * @param {(pages: number[]) => Promise<unknown>} early
   */
  async withPhrases(order, phrases, early) {
    const wanted = phrases.map(plain), looked = order.slice(0, MOST_PHRASE);
    /** @type {number[]} */
    const found = [];
    for (let at = 0; at < looked.length; at += PHRASE_STEP) {
      const pages = looked.slice(at, at + PHRASE_STEP);
      const texts = await Promise.all(pages.map((page) => this.text(page)));
      const now = pages.filter((_, i) => wanted.every((phrase) => texts[i].includes(phrase)));
      found.push(...now);
      if (!at) await early(now.length ? now : pages);
    }
    return found;
  }
}

/**
 * Counts the pages with each value of each facet.
 * @param {Facets} facets
 * @param {number[]} order
 */
export function counts({ values, tags }, order) {
  /** @type {Record<string, Record<string, number>>} */
  const found = Object.fromEntries(["tag", ...KINDS].map((kind) => [kind, Object.create(null)]));
  for (const kind of KINDS) {
    for (const page of order) {
      const value = values[kind][page];
      if (value) found[kind][value] = (found[kind][value] || 0) + 1;
    }
  }
  for (const [tag, pages] of Object.entries(tags)) {
    const many = order.reduce((n, page) => n + (pages.has(page) ? 1 : 0), 0);
    if (many) found.tag[tag] = many;
  }
  return found;
}
