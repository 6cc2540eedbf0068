// The pages of a slot and how well it fits them; the twin of tools/perfnotes/search/lookup.py.
import { bisect, decode, numbers, unique } from "./codec.js";
import { EXACT, FORM, MOST_FORMS, NUMBER, RARITY, WIDE } from "./constants.js";
import { Reading } from "./reading.js";
import { stem } from "./tokens.js";

export const END = "\uffff"; // behind every term

export class Lookup extends Reading {
  idf = (df) => {
    const n = this.root.n, many = Math.min(Math.max(df, 1), n);
    const rarity = Math.log(1 + (n - many + 0.5) / (many + 0.5));
    return Math.max(20, Math.round(100 * rarity ** RARITY));
  };

  span(slot, prefix) {
    const base = slot.kind === "word" ? stem(slot.term) : slot.term;
    const ends = prefix || slot.kind === "word";
    return [base, ends ? base + END : slot.term];
  }

  shards(slot, prefix) {
    const at = this.at(slot.term);
    if (slot.kind === "pair" || slot.kind === "loose") return [at];
    const [low, high] = this.span(slot, prefix).map((term) => this.at(term));
    if (high - low <= 1) return high > low ? [low, high] : [low];
    return prefix ? unique([at, this.at(slot.term + "*")]).sort((a, b) => a - b) : [at];
  }

  decoded(shard, i) {
    if (!shard.decoded.has(i)) shard.decoded.set(i, decode(shard.postings[i]));
    return shard.decoded.get(i);
  }

  df(shard, i) { return shard.long[i] || this.decoded(shard, i).length / 3; }

  match(slot, prefix, only) {
    const [low, high] = this.span(slot, prefix);
    const base = slot.kind === "word" ? stem(slot.term) : "";
    let found = [];
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
        else if (slot.kind === "word" && stem(term) === base) {
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
      for (const row of found) { // complete as it was typed: endings count less
        if (row.weight < FORM) row.weight = Math.floor((row.weight * 2) / 5);
      }
    }
    found.sort((a, b) => b.weight - a.weight || b.df - a.df ||
      (a.term < b.term ? -1 : a.term > b.term ? 1 : 0));
    return this.merge(found.slice(0, MOST_FORMS));
  }

  merge(rows) {
    const sum = (list) => list.reduce((all, row) => all + row.df, 0);
    const df = Math.min(this.root.n, sum(rows.filter((r) => r.weight >= FORM)) || sum(rows));
    const pages = new Map(), terms = [];
    for (const { weight, term, shard, i } of rows) {
      terms.push(term);
      const list = this.decoded(shard, i);
      for (let k = 0; k < list.length; k += 3) {
        const value = weight * (list[k + 1] + 1), mine = pages.get(list[k]);
        if (!mine || value > mine[0]) pages.set(list[k], [value, list[k + 2]]);
      }
    }
    return { df, pages, terms };
  }

  names(term) {
    const shard = this.parsed.get(`t/${this.at(term)}`);
    const found = shard && Object.hasOwn(shard.names, term) ? shard.names[term] : [];
    return found.map(([key, pages, spellings]) => ({
      key,
      pages: new Map(numbers(pages).map((n) => [Math.floor(n / 2), n % 2])),
      spellings: spellings || [],
    }));
  }

  isPrefix(slot, found) {
    return slot.kind === "code" || slot.kind === "char" ||
      slot === found.slots[found.slots.length - 1];
  }

  slotShards(found) {
    return found.slots.map((slot) => this.shards(slot, this.isPrefix(slot, found)));
  }
}
