// What is asked of the engine while somebody types, and which answers are shown.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Asking } from "../../tools/perfnotes/site/theme/scripts/search/asking.js";

/** @typedef {import("../../tools/perfnotes/site/theme/scripts/search/types.d.ts").Answer} Answer */

/**
 * @param {string} query
 * @param {string[]} ids
 * @returns {Answer}
 */
const answer = (query, ids) => ({
  results: ids.map((id) => /** @type {Answer["results"][number]} */ ({ id })),
  total: ids.length, facets: {}, expanded: [], corrected: [], suggestions: [], missing: [], query,
});

/**
 * An engine that answers when it is told to, and a screen that lists what happens to it.
 * @param {object} index
 */
function scene(index = {}) {
  /** @type {string[]} */
  const seen = [];
  /** @type {{ text: string, choices: any, answer: (answer: Answer | null) => void, fail: (problem: Error) => void }[]} */
  const asked = [];
  const engine = /** @type {any} */ ({
    index,
    query: (/** @type {string} */ text, /** @type {any} */ choices) => new Promise((done, fail) => {
      asked.push({ text, choices, answer: done, fail });
    }),
  });
  const screen = {
    shown: { text: "", answer: /** @type {Answer | null} */ (null) },
    asked: (/** @type {string} */ text) => seen.push(`asked ${text}`),
    show: (/** @type {string} */ text, /** @type {Answer} */ given) => {
      const how = given.missing.length ? "failed" : given.partial ? "first" : "whole";
      seen.push(`${how} ${text}: ${given.results.map(({ id }) => id)}`);
      screen.shown = { text, answer: given };
    },
    empty: () => seen.push("empty"),
    wait: () => seen.push("wait"),
    painted: () => Promise.resolve(),
  };
  return { asking: new Asking(engine, screen, () => ({ limit: 8, expand: true })), asked, seen, screen };
}
const settled = () => new Promise((done) => setImmediate(done));

test("only the answer of the latest query is shown", async () => {
  const { asking, asked, seen } = scene();
  asking.whole("one");
  asking.whole("two");
  asked[1].answer(answer("two", ["b"]));
  asked[0].answer(answer("one", ["a"]));
  await settled();
  asking.stop();
  assert.deepEqual(seen, ["asked one", "asked two", "whole two: b"]);
});

test("after a pause the first result alone is asked for, and after a longer one the whole answer", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { asking, asked, seen } = scene();
    asking.later("cache", 100);
    mock.timers.tick(99);
    assert.equal(asked.length, 0);
    mock.timers.tick(1);
    assert.deepEqual([asked[0].choices.limit, asked[0].choices.expand, seen], [1, false, []]);
    mock.timers.tick(130);
    assert.deepEqual([asked[1].choices.limit, asked[1].choices.expand, seen], [8, true, ["asked cache"]]);
    mock.timers.tick(300);
    assert.equal(seen.at(-1), "wait");
  } finally {
    mock.timers.reset();
  }
});

test("first results are shown once for a query, and waited for where there were none", async () => {
  const { asking, asked, seen } = scene();
  asking.whole("cache");
  const { onPartial } = asked[0].choices;
  assert.ok(onPartial({ ...answer("cache", ["a"]), partial: true }) instanceof Promise);
  assert.equal(onPartial({ ...answer("cache", ["b"]), partial: true }), null);
  asked[0].answer(answer("cache", ["a", "b"]));
  await settled();
  assert.deepEqual(seen, ["asked cache", "first cache: a", "whole cache: a,b"]);
});

test("an engine that fails is told of, unless the query was overtaken", async () => {
  const { asking, asked, seen } = scene();
  const error = mock.method(console, "error", () => {});
  asking.whole("one");
  asked[0].fail(new Error("no index"));
  await settled();
  asking.whole("two");
  asking.whole(" ");
  asked[1].fail(new Error("no index"));
  await settled();
  assert.deepEqual(seen, ["asked one", "failed one: ", "asked two", "asked  ", "empty"]);
  assert.equal(error.mock.callCount(), 2);
  error.mock.restore();
});

/**
 * An index in memory: a query needs the page `d/1` besides one shard of terms.
 * @param {string[]} loaded
 */
const index = (loaded) => ({
  root: {},
  loaded: new Set(loaded),
  parsed: new Map([["t/1", {}]]),
  promises: new Map(loaded.map((file) => [file, Promise.resolve({})])),
  gate: new Promise(() => {}), // another query is being fetched
  firstSlots: () => [[{}]],
  shards: () => [1],
  isPrefix: () => false,
  /** @type {(file: string) => Promise<unknown>} */
  load: () => assert.fail("a file was fetched"),
  /** @param {string} text */
  async query(text) {
    await this.gate;
    await this.load("d/1");
    return answer(text, ["a"]);
  },
});

test("what is in memory is the whole answer, at once; the address changes after a pause", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { asking, asked, seen } = scene(index(["d/1"]));
    asking.fromMemory("cache");
    asking.later("cache", 100);
    await settled();
    assert.deepEqual(seen, ["whole cache: a"]);
    mock.timers.tick(1000);
    assert.deepEqual([asked.length, seen], [0, ["whole cache: a", "asked cache"]]);
  } finally {
    mock.timers.reset();
  }
});

test("where a file is lacking, the whole answer is asked for after the pauses", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { asking, asked, seen } = scene(index([]));
    asking.fromMemory("cache");
    asking.later("cache", 100);
    await settled();
    assert.deepEqual(seen, ["whole cache: a"]); // as many results as are listed
    mock.timers.tick(100);
    mock.timers.tick(130);
    assert.deepEqual(asked.map(({ choices }) => choices.limit), [1, 8]);
  } finally {
    mock.timers.reset();
  }
});
