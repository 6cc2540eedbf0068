// Scores the pages of a query: by its words, by names, and by other names of the same things.
import { analyse } from "./analysis.js";
import { queryWeights } from "./confidence.js";
import { LIGHTER, LIGHTEST, MOST_EXPANSIONS, NAMED } from "./constants.js";
import { FirstSlots } from "./first.js";
import { folded } from "./folding.js";
import { loosened, saidOnce, score, takeBetter } from "./scoring.js";

/** @import { Analysis, Answer, QueryWeights, Hits, Row, Scores, Slot } from "./types.d.ts" */

/** @typedef {{ start: number, end: number, spelling: string, other: Analysis }} Group another name of a part of a query */
/** @typedef {{ start: number, end: number, spelling?: string, slots: Slot[] }} Variant slots in place of a part of a query */

/**
 * Returns the offset after a name at `at`, or after its plural; 0 if the name is not there.
 * @param {string} key
 * @param {number} at
 * @param {Analysis} found
 */
function nameEnd(key, at, found) {
  const end = at + key.length;
  if (!found.key.startsWith(key, at)) return 0;
  if (found.bounds.has(end)) return end;
  return found.key.startsWith("s", end) && found.bounds.has(end + 1) ? end + 1 : 0;
}

/**
 * Returns the scores of the pages that have every word of a name whose slots are `slots`.
 * @param {Scores} scores
 * @param {Row[]} rows
 * @param {Slot[]} slots
 * @returns {Scores}
 */
function withAll(scores, rows, slots) {
  // A page with only some words of the name, such as "initialization", is about other things.
  const needed = rows.filter(({ slot, hits }) => hits.pages.size && slot.kind !== "both" &&
    slots.some((s) => s.term === slot.term));
  return new Map([...scores].filter(([page]) => needed.length && needed.every(({ hits }) => hits.pages.has(page))));
}

export class Ranking extends FirstSlots {
  /**
   * Returns the slots with their hits, also those that have none. A slot without hits is corrected if
   * `corrected` is a list. `early` gets each row as soon as it is known, so that first results can be painted.
   * @param {Pick<Analysis, "slots" | "signs">} found
   * @param {Answer["corrected"] | null} corrected
   * @param {(rows: Row[]) => Promise<unknown>} [early]
   * @returns {Promise<Row[]>}
   */
  async rows(found, corrected, early = async () => {}) {
    await this.needs(this.slotShards(found).flat());
    /** @type {Row[]} */
    const rows = [];
    const last = found.slots[found.slots.length - 1];
    for (const slot of found.slots) {
      const prefix = this.isPrefix(slot, found), hits = this.match(slot, prefix);
      if (hits.pages.size) {
        rows.push({ slot, hits });
        continue;
      }
      const ended = slot.kind === "code" ? await this.withoutBeginning(slot) : null;
      const near = ended ? ended.hits
        : await this.correct(slot, corrected, slot.kind !== "code" && prefix, early);
      if (ended || slot.kind !== "code" || near.pages.size) {
        rows.push(ended || { slot, hits: near });
      } else {
        for (const part of slot.parts) {
          /** @type {Slot} */
          const small = { term: part, kind: "word", at: slot.at, parts: [] };
          const ends = slot === last && part === slot.parts[slot.parts.length - 1];
          await this.needs(this.shards(small, ends));
          let own = this.match(small, ends);
          if (!own.pages.size) own = await this.correct(small, corrected, ends, early);
          rows.push({ slot: small, hits: own });
          await early(rows.slice(-1));
        }
      }
      await early(rows.slice(-1));
    }
    const all = loosened(rows);
    const there = new Set(this.slotShards(found).flat());
    found.slots.slice(1).forEach((b, i) => { // two neighbouring words, which names may write as one
      const a = found.slots[i];
      if (a.kind !== "word" || b.kind !== "word" || a.at + a.term.length !== b.at) return;
      const term = a.term + b.term;
      /** @type {Slot} */
      const slot = { term, kind: "word", at: a.at, parts: [] };
      all.push({ slot: { ...slot, kind: "both" }, hits: this.match(slot, b === last, there) });
    });
    return saidOnce(all.concat(await this.signRows(found.signs || [])));
  }

  /**
   * Returns a row for each sign such as [[ that some name or heading has.
   * @param {string[]} signs
   * @returns {Promise<Row[]>}
   */
  async signRows(signs) {
    const slots = signs.map((term) => /** @type {Slot} */ ({ term, kind: "code", at: -1, parts: [] }));
    await this.needs(slots.flatMap((slot) => this.shards(slot, false)));
    return slots.map((slot) => ({ slot, hits: this.match(slot, false) })).filter(({ hits }) => hits.pages.size);
  }

