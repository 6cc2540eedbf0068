// The part of a text that a result shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { snippet } from "../../tools/perfnotes/site/theme/scripts/search/snippets.js";

/**
 * @param {string} text
 * @param {string[]} terms
 * @param {string[]} [phrases]
 */
const shown = (text, terms, phrases) => snippet(text, terms, phrases).map((part) => part.text).join("");

test("a text that fits is shown whole", () => {
  const text = "`grep TLB /proc/interrupts` before and after the run: the count rises with each of the cores.";
  assert.equal(shown(text, ["cores"]), text);
});

test("no word is cut in two, and as much is shown as fits", () => {
  const text = `${"some words ".repeat(30)}MemoryWorkloadAnalysis_Tables shows the cores of it`;
  const found = shown(text, ["cores"]);
  assert.match(found, /^… (some|words) /);
  assert.match(found, /MemoryWorkloadAnalysis_Tables shows the cores of it$/);
});

test("the words that were found are shown where they stand in the middle", () => {
  const text = `${"one two ".repeat(60)}cores ${"three four ".repeat(60)}`;
  const found = shown(text, ["cores"]);
  assert.match(found, /^… (one|two) .*cores three four .* …$/);
  assert.ok(found.length < 270);
});

test("an exact phrase is shown and is the first mark", () => {
  const text = `cores of it ${"one two ".repeat(60)}and of three cores it says ${"cores it ".repeat(60)}`;
  assert.match(shown(text, ["cores"], ["of three Cores"]), /^… .*and of three cores it says cores .* …$/);
  assert.equal(snippet(text, ["cores"], ["of three Cores"]).find((part) => part.mark)?.text, "of three cores");
});
