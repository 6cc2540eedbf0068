// The sections and the passage of a note that say most of a query. tools/perfnotes/search/passages.py finds the same
// in the note's source. A passage is a paragraph, or some sentences of a long one, an item of a list, a row of a
// table, a displayed formula or a few lines of a program.
import { analyse } from "../search/analysis.js";
import { CJK, PASSAGES, SCREEN } from "../search/constants.js";
import { parse } from "../search/parse.js";
import { bothSpellings, isCjk, stem, tokens } from "../search/tokens.js";
import { LEFT_OUT, copyOf, textsOf } from "./excerpt.js";

const { words: WORDS, characters: CHARACTERS, line: LINE } = SCREEN;
const ROOM = WORDS * CHARACTERS; // in the room of WORDS words, CHARACTERS Chinese characters fit
const { lines: LINES, words: MOST_WORDS, excerpt: EXCERPT } = PASSAGES;
const UNIT = new RegExp(`[${CJK}]|[^\\s${CJK}]+`, "gu");
const SENTENCE = /(?:(?![.!?]\s+[A-Z`"“(]|[。！？])[^])*(?:[.!?]\s+(?=[A-Z`"“(])|[。！？]|$)/g;
const HEADINGS = "h2[id], h3[id], h4[id], h5[id], h6[id]";
const SELECTOR = `${HEADINGS}, p, li, dt, dd, tr, pre, .pn-math`;
const READ_ON = "#where-to-read-on"; // the section of a note that names other texts and answers nothing
const OF_SITE = "[id^='pn-']"; // headings of what the site adds below the text

/**
 * Some words of a note. `heading` is that of its section, null above the first one. `copy` is a copy of the block
 * that holds the words from `start` to `end`. `room` is how much of a first screen they take. A row has
 * its `table`, and `head` is a copy of the table's head if it has more than two columns: such a row cannot be read
 * without it.
 * @typedef {{ heading: HTMLElement | null, copy: HTMLElement, start: number, end: number, text: string, room: number, table?: HTMLElement, head?: HTMLElement }} Passage
 */

/** @param {string} text */
const size = (text) => (text.match(UNIT) ?? [])
  .reduce((sum, unit) => sum + (isCjk(unit) ? WORDS : CHARACTERS), 0);

/** @param {string} line */
const sizeOfLine = (line) => Math.min(size(line), LINE * CHARACTERS);

/**
 * Yields where a text has pieces of whole sentences with at most MOST_WORDS words.
 * @param {string} text
 * @returns {Generator<[start: number, end: number]>}
 */
function* sentenceGroups(text) {
  let start = 0, end = 0;
  for (const { 0: sentence } of text.matchAll(SENTENCE)) {
    if (end > start && size(text.slice(start, end)) + size(sentence) > MOST_WORDS * CHARACTERS) {
      yield [start, end];
      start = end;
    }
    end += sentence.length;
  }
  if (text.slice(start, end).trim()) yield [start, end];
}

/**
 * Yields where a program has LINES lines, and the room that these take. Empty lines do not count.
 * @param {string} text
 * @returns {Generator<[start: number, end: number, room: number]>}
 */
function* lineGroups(text) {
  const lines = [...text.matchAll(/[^\n]*\S[^\n]*/g)];
  for (let i = 0; i < lines.length; i += LINES) {
    const group = lines.slice(i, i + LINES), last = group[group.length - 1];
    yield [group[0].index, last.index + last[0].length, group.reduce((sum, [line]) => sum + sizeOfLine(line), 0)];
  }
}

/**
 * Yields the passages of a note in their order.
 * @param {HTMLElement} article
 * @returns {Generator<Passage>}
 */
export function* passagesOf(article) {
  /** @type {HTMLElement | null} */
  let heading = null;
  for (const block of /** @type {NodeListOf<HTMLElement>} */ (article.querySelectorAll(SELECTOR))) {
    if (block.closest(LEFT_OUT) || block.matches("p[class], li:has(> p), thead > tr")) continue;
    if (block.matches(HEADINGS)) {
      if (block.matches(OF_SITE)) return;
      heading = block;
      continue;
    }
    if (heading?.matches(READ_ON)) continue;
    const copy = copyOf(block);
    for (const list of copy.querySelectorAll("ul, ol")) list.remove(); // their items are passages themselves
    const text = copy.textContent ?? "";
    if (block.matches("tr")) {
      const table = block.closest("table") ?? undefined, head = table?.tHead?.rows[0];
      const cells = textsOf(copy).join(" · ");
      if (!cells) continue;
      yield {
        heading, copy, start: 0, end: text.length, text: cells, room: sizeOfLine(cells), table,
        head: head && copy.children.length > 2 ? copyOf(head) : undefined,
      };
    } else if (block.matches("pre")) {
      for (const [start, end, room] of lineGroups(text)) {
        yield { heading, copy, start, end, text: text.slice(start, end), room };
      }
    } else {
      for (const [start, end] of sentenceGroups(text)) {
        const piece = text.slice(start, end);
        yield { heading, copy, start, end, text: piece, room: size(piece) };
      }
    }
  }
}

/**
 * Returns the stem of a term in its British spelling, which all forms of a word share.
 * @param {string} term
 */
const formOf = (term) => bothSpellings(stem(term))[0];

/**
 * Returns how often each word occurs in a text.
 * @param {string} text
 */
function formsOf(text) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { terms } of tokens(text)) {
    for (const [term] of terms) counts.set(formOf(term), (counts.get(formOf(term)) ?? 0) + 1);
  }
  return counts;
}

/**
 * Returns of each passage whether it is on the first screen that begins at a section.
 * @param {Passage[]} passages
 * @param {HTMLElement | null} opened the heading of the section, null for the top of the note
 */
function inSight(passages, opened) {
  let begun = !opened, room = ROOM;
  return passages.map((passage) => {
    begun ||= passage.heading === opened;
    const isSeen = begun && room > 0;
    if (begun) room -= passage.room;
    return isSeen;
  });
}

/**
 * Returns for each word of a query that a passage has how rare it is among the passages.
 * @param {string} query
 * @param {Map<string, number>[]} counts
 */
function rarityOf(query, counts) {
  const slots = analyse(parse(query).words).slots;
  const asked = [...new Set(slots.flatMap(({ term, parts }) => [term, ...parts]).map(formOf))].sort();
  /** @type {Map<string, number>} */
  const rarity = new Map();
  for (const form of asked) {
    const having = counts.filter((count) => count.has(form)).length;
    if (having) rarity.set(form, Math.log(1 + (counts.length - having + 0.5) / (having + 0.5)));
  }
  return rarity;
}

/**
 * Returns the score of each passage, in millionths: that of BM25 among the passages. It is undefined for a
 * passage without a word of the query.
 * @param {string} query
 * @param {Passage[]} passages
 */
function scoresOf(query, passages) {
  const counts = passages.map(({ text }) => formsOf(text));
  const lengths = counts.map((count) => [...count.values()].reduce((sum, each) => sum + each, 0));
  const mean = lengths.reduce((sum, each) => sum + each, 0) / Math.max(lengths.length, 1);
  const rarity = rarityOf(query, counts);
  const { repeat, length, heading } = PASSAGES;
  return passages.map((passage, i) => {
    if (![...rarity.keys()].some((form) => counts[i].has(form))) return undefined;
    const relative = 1 - length + (length * lengths[i]) / mean;
    const named = formsOf(passage.heading ? wordsOf(passage.heading) : "");
    let said = 0, inHeading = 0;
    for (const [form, rare] of rarity) {
      const count = counts[i].get(form) ?? 0;
      said += (rare * (repeat + 1) * count) / (count + repeat * relative);
      if (named.has(form)) inHeading += rare;
    }
    return Math.round((said + heading * inHeading) * 1e6);
  });
}

/**
 * Returns as many passages from the beginning of a section as fit into some room, but at least one.
 * @param {Passage[]} section
 * @param {number} room
 */
function within(section, room) {
  let left = room - section[0].room;
  const end = section.findIndex((passage, i) => i > 0 && (left -= passage.room) < 0);
  return section.slice(0, end < 0 ? section.length : end);
}

/**
 * Returns the places of what has at least the share `least` of the best score, the best first.
 * @param {(number | undefined)[]} scores
 */
function bestOf(scores) {
  const scored = scores.flatMap((score, at) => (score === undefined ? [] : [{ score, at }]));
  scored.sort((one, other) => other.score - one.score);
  const least = PASSAGES.least * (scored[0]?.score ?? 0);
  return scored.filter(({ score }) => score >= least).map(({ at }) => at);
}

/**
 * Returns what the card shows of a page that opens at the section `opened`. First come the beginnings of the sections
 * whose first screens say most of the query, the best first, with at most EXCERPT words each; then the passage that
 * says most of it, if it is in none of these. If its section is shown, the passage follows there. What is on the first
 * screen of `opened` is in sight already and left out: a section that begins there is shown from where the screen
 * ends. Of equal sections and passages the first one is better.
 * @param {string} query
 * @param {Passage[]} passages
 * @param {HTMLElement | null} opened null for the top of the note
 */
export function bestExcerpts(query, passages, opened) {
  const seen = inSight(passages, opened);
  /** @type {Map<HTMLElement | null, Passage[]>} */
  const sections = new Map();
  passages.forEach((passage, at) => {
    if (!seen[at]) sections.set(passage.heading, [...sections.get(passage.heading) ?? [], passage]);
  });
  sections.delete(opened);
  const begun = [...sections.values()];
  const screens = begun.map((section) => ({ ...section[0], text: within(section, ROOM).map(({ text }) => text).join("\n") }));
  const excerpts = bestOf(scoresOf(query, screens)).slice(0, PASSAGES.most)
    .map((at) => within(begun[at], EXCERPT * CHARACTERS));
  const [best] = bestOf(scoresOf(query, passages).map((score, at) => (seen[at] ? undefined : score)));
  if (best === undefined) return excerpts;
  const ofSection = excerpts.find(([{ heading }]) => heading === passages[best].heading);
  if (!ofSection) excerpts.push([passages[best]]);
  else if (!ofSection.includes(passages[best])) ofSection.push(passages[best]);
  return excerpts;
}

/**
 * Returns the words of a heading, without the link to itself.
 * @param {HTMLElement} heading
 */
export function wordsOf(heading) {
  const copy = /** @type {HTMLElement} */ (heading.cloneNode(true));
  copy.querySelector(".pn-anchor")?.remove();
  return copy.textContent?.trim() ?? "";
}
