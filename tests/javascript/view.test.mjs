// The words of a result with which the browser looks for its place on the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { view } from "../../tools/perfnotes/site/theme/scripts/search/view.js";

/**
 * @param {string} before
 * @param {string} mark
 * @param {string} after
 */
const words = (before, mark, after) =>
  view.passage([{ text: before, mark: false }, { text: mark, mark: true }, { text: after, mark: false }]);

test("the words beside the first match are taken, within its clause", () => {
  assert.equal(words("One. The disk is not quite ", "steady", ": half of the samples lie lower."),
    "not quite steady");
  assert.equal(words("这里说明。", "每个工作进程", "一开始就设好线程数。"), "每个工作进程一开始就设好线程数");
});

test("an exact phrase needs no words before it", () => {
  assert.equal(words("The address is gone ", "mmap itself supplies", " nothing but it, at first"),
    "mmap itself supplies nothing");
});

test("so few words that they often stand elsewhere on the page are not", () => {
  assert.equal(words("all ", "freed", " · glibc · tcmalloc · jemalloc"), "");
  assert.equal(words("出处：", "峰值", "运算速率；其余"), "");
});
