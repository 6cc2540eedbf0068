// Searches the index that the site has now, also after a new index was deployed. A tab may stay open
// for days, and browsers keep the root of an index for as long as the server lets them.
//
// Every file of an index but its root has a digest of its contents in its name. An engine that has loaded a
// root therefore gets a file of its own index or no file, and never a file of another index. If a file is
// missing, the root is fetched again without the browser's cache. If the site has another root now, an engine
// for its index replaces the first one, and the whole query is asked again.
//
// An answer has `isOtherFormat: true` where the site's index has a format that this script cannot read:
// then the page has to be loaded again.
import { Search } from "./search.js";

/** @import { Answer, Choices, Deployed, EngineOptions } from "./types.d.ts" */

/**
 * @param {EngineOptions} options
 * @returns {Deployed}
 */
export function deployed(options) {
  const OLD = 10 * 60 * 1000; // ms; an older root is compared with that of the site when the search opens
  const TIMES = 2; // how often one query is asked again at most
  let asked = 0, checked = Date.now();
  /** @type {Promise<boolean> | null} */
  let renewal = null;
  const checkRoot = () => (renewal ||= renew().finally(() => (renewal = null)));
  /** @param {string} again */
  const engineWith = (again) => {
    /** @type {Search} */
    const engine = new Search({
      ...options, again,
      onMissing: (name) => {
        if (name !== "root" && engine === index) checkRoot();
      },
    });
    return engine;
  };
  let index = engineWith("");

  // Returns whether another engine has replaced this one.
  async function renew() {
    const old = index, fresh = engineWith(`?again=${Date.now()}`);
    checked = Date.now();
    if (!(await fresh.preload()) && !fresh.isOtherFormat) return false;
    if (index !== old) return true;
    if (fresh.root && old.root && fresh.root.v === old.root.v) return false;
    if (fresh.root) fresh.again = "";
    old.abandon();
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
      if (left) await (own.isOtherFormat ? checkRoot() : renewal);
      if (mine !== asked) return null;
      if (own !== index && left) continue;
      if (answer && own.isOtherFormat) answer = { ...answer, isOtherFormat: true };
      return answer;
    }
  }

  async function preload() {
    if (index.root && Date.now() - checked > OLD) await checkRoot();
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
