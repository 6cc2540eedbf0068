// What pages count, and what an answer shows of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { folded } from "../../tools/perfnotes/site/theme/scripts/search/folding.js";
import { bestBlock, loosened, saidOnce, score, takeBetter } from "../../tools/perfnotes/site/theme/scripts/search/scoring.js";
import { marked, snippet } from "../../tools/perfnotes/site/theme/scripts/search/snippets.js";

/**
 * @param {string} term
 * @param {import("../../tools/perfnotes/site/theme/scripts/search/types.d.ts").SlotKind} kind
 * @param {number} at
 * @param {number} df
 * @param {[page: number, found: [value: number, block: number]][]} pages
 */
const row = (term, kind, at, df, pages) =>
  ({ slot: { term, kind, at, parts: [] }, hits: { df, pages: new Map(pages), terms: [term] } });
const idf = () => 100;

test("a page that has every word counts more than twice one that has half of them", () => {
  const rows = [
    row("cache", "word", 0, 1, [[1, [3000, 0]], [2, [3000, 4]]]),
    row("line", "word", 5, 1, [[1, [3000, 2]]]),
  ];
  const scores = score(rows, idf);
  const [first, second] = [scores.get(1), scores.get(2)];
  assert.ok(first && second && first.value > 2 * second.value);
  assert.equal(bestBlock(scores.get(2)), 4);
  assert.equal(bestBlock(undefined), 0);
});

test("the words of a note and of its twin count together", () => {
  const rows = [
    row("cache", "word", 0, 1, [[1, [2000, 5]], [2, [1000, 4]], [3, [2000, 0]]]),
    row("line", "word", 5, 1, [[2, [1000, 3]]]),
  ];
  const joined = score(rows, idf, new Set([2])), apart = score(rows, idf);
  const whole = score([row("cache", "word", 0, 1, [[1, [2000, 5]]]), row("line", "word", 5, 1, [[1, [1000, 3]]])], idf);
  assert.equal(joined.get(1)?.value, whole.get(1)?.value);
  assert.equal(joined.get(2)?.value, whole.get(1)?.value);
  assert.equal(joined.get(3)?.value, apart.get(3)?.value);
  assert.deepEqual([1, 2].map((page) => [...joined.get(page)?.blocks.keys() || []]), [[5], [4, 3]]);
});

test("the score of a symptom goes to both languages of its note", () => {
  const scores = new Map([1, 2, 3].map((page) => [page, { value: page === 3 ? 9 : 1, blocks: new Map() }]));
  const found = folded(scores, new Map([[3, 1]]), new Set([2]));
  assert.deepEqual([...found.keys()], [1, 2]);
  assert.deepEqual(found.get(1), found.get(2));
  assert.equal(found.get(1)?.symptom, 3);
});

test("a word that is repeated counts once", () => {
  const rows = [row("ms", "word", 0, 1, []), row("线程", "pair", 1, 1, []), row("ms", "word", 2, 1, []),
    row("线程", "pair", 3, 1, []), row("秒", "char", 4, 1, [])];
  assert.deepEqual(saidOnce(rows).map(({ slot }) => slot.at), [0, 1, 3, 4]);
});

test("another name of the same counts less and takes nothing away", () => {
  const scores = new Map([[1, { value: 10, blocks: new Map() }]]);
  assert.equal(takeBetter(scores, new Map([[1, { value: 11, blocks: new Map() }], [2, { value: 5, blocks: new Map() }]]), 0.8), true);
  assert.deepEqual([...scores].map(([page, { value }]) => [page, value]), [[1, 10], [2, 4]]);
  assert.equal(takeBetter(scores, new Map(), 0.8), false);
});

test("a pair that is much rarer than its neighbours joins two words", () => {
  const rows = [row("内存", "pair", 0, 10, []), row("存对", "pair", 1, 1, []), row("对齐", "pair", 2, 10, [])];
  assert.deepEqual(loosened(rows).map(({ slot }) => slot.kind), ["pair", "loose", "pair"]);
});

test("words that were found are marked, in any script", () => {
  assert.deepEqual(marked("Cache lines, 内存对齐", ["cache", "对齐"]), [
    { text: "Cache", mark: true }, { text: " lines, 内存", mark: false }, { text: "对齐", mark: true },
  ]);
  assert.deepEqual(marked("<b>x</b>", ["nothing"]), [{ text: "<b>x</b>", mark: false }]);
});

test("a snippet holds the words and no halves of others", () => {
  const text = `${"before ".repeat(100)}pinned memory ${"behind ".repeat(100)}`;
  const parts = snippet(text, ["pinned", "memory"]);
  const said = parts.map((part) => part.text).join("");
  assert.deepEqual(parts.filter((part) => part.mark).map((part) => part.text), ["pinned", "memory"]);
  assert.match(said, /^… (before )+pinned memory (behind )*behind …$/);
  assert.ok(said.length < 240);
});
