// Where exact phrases stand in the blocks of a page, and in a text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blockWith, rangeOf } from "../../tools/perfnotes/site/theme/scripts/search/phrases.js";

/** @type {import("../../tools/perfnotes/site/theme/scripts/search/types.d.ts").Block[]} */
const BLOCKS = [
  ["", "", "About two ranks."],
  ["hang", "When it hangs", "A rank is missing. It waits for"],
  ["hang", "", "the others. A Mismatch hangs."],
];

test("a block has the heading of its section", () => {
  assert.deepEqual(blockWith(BLOCKS, ["a mismatch"]), ["hang", "When it hangs", BLOCKS[2][2]]);
});

test("the block with most of the phrases is taken", () => {
  assert.deepEqual(blockWith(BLOCKS, ["rank", "is missing"]), BLOCKS[1]);
});

test("a phrase may begin in a block and end in the next", () => {
  const both = `${BLOCKS[1][2]} ${BLOCKS[2][2]}`;
  assert.deepEqual(blockWith(BLOCKS, ["waits for the others"]), ["hang", "When it hangs", both]);
  assert.equal(blockWith(BLOCKS, ["two others"]), undefined);
});

test("the range of a phrase is that of the text as it is written", () => {
  for (const [text, phrase, words] of [
    ["A rank: A Mismatch  hangs.", "a mismatch hangs", "A Mismatch  hangs"],
    ["避免偽共享。", "伪共享", "偽共享"],
    ["It’s 1,024 bytes", "it's 1024", "It’s 1,024"],
  ]) {
    const range = rangeOf(text, phrase);
    assert.equal(range && text.slice(...range), words);
  }
  assert.equal(rangeOf("a rank", "ranks"), undefined);
});
