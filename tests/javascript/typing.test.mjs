// Pauses in typing, keys in the list of results, and what an answer comes to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { optionAfter } from "../../tools/perfnotes/site/theme/scripts/search/options.js";
import { listed, spoken } from "../../tools/perfnotes/site/theme/scripts/search/outcome.js";
import { Rhythm } from "../../tools/perfnotes/site/theme/scripts/search/rhythm.js";
import { WORDS } from "../../tools/perfnotes/site/theme/scripts/search/words.js";

/** @typedef {import("../../tools/perfnotes/site/theme/scripts/search/types.d.ts").Answer} Answer */

/**
 * @param {string[]} ids
 * @param {Partial<Answer>} [more]
 * @returns {Answer}
 */
const answer = (ids, more = {}) => ({
  results: ids.map((id) => /** @type {Answer["results"][number]} */ ({ id })),
  total: ids.length, facets: {}, expanded: [], corrected: [], suggestions: [], missing: [], query: "",
  ...more,
});

test("a pause is a little longer than the longest of the last gaps", () => {
  const rhythm = new Rhythm();
  const pauses = [0, 100, 180, 270].map((now) => rhythm.pause(1e6 + now));
  assert.deepEqual(pauses.slice(0, 2), [120, 120]); // nothing is known yet
  assert.equal(pauses[2], 1.03 * 100 + 2);
  assert.equal(rhythm.pause(1e6 + 1000), 120); // after a rest
});

test("a pause has a least and a longest length", () => {
  const fast = new Rhythm(), slow = new Rhythm();
  assert.equal([0, 20, 40, 60].map((now) => fast.pause(1e6 + now)).at(-1), 60);
  assert.equal([0, 200, 400, 600].map((now) => slow.pause(1e6 + now)).at(-1), 120);
});

test("arrows go around the list and the field, other keys belong to the text", () => {
  assert.deepEqual([-1, 0, 2].map((active) => optionAfter("ArrowDown", active, 3)), [0, 1, -1]);
  assert.deepEqual([-1, 0, 2].map((active) => optionAfter("ArrowUp", active, 3)), [2, -1, 1]);
  assert.deepEqual([-1, 1].map((active) => optionAfter("Home", active, 3)), [null, 0]);
  assert.deepEqual([-1, 1].map((active) => optionAfter("End", active, 3)), [null, 2]);
  assert.equal(optionAfter("a", 1, 3), undefined);
});

test("a first result stands above those of the query before", () => {
  const ids = (/** @type {Answer} */ { results }) => results.map(({ id }) => id);
  const before = answer(["a", "b", "c"]);
  assert.deepEqual(ids(listed(answer(["b"], { partial: true }), before, 8)), ["b", "a", "c"]);
  assert.deepEqual(ids(listed(answer(["b"], { partial: true }), before, 2)), ["b", "a"]);
  assert.deepEqual(ids(listed(answer(["b"]), before, 8)), ["b"]);
  assert.deepEqual(ids(listed(answer(["b"], { partial: true }), null, 8)), ["b"]);
});

test("a screen reader hears how many pages there are, and what did not load", () => {
  const { en } = WORDS;
  assert.equal(spoken(answer(["a"]), en, true), "1 page");
  assert.equal(spoken(answer([]), en, true), en.none);
  assert.equal(spoken(answer([], { missing: ["t/1"] }), en, true), `${en.noneThere}. ${en.missing(true)}`);
  assert.equal(spoken(answer([], { missing: ["root"] }), en, false), en.failed(false));
  assert.equal(spoken(answer([], { missing: ["root"], isOtherFormat: true }), en, true), en.changed);
  const weak = answer(["a", "b"], { isWeak: true });
  Object.assign(weak.results[0], { url: "notes/a/", sectionUrl: "notes/a/#why" });
  Object.assign(weak.results[1], { url: "help-wanted/", sectionUrl: "" });
  assert.equal(spoken(weak, en, true), `${en.noNote} ${en.count(2)}`);
  weak.results[1].sectionUrl = "help-wanted/#wanted--outside"; // what nobody is to write about
  assert.equal(spoken(weak, en, true), `${en.outside} ${en.count(2)}`);
});
