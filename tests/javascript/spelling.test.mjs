// Words near a word that was typed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mostSlips, distance, nearest } from "../../tools/perfnotes/site/theme/scripts/search/spelling.js";

test("short words forgive no slip, long ones two", () => {
  assert.deepEqual(["abc", "abcd", "abcdefg", "abcdefgh"].map(mostSlips), [0, 1, 1, 2]);
});

test("a change, a letter too many or too few and a swap are one slip each", () => {
  for (const word of ["cachf", "cach", "cachee", "cahce", "acche"]) {
    assert.equal(distance(word, "cache", 2, false), 1, word);
  }
  assert.equal(distance("cache", "cache", 2, false), 0);
  assert.equal(distance("cache", "warps", 2, false), 3); // more than two
  assert.equal(distance("vectorizes", "cache", 2, false), 3); // too long to look at
});

test("of the beginning of a word only as much counts as suits", () => {
  assert.equal(distance("vetcor", "vectorization", 2, true), 1);
  assert.equal(distance("vetcor", "vectorization", 2, false), 3);
});

test("the nearest and most common words come first, and no far ones beside them", () => {
  /** @type {[word: string, common: number][]} */
  const words = [["cached", 5], ["caches", 9], ["cactus", 50], ["cache", 1]];
  assert.deepEqual(nearest("cache", words, false, 2), [["cache", 0]]);
  assert.deepEqual(nearest("cachez", words, false, 2), [["caches", 1], ["cached", 1], ["cache", 1]]);
  assert.deepEqual(nearest("warps", words, false, 2), []);
});
