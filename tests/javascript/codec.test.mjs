// Numbers and sorted words as the index's files hold them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bisect, decode, numbers, shardAt, unique, unpack } from "../../tools/perfnotes/site/theme/scripts/search/codec.js";
import { ALPHABET } from "../../tools/perfnotes/site/theme/scripts/search/constants.js";

/** @param {number} value */
const sign = (value) => ALPHABET[value];

test("one, two and four signs hold numbers of every size", () => {
  assert.deepEqual(numbers(""), []);
  assert.deepEqual(numbers(sign(0) + sign(59)), [0, 59]);
  assert.deepEqual(numbers(sign(60) + sign(0)), [60]);
  assert.deepEqual(numbers(sign(88) + sign(89)), [2669]);
  assert.deepEqual(numbers(sign(89) + sign(0) + sign(0) + sign(0)), [2670]);
  assert.deepEqual(numbers(sign(89) + sign(1) + sign(2) + sign(3) + sign(7)), [2670 + 8100 + 183, 7]);
});

test("a posting is a gap, an impact and perhaps a block", () => {
  const text = sign(4) + sign(12) + sign(0) + sign(30 + 5) + sign(9);
  assert.deepEqual(decode(text), [4, 12, 0, 5, 5, 9]);
});

test("a word is what it shares with the one before it, and the rest", () => {
  assert.deepEqual(unpack(""), []);
  assert.deepEqual(unpack(`${sign(0)}cache ${sign(5)}s ${sign(3)}he`), ["cache", "caches", "cache".slice(0, 3) + "he"]);
});

test("a shard begins with its bound", () => {
  const bounds = ["b", "d", "d", "f"];
  assert.deepEqual(["a", "b", "c", "d", "e", "z"].map((term) => shardAt(bounds, term)), [0, 0, 0, 2, 2, 3]);
  assert.equal(bisect(bounds, "d", false), 1);
  assert.equal(bisect(bounds, "d", true), 3);
  assert.deepEqual(unique([3, 1, 3, 2, 1]), [3, 1, 2]);
});
