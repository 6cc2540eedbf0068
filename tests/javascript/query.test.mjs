// What a query says and what is looked up for it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { analyse } from "../../tools/perfnotes/site/theme/scripts/search/analysis.js";
import { MOST_SLOTS } from "../../tools/perfnotes/site/theme/scripts/search/constants.js";
import { parse } from "../../tools/perfnotes/site/theme/scripts/search/parse.js";

/** @param {string} text */
const terms = (text) => analyse(text).slots.map(({ term, kind }) => [term, kind]);

test("phrases, filters and excluded words are told apart", () => {
  assert.deepEqual(parse('"cache line" tag:SIMD write -huge -"false sharing"'), {
    words: "cache line   write", phrases: ["cache line"], excluded: ["huge", "false sharing"],
    filters: [["tag", "simd"]],
  });
});

test("an option of a program is searched, and a first word is never excluded", () => {
  assert.deepEqual(parse("gcc -O3 --param -ffast-math").excluded, []);
  assert.equal(parse("-huge").words, "-huge");
});

test("an unpaired quote and an empty query do no harm", () => {
  for (const text of ["", '"', '""', " - ", "tag:", "\u0000", "[a-z]*("]) {
    const query = parse(text);
    assert.deepEqual(query.filters, [], text);
    analyse(query.words);
  }
});

test("words, compounds, runs of Chinese and signs become slots", () => {
  assert.deepEqual(terms("why is the cache slow"), [["cache", "word"], ["slow", "word"]]);
  assert.deepEqual(terms("the"), [["the", "word"]]); // nothing else was typed
  assert.deepEqual(terms("内存的对齐"), [["内存", "pair"], ["对齐", "pair"]]);
  assert.deepEqual(terms("<<<"), [["?<<<?", "pair"]]);
  const [slot, ...more] = analyse("std::nth_element").slots;
  assert.deepEqual([slot.term, slot.kind, slot.parts], ["stdnthelement", "code", ["std", "nth", "element"]]);
  assert.deepEqual(more, []);
});

test("what belongs to a name is no sign", () => {
  assert.deepEqual(analyse("[[ ${var:-word} -- $@ ]]").signs, ["?[[?", "?${?", "?:-?", "?--?"]);
  for (const name of ["__rdtsc", "std::vector", "a->b", "perf stat --topdown", "__init__"]) {
    assert.deepEqual(analyse(name).signs, [], name);
  }
});

test("a query of any length has few slots", () => {
  assert.equal(analyse(parse("内存 cache ".repeat(5000)).words).slots.length, MOST_SLOTS);
});
