// Finds other words for a slot that no page has; the same as a part of tools/perfnotes/search/matching.py.
import { bisect, shardAt, unpack } from "./codec.js";
import { END, Lookup } from "./lookup.js";
import { mostSlips, nearest } from "./spelling.js";

/** @import { Analysis, Hits, Row, Slot } from "./types.d.ts" */

export class Corrections extends Lookup {
  /**
   * Looks up the ends of a compound, such as nthelement for std::nth_element. Returns the row of the longest
   * end that some page has.
   * @param {Slot} slot
   * @returns {Promise<Row | null>}
   */
  async withoutBeginning(slot) {
    for (const term of slot.ends || []) {
      /** @type {Slot} */
      const shorter = { term, kind: "code", at: slot.at, parts: [] };
      await this.needs(this.shards(shorter, true));
      const hits = this.match(shorter, true);
      if (hits.pages.size) return { slot: shorter, hits };
    }
    return null;
  }

  /**
   * Returns the pages of the words that a slot without pages may mean. The nearest word is added to
   * `corrected`; if that is null, nothing is corrected. `early` gets the row of the nearest word before the
   * others are loaded.
   * @param {Slot} slot
   * @param {[typed: string, word: string][] | null} corrected
   * @param {boolean} prefix
   * @param {(rows: Row[]) => Promise<unknown>} early
   * @returns {Promise<Hits>}
   */
  async correct(slot, corrected, prefix, early) {
    const most = mostSlips(slot.term);
    /** @type {Hits} */
    const none = { df: 0, pages: new Map(), terms: [] };
    const isFixed = slot.isName || slot.term.includes("-");
    if (!corrected || !most || isFixed || /\P{ASCII}/u.test(slot.term)) return none;
    const found = await this.nearest(slot.term, prefix, most);
    if (found.length) corrected.push([slot.term, found[0][0]]);
    /** @type {import("./lookup.js").Found[]} */
    const rows = [];
    for (const [term, slips] of found) {
      if (rows.length === 1) await early([{ slot, hits: this.merge(rows) }]);
      await this.needs((rows.length ? found : found.slice(0, 1)).map(([word]) => this.at(word)));
      const shard = this.parsed.get(`t/${this.at(term)}`);
      const i = shard ? bisect(shard.terms, term, false) : 0;
      if (shard && shard.terms[i] === term) {
        rows.push({ weight: 90 - 20 * slips, df: this.df(shard, i), term, shard, i });
      }
    }
    return this.merge(rows);
  }

  /**
   * @param {string} typed
   * @param {boolean} prefix
   * @param {number} most
   */
  async nearest(typed, prefix, most) {
    for await (const words of this.spelled(typed)) {
      const found = nearest(typed, words, prefix, most);
      if (found.length) return found;
    }
    return nearest(typed, await this.respelled(typed), prefix, most);
  }

  /**
   * Returns words that may be meant if the first letter was mistyped, and how common they are.
   * @param {string} typed
   * @returns {Promise<[word: string, common: number][]>}
   */
  async respelled(typed) {
    /** @type {[word: string, common: number][]} */
    const found = [];
    if (typed[1] !== typed[0]) {
      const swapped = typed[1] + typed[0] + typed.slice(2);
      const rows = new Map((await this.spelled(swapped).next()).value || []);
      for (const w of [swapped, typed.slice(1)]) {
        const common = rows.get(w);
        if (common !== undefined) found.push([w, common]);
      }
    }
    for (const tail of [typed, typed.slice(1)]) {
      if (!this.tails.length) break;
      const data = await this.load(`v/${shardAt(this.tails, tail)}`);
      if (!data) continue;
      const firsts = data[1].split(" ");
      unpack(data[0]).forEach((w, i) => w === tail && found.push([firsts[i] + tail, 1]));
    }
    return found;
  }

  /**
   * Yields the shard of words in which `typed` would be; then the other one, if the words with its first letter
   * lie in two shards.
   * @param {string} typed
   * @returns {AsyncGenerator<[word: string, common: number][], void>}
   */
  async *spelled(typed) {
    if (!this.words.length) return;
    const [near, low, high] = [typed, typed[0], typed[0] + END].map((w) => shardAt(this.words, w));
    const others = high - low === 1 ? [low, high].filter((i) => i !== near) : [];
    for (const i of [near, ...others]) {
      const data = await this.load(`w/${i}`);
      if (!data) continue;
      const common = data[1].split(" ");
      yield unpack(data[0]).map((word, k) => [word, Number(common[k])]);
    }
  }

  /** @param {Analysis} found */
  async suggest(found) {
    /** @type {{ text: string, kind: string }[]} */
    const said = [];
    for (const { kind, term } of found.slots) {
      if ((kind === "word" || kind === "code") && /^\p{ASCII}{3,}$/u.test(term)) {
        const rows = await this.nearest(term, true, 3);
        // If pages have the word itself, the query has no results because of other words.
        said.push(...rows.flatMap(([word]) => word === term ? [] : [{ text: word, kind: "word" }]));
      }
    }
    const facets = await this.facetsOf();
    const tags = Object.keys((facets && facets.tags) || {}).map((tag) => /** @type {[string, number]} */ ([tag, 1]));
    for (const { term } of found.slots) {
      for (const [tag] of nearest(term, tags, true, 2)) said.push({ text: tag, kind: "tag" });
    }
    const seen = new Set();
    return said.filter((s) => !seen.has(s.kind + s.text) && seen.add(s.kind + s.text)).slice(0, 8);
  }
}
