// Answers queries over one index: first results as soon as there are any, then the whole answer.
import { analyse } from "./analysis.js";
import { BLOCKS, NAMED } from "./constants.js";
import { queryWeights, isDoubtful, leastScore, worthListing } from "./confidence.js";
import { folded, symptomOf, withParts } from "./folding.js";
import { fullestSection, opensAtSection, sectionShare } from "./landing.js";
import { parse } from "./parse.js";
import { blockWith, exact } from "./phrases.js";
import { counts, Restricting } from "./restricting.js";
import { bestBlock, score } from "./scoring.js";
import { marked, snippet } from "./snippets.js";

/** @import { Answer, QueryWeights, Choices, Other, Query, Result, Scored, Scores } from "./types.d.ts" */

/**
 * Returns the anchors of the blocks in a file of a page.
 * @param {any} data
 * @returns {string[]}
 */
const anchorsOf = (data) => data[5].map((/** @type {string[]} */ block) => block[0]);

/**
 * Returns the address of a section, or of the page if `anchor` is empty.
 * @param {string} url
 * @param {string} anchor
 */
const placeOf = (url, anchor) => anchor ? `${url.split("#")[0]}#${encodeURIComponent(anchor)}` : url;

export class Search extends Restricting {
  latest = ""; // the query that was asked last
  /** @type {Promise<void> | undefined} */
  gate;

  // Lets the query that is being answered return null, because another engine has replaced this one.
  abandon() {
    this.turn++;
    this.painted = true;
  }

  /**
   * Returns the pages with their scores, best first.
   * @param {Scores} scores
   * @param {string} [lang]
   * @returns {Map<number, number>}
   */
  order(scores, lang = this.lang) {
    /** @type {Map<number, number>} */
    const best = new Map();
    for (const [page, { value }] of scores) {
      const original = this.twins.has(page) ? page - 1 : page;
      best.set(original, Math.max(best.get(original) || 0, value));
    }
    const rounded = [...best].map(([page, value]) => /** @type {const} */ ([page, Math.round(value * 1e6)]));
    rounded.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return new Map(rounded.map(([page]) =>
      [lang !== "en" && this.twins.has(page + 1) ? page + 1 : page, best.get(page) || 0]));
  }

  /**
   * Returns the result for a page, or null if its file did not load.
   * @param {number} page
   * @param {Scores} scores
   * @param {string[]} terms
   * @param {QueryWeights} weights
   * @param {string[]} phrases if a block has one, the result shows it and opens at its section
   * @returns {Promise<Result | null>}
   */
  async result(page, scores, terms, weights, phrases) {
    const scored = scores.get(page), at = bestBlock(scored);
    const block = phrases.length ? blockWith(await this.blocks(page), phrases) : undefined;
    const symptom = block ? undefined : symptomOf(page, scores, this.twins);
    const own = symptom !== undefined && await this.load(`d/${symptom}`);
    const data = own || await this.loadPage(page, at);
    if (!data) return null;
    const [id, url, title, lang, type, blocks] = data;
    const [anchor, heading, text] = block || blocks[own ? 0 : at % BLOCKS] || ["", "", ""];
    const isThere = !!(own || block) || !!scored &&
      opensAtSection(heading, sectionShare(scored.blocks, anchorsOf(data), at), terms, weights);
    const section = isThere ? heading : "", opensAt = isThere ? anchor : "";
    return {
      id, url, title, section, lang, type, page, score: scored ? scored.value : 0, isSymptom: !!own,
      titleParts: marked(title, terms), sectionParts: marked(section, terms),
      sectionUrl: placeOf(url, opensAt), snippet: snippet(text, terms, phrases),
      other: type === "note" && !url.includes("#") ? await this.other(url, opensAt, scored, page) : null,
    };
  }

  /**
   * Returns the place of a note where its result does not open but the answer may stand.
   * @param {string} url
   * @param {string} opensAt
   * @param {Scored | undefined} scored
   * @param {number} page
   * @returns {Promise<Other | null>}
   */
  async other(url, opensAt, scored, page) {
    if (opensAt) return { url, heading: "" };
    if (!scored?.blocks.size) return null;
    const at = bestBlock(scored), data = await this.loadPage(page, at);
    const fullest = data ? fullestSection(scored.blocks, anchorsOf(data), at) : -1;
    if (fullest < 0) return null;
    const [anchor, heading] = data[5][fullest % BLOCKS];
    return { url: placeOf(url, anchor), heading };
  }

  /**
   * Loads the file of a page that has block `at`.
   * @param {number} page
   * @param {number} at
   */
  loadPage(page, at) {
    const file = Math.floor(at / BLOCKS);
    return this.load(file ? `d/${page}-${file}` : `d/${page}`);
  }

  /**
   * @param {number[]} order
   * @param {number} limit
   * @param {Scores} scores
   * @param {string[]} terms
   * @param {QueryWeights} weights
   * @param {string[]} [phrases]
   */
  async results(order, limit, scores, terms, weights, phrases = []) {
    const found = await Promise.all(
      order.slice(0, limit).map((page) => this.result(page, scores, terms, weights, phrases)));
    return found.filter((result) => result !== null);
  }

  /**
   * Returns the pages that the query's filters, phrases and excluded words leave, best first, with their
   * scores. If the query has phrases, `early` gets the first pages while further pages are searched for the
   * phrases.
   * @param {Query} query
   * @param {Scores} scores
   * @param {(pages: number[]) => Promise<unknown>} early
   */
  async remaining(query, scores, early) {
    const wanted = query.filters.filter(([kind]) => kind === "lang").pop();
    const best = this.order(await this.restricted(query, scores), wanted ? wanted[1] : this.lang);
    let order = [...best.keys()];
    const phrases = exact(query.phrases);
    if (phrases.length) order = await this.withPhrases(order, phrases, early);
    return { best, order };
  }

