// Looks up the pages of a slot, and how well they match; the same as tools/perfnotes/search/lookup.py.
import { bisect, decode, numbers, unique } from "./codec.js";
import { COMPLETIONS, EXACT, FORM, MOST_FORMS, NUMBER, RARITY, WIDE } from "./constants.js";
import { ShardStore } from "./store.js";
import { bothSpellings, stem } from "./tokens.js";

/** @import { Analysis, Hits, Shard, Slot } from "./types.d.ts" */

export const END = "\uffff"; // sorts after every term

/** @typedef {{ weight: number, df: number, term: string, shard: Shard, i: number }} Found a term */

export class Lookup extends ShardStore {
  get count() {
    return this.root ? this.root.n : 0; // the number of pages
  }

  /** Returns how rare a term on `df` pages is, in hundredths, at least 20. @param {number} df */
  idf = (df) => {
    const n = this.count, many = Math.min(Math.max(df, 1), n);
    const rarity = Math.log(1 + (n - many + 0.5) / (many + 0.5));
    return Math.max(20, Math.round(100 * rarity ** RARITY));
  };

  /**
   * Returns the range of terms in which those that match a slot are.
   * @param {Slot} slot
   * @param {boolean} prefix
   * @returns {[low: string, high: string]}
   */
  span(slot, prefix) {
    if (slot.kind === "word") {
      const [first, last] = bothSpellings(stem(slot.term));
      return [first, last + END];
    }
    return [slot.term, prefix ? slot.term + END : slot.term];
  }

  /**
   * Returns the numbers of the shards that a slot needs, at most two.
   * @param {Slot} slot
   * @param {boolean} prefix
   * @returns {number[]}
   */
  shards(slot, prefix) {
    const at = this.at(slot.term);
    if (slot.kind === "pair" || slot.kind === "loose") return [at];
    const [low, high] = this.span(slot, prefix).map((term) => this.at(term));
    if (high - low <= 1) return high > low ? [low, high] : [low];
    return prefix ? unique([at, this.at(slot.term + "*")]).sort((a, b) => a - b) : [at];
  }

  /**
   * @param {Shard} shard
   * @param {number} i
   * @returns {number[]}
   */
  decoded(shard, i) {
    let found = shard.decoded.get(i);
    if (!found) shard.decoded.set(i, (found = decode(shard.postings[i])));
    return found;
  }

  /**
   * @param {Shard} shard
   * @param {number} i
   */
  df(shard, i) { return shard.long[i] || this.decoded(shard, i).length / 3; }

  /**
   * Returns the pages of a slot's term and of its other forms, from shards that are loaded. With `prefix`, terms
   * that begin with the slot's term match too. With `only`, other shards are left out.
   * @param {Slot} slot
   * @param {boolean} prefix
   * @param {Set<number>} [only]
   * @returns {Hits}
   */
  match(slot, prefix, only) {
    const [low, high] = this.span(slot, prefix);
    /** @type {string[]} */
    const forms = slot.kind === "word" ? bothSpellings(stem(slot.term)) : [];
    /** @type {Found[]} */
    let found = [];
    /** @type {Found[]} */
    const wide = [];
    for (const number of this.shards(slot, prefix)) {
      const shard = this.parsed.get(`t/${number}`);
      if (!shard || (only && !only.has(number))) continue;
      const end = bisect(shard.terms, high, true);
      for (let i = bisect(shard.terms, low, false); i < end; i++) {
        const term = shard.terms[i];
        let weight = 0;
        if (term.endsWith("*")) {
          if (prefix && term === slot.term + "*") {
            wide.push({ weight: WIDE, df: this.df(shard, i), term, shard, i });
          }
          continue;
        }
        if (term === slot.term) weight = EXACT;
        else if (forms.includes(stem(term))) {
          weight = term === `${slot.term}s` || `${term}s` === slot.term ? NUMBER : FORM;
        }
        else if (prefix && term.startsWith(slot.term)) {
          const more = Array.from(term).length - Array.from(slot.term).length;
          weight = slot.kind === "code" ? Math.max(40, 85 - 2 * more)
            : Math.max(30, 72 - 4 * more);
        }
        if (weight) found.push({ weight, df: this.df(shard, i), term, shard, i });
      }
    }
    if (wide.length) found = found.filter((row) => row.weight >= FORM).concat(wide);
    if (slot.kind === "word" && found.some((row) => row.weight === EXACT)) {
      // The index has the word as it was typed, so a longer word counts less, and nothing if a name was typed.
      for (const row of found) if (row.weight < FORM) row.weight = slot.isName ? 0 : Math.floor((row.weight * 2) / 5);
      found = found.filter((row) => row.weight);
    }
    found.sort((a, b) => b.weight - a.weight || b.df - a.df ||
      (a.term < b.term ? -1 : a.term > b.term ? 1 : 0));
    return this.merge(found.slice(0, MOST_FORMS));
  }

  /**
   * A page gets its best value. If no term is a form of the word itself, COMPLETIONS percent of its other
   * values are added.
   * @param {Found[]} rows
   * @returns {Hits}
   */
  merge(rows) {
    /** @param {Found[]} list */
    const sum = (list) => list.reduce((all, row) => all + row.df, 0);
    const sure = sum(rows.filter((r) => r.weight >= FORM));
    const df = Math.min(this.count, sure || sum(rows));
    const more = sure ? 0 : COMPLETIONS;
    /** @type {Hits["pages"]} */
    const pages = new Map();
    /** @type {string[]} */
    const terms = [];
    for (const { weight, term, shard, i } of rows) {
      terms.push(term);
      const list = this.decoded(shard, i);
      for (let k = 0; k < list.length; k += 3) {
        const value = weight * (list[k + 1] + 1), [best, at] = pages.get(list[k]) || [0, list[k + 2]];
        const isBetter = value > best, added = Math.floor((isBetter ? best : value) * more / 100);
        pages.set(list[k], [Math.max(value, best) + added, isBetter ? list[k + 2] : at]);
      }
    }
    return { df, pages, terms };
  }

  /** @param {string} term */
  names(term) {
    const shard = this.parsed.get(`t/${this.at(term)}`);
    const found = shard && Object.hasOwn(shard.names, term) ? shard.names[term] : [];
    return found.map(([key, pages, spellings]) => ({
      key,
      pages: new Map(numbers(pages).map((n) => /** @type {const} */ ([Math.floor(n / 2), n % 2]))),
      spellings: spellings || [],
    }));
  }

  /**
   * @param {Slot} slot
   * @param {Pick<Analysis, "slots">} found
   */
  isPrefix(slot, found) {
    return slot.kind === "code" || slot.kind === "char" ||
      slot === found.slots[found.slots.length - 1];
  }

  /** @param {Pick<Analysis, "slots">} found */
  slotShards(found) {
    return found.slots.map((slot) => this.shards(slot, this.isPrefix(slot, found)));
  }
}
