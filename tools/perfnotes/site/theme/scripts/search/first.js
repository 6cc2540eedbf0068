// Which slots of a query are looked up first, so that its first results need few files; it does as
// tools/perfnotes/search/first.py. Also fetches shards while the query is typed.
import { analyse } from "./analysis.js";
import { unique } from "./codec.js";
import { FIRST_SHARDS } from "./constants.js";
import { Corrections } from "./corrections.js";
import { parse } from "./parse.js";

/** @import { Analysis, Slot } from "./types.d.ts" */

export class FirstSlots extends Corrections {
  /**
   * @param {Analysis} found
   * @returns {Slot[][]}
   */
  firstSlots(found) {
    /** @type {Record<string, number>} */
    const rank = { code: 20, word: 0, pair: 5, loose: 0, char: 0 };
    const needed = this.slotShards(found);
    const guess = found.slots.map((s) => rank[s.kind] +
      (s.kind === "pair" || s.kind === "loose" ? (s.at + 1) % 2 : Array.from(s.term).length));
    const order = guess.map((_, i) => i).sort((a, b) => guess[b] - guess[a] || a - b);
    let names = new Set(needed.flat().filter((n) => this.begun.has(n)));
    const room = Math.min(FIRST_SHARDS, FIRST_SHARDS + 1 - (this.begun.size - names.size));
    for (const i of order) {
      const more = new Set([...names, ...needed[i]]);
      if (more.size <= room) names = more;
    }
    const slots = found.slots.filter((_, i) => needed[i].every((n) => names.has(n)));
    const rest = order.map((i) => found.slots[i]).filter((slot) => !slots.includes(slot));
    for (const { at, parts, ends } of found.slots) {
      for (const term of (ends || []).slice(0, 1)) rest.push({ term, kind: "code", at, parts: [] });
      for (const term of parts) rest.push({ term, kind: "word", at, parts: [] });
    }
    return [slots, ...rest.map((slot) => [slot])];
  }

  /**
   * While the first query is typed, fetches the shards that its first results will need whatever is typed
   * next. Then only the page of the first result has to be fetched after a pause. These are the shards of
   * complete words, of the beginning of the last word, and of the first pairs of characters. A short first word
   * is left out, since the query may be about something else.
   * @param {string} text
   */
  begin(text) {
    const query = parse(text), found = analyse(query.words), last = found.slots[found.slots.length - 1];
    const simple = !query.filters.length && !query.phrases.length && !query.excluded.length;
    if (!this.root || this.painted || !simple) return;
    for (const slot of this.firstSlots(found)[0]) {
      const isWord = slot.kind === "word" || slot.kind === "code";
      const isLikely = isWord ? slot.term.length >= (this.begun.size ? 3 : 5)
        : slot.kind === "pair" && (slot.at === 0 || slot.at === 2);
      const needed = isWord ? this.span(slot, true).map((term) => this.at(term)) : [this.at(slot.term)];
      const more = unique(needed).filter((n) => !this.begun.has(n));
      const isSure = needed[needed.length - 1] - needed[0] <= (slot === last ? 0 : 1);
      if (!isLikely || !isSure || this.begun.size + more.length > FIRST_SHARDS) continue;
      for (const n of more) {
        this.begun.add(n);
        this.terms(n);
      }
    }
  }
}