  /**
   * Puts pages first whose name is the whole query, and raises those whose name is a part of it. Returns other
   * names of the things that the query names, at most MOST_EXPANSIONS.
   * @param {Analysis} found
   * @param {Scores} scores
   * @returns {Group[]}
   */
  addNames(found, scores) {
    /**
     * @param {string} key
     * @param {number} at
     */
    const stands = (key, at) => found.key.startsWith(key, at) && found.bounds.has(at + key.length);
    /** @type {{ start: number, end: number, spellings: string[] }[]} */
    const names = [];
    /** @type {(Group & { rank: number })[]} */
    const groups = [];
    const seen = new Set();
    found.slots.forEach((slot, i) => {
      for (const { key, pages, spellings } of this.names(slot.term)) {
        if (key === found.key && i === 0) {
          for (const [page, rank] of pages) {
            const mine = scores.get(page) || { value: 0, blocks: new Map() };
            mine.value += NAMED * (2 - rank);
            scores.set(page, mine);
          }
        } else if (stands(key, slot.at)) {
          for (const page of pages.keys()) {
            const mine = scores.get(page);
            if (mine && mine.value < NAMED) mine.value *= 1 + 0.3 * (key.length / found.key.length);
          }
        }
        const end = spellings.length ? nameEnd(key, slot.at, found) : 0;
        if (end) names.push({ start: slot.at, end, spellings });
      }
    });
    for (const { start, end, spellings } of names) {
      if (names.some((n) => n.start <= start && end <= n.end && n.end - n.start > end - start)) continue;
      let rank = 0;
      for (const spelling of spellings) {
        const other = analyse(spelling);
        if (!seen.has(other.key) && !found.key.includes(other.key)) {
          seen.add(other.key);
          groups.push({ rank: rank++, start, end, spelling, other });
        }
      }
    }
    groups.sort((a, b) => a.rank - b.rank);
    return groups.slice(0, MOST_EXPANSIONS);
  }

  /**
   * Returns the scores of all pages, with those of symptoms added to their notes. Records in `answer` what was
   * found. `paint` gets scores as soon as first results can be shown.
   * @param {Analysis} found
   * @param {Answer & { terms: string[], weights: QueryWeights }} answer
   * @param {boolean} expand
   * @param {() => boolean} stale
   * @param {(scores: Scores, terms: string[]) => Promise<unknown>} paint
   * @returns {Promise<Scores>}
   */
  async rank(found, answer, expand, stale, paint) {
    /** @param {Row[]} some */
    const early = (some) => paint(score(some, this.idf, this.twins), some.flatMap((row) => row.hits.terms));
    const rows = await this.rows(found, answer.corrected, early);
    const scores = score(rows, this.idf, this.twins);
    answer.weights = queryWeights(rows, this.idf, this.subjects, scores);
    answer.terms = rows.flatMap((row) => row.hits.terms);
    const groups = this.addNames(found, scores);
    await paint(scores, answer.terms);
    if (!expand || stale()) return folded(scores, this.notes, this.twins);
    /** @type {Variant[]} */
    const variants = groups.map((group) => ({ ...group, slots: group.other.slots }));
    for (const s of found.slots) {
      if (s.joined) {
        /** @type {Slot[]} */
        const slots = [{ term: s.joined, kind: "word", at: s.at, parts: [] }];
        variants.push({ start: s.at, end: s.at + s.joined.length, slots });
      }
    }
    const all = variants.map((v) =>
      ({ slots: found.slots.filter((s) => s.at < v.start || s.at >= v.end).concat(v.slots), signs: found.signs }));
    await Promise.all(all.map((query) => this.needs(this.slotShards(query).flat())));
    for (const [i, v] of variants.entries()) {
      const more = await this.rows(all[i], null);
      // The longer the query, the more its other words tell what the reader wants.
      const weight = LIGHTEST + (LIGHTER - LIGHTEST) * (v.end - v.start) / found.key.length;
      const scored = score(more, this.idf, this.twins), other = v.spelling ? withAll(scored, more, v.slots) : scored;
      const anything = takeBetter(scores, other, v.spelling ? weight : 1);
      if (anything) answer.terms.push(...more.flatMap((row) => row.hits.terms));
      if (anything && v.spelling) answer.expanded.push(v.spelling);
    }
    return folded(scores, this.notes, this.twins);
  }
}