  /**
   * Answers a query; null if another query was asked in the meantime.
   * @param {string} text
   * @param {Partial<Choices>} [choices]
   * @returns {Promise<Answer | null>}
   */
  async query(text, { limit = 10, expand = true, facets = true, onPartial = null } = {}) {
    const turn = ++this.turn, stale = () => turn !== this.turn;
    this.latest = text;
    this.missing = new Set();
    /** @type {Record<string, Record<string, number>>} */
    const none = { topic: {}, tag: {}, lang: {}, level: {}, type: {} };
    /** @type {Answer & { terms: string[], weights: QueryWeights }} */
    const answer = {
      results: [], total: 0, expanded: [], corrected: [], suggestions: [], missing: [],
      facets: none, query: text, isWeak: false, terms: [],
      weights: { total: 0, unknown: 0, slots: 0, rival: 0, hasCode: false, foreign: 0, matches: [] },
    };
    /** Returns the answer as it is now, complete or after a failure, without what only ranking needs. @returns {Answer} */
    const failed = () => {
      const { terms: _, weights: __, ...rest } = answer;
      return { ...rest, missing: [...this.missing] };
    };
    if (!(await this.preload())) return failed();
    // Only one query at a time fetches the files of its first results. A query that waits fetches nothing if a
    // later query is asked in the meantime.
    const before = this.gate;
    /** @type {() => void} */
    let open = () => {};
    /** @type {Promise<void>} */
    const gate = new Promise((done) => (open = done));
    this.gate = gate;
    await before;
    if (stale()) return open(), null;
    const query = parse(text), found = analyse(query.words);
    const simple = !query.filters.length && !query.phrases.length && !query.excluded.length;
    let painted = false;
    // As long as nothing was painted, first results are also shown if the reader has typed more since.
    const late = () => stale() && (this.painted || !this.latest.startsWith(text));
    /**
     * @param {Scores} scores
     * @param {string[]} terms
     */
    const paint = async (scores, terms) => {
      if (!onPartial || !simple || painted || late()) return;
      const all = folded(scores, this.notes, this.twins), order = [...this.order(all).keys()];
      const results = await this.results(order, 1, all, terms, answer.weights);
      if (late() || !results.length) return;
      painted = this.painted = true;
      this.begun.clear();
      await onPartial({ ...answer, results, partial: true });
    };
    try {
      if (onPartial && simple && found.slots.length) {
        for (const slots of this.firstSlots(found)) {
          await this.needs(slots.flatMap((slot) => this.shards(slot, this.isPrefix(slot, found))));
          const rows = slots.map((slot) =>
            ({ slot, hits: this.match(slot, this.isPrefix(slot, found)) }));
          const direct = rows.filter((row) => row.hits.pages.size);
          answer.weights = queryWeights(rows, this.idf, this.subjects);
          await paint(score(direct, this.idf, this.twins), direct.flatMap((row) => row.hits.terms));
          if (direct.length || stale()) break;
        }
      }
    } finally {
      open();
    }
    if (stale()) return null;
    const scores = await this.rank(found, answer, expand, stale, paint);
    if (stale()) return null;
    if (!found.slots.length && query.filters.length) {
      for (let page = 0; page < this.count; page++) {
        if (!this.notes.has(page)) scores.set(page, { value: 1, blocks: new Map() });
      }
    }
    const least = leastScore(scores);
    /** @param {number[]} pages */
    const paintFirst = async (pages) => {
      if (!onPartial || painted || !pages.length || stale()) return;
      const results = await this.results(pages, 1, scores, answer.terms, answer.weights, exact(query.phrases));
      if (stale()) return;
      painted = true;
      onPartial({ ...answer, results, partial: true });
    };
    let { best, order } = await this.remaining(query, scores, paintFirst);
    if (query.phrases.length && !order.length) {
      query.phrases = [];
      ({ best, order } = await this.remaining(query, scores, paintFirst));
      answer.isLoose = order.length > 0;
    }
    if (stale()) return null;
    // A reader who searches for a name of code wants all pages that have it, even those that say little about
    // it.
    const isCode = found.slots.length && found.slots.every((slot) => slot.kind === "code");
    if (!query.phrases.length && !isCode) order = worthListing(order, best, least);
    answer.total = order.length;
    await paintFirst(order);
    if (stale()) return null;
    // Pages that have the parts of a call alone, such as "stream", hardly answer for it.
    const hasPartsAlone = isCode && !answer.weights.hasCode && (best.get(order[0]) || 0) < NAMED;
    const [results, data] = await Promise.all([
      this.results(order, limit, scores, answer.terms, answer.weights, exact(query.phrases)),
      facets && order.length ? this.facetsOf() : null,
    ]);
    answer.results = results;
    answer.isWeak = !query.filters.length && !query.phrases.length && !!text.trim() && (!order.length ||
      hasPartsAlone || isDoubtful(answer.weights, best.get(order[0]) || 0, withParts(order[0], this.notes, this.twins),
        answer.corrected.length, results[0]?.type === "note"));
    if (data) answer.facets = counts(data, order);
    if (!order.length && text.trim()) answer.suggestions = await this.suggest(found);
    return stale() ? null : failed();
  }
}
