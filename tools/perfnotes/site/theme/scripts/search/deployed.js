// Searches the index that the site has now, also after a new index was deployed. A tab may stay open
// for days, and browsers keep the root of an index for as long as the server lets them.
//
// Every file of an index but its root has a digest of its contents in its name. An engine that has
// loaded a root therefore gets a file of its own index or none, and never one of another index. If it
// gets none, the root is fetched again, past the browser's cache. If it has become the root of another
// index, an engine for that index replaces the first one, and the whole query is asked once more.
//
// An answer has `isOther: true` where the site's index has a format that this script cannot read:
// then the page has to be loaded again.
import { Search } from "./search.js";

/** @import { Answer, Choices, Deployed, EngineOptions } from "./types.d.ts" */

/**
 * @param {EngineOptions} options
 * @returns {Deployed}
 */
export function deployed(options) {
  const OLD = 10 * 60 * 1000; // ms after which the root is compared with the site's when the search opens
  const TIMES = 2; // how often one query is asked again
  let asked = 0, checked = Date.now();
  /** @type {Promise<boolean> | null} */
  let renewal = null;
  const look = () => (renewal ||= renew().finally(() => (renewal = null)));
  /** @param {string} again */
  const over = (again) => {
    /** @type {Search} */
    const engine = new Search({
      ...options, again,
      onMissing: (name) => {
        if (name !== "root" && engine === index) look();
      },
    });
    return engine;
  };
  let index = over("");

  // Returns whether another engine has replaced this one.
  async function renew() {
    const old = index, fresh = over(`?again=${Date.now()}`);
    checked = Date.now();
    if (!(await fresh.preload()) && !fresh.isOther) return false;
    if (index !== old) return true;
    if (fresh.root && old.root && fresh.root.v === old.root.v) return false;
    if (fresh.root) fresh.again = "";
    old.leave();
    index = fresh;
    // This puts the new root into the browser's cache.
    if (location.protocol !== "file:") fetch(`${options.base}root.js`, { cache: "reload" }).catch(() => {});
    return true;
  }

  /**
   * @param {string} text
   * @param {Choices} choices
   */
  async function query(text, choices) {
    const mine = ++asked;
    for (let left = TIMES; ; left--) {
      const own = index;
      let answer = await own.query(text, choices);
      if (left) await (own.isOther ? look() : renewal);
      if (mine !== asked) return null;
      if (own !== index && left) continue;
      if (answer && own.isOther) answer = { ...answer, isOther: true };
      return answer;
    }
  }

  async function preload() {
    if (index.root && Date.now() - checked > OLD) await look();
    return index.preload();
  }

  return {
    get index() { return index; },
    get facets() { return index.facets; },
    query,
    preload,
    begin: (/** @type {string} */ text) => index.begin(text),
    // The next query adds this to the addresses of files, since the browser's cache may hold a broken one.
    retry: () => {
      index.again = `?again=${Date.now()}`;
    },
  };
}
