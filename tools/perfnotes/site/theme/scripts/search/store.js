// Loads the index, a root and shards; the same as tools/perfnotes/search/store.py. Its files are scripts
// because browsers load these over HTTP and also from a folder on disk.
import { numbers, shardAt, unique, unpack } from "./codec.js";
import { DIGEST_LENGTH, FORMAT, KINDS, TERM_GROUP } from "./constants.js";
import { fold } from "./tokens.js";

/** @import { Block, EngineOptions, Facets, Root, Shard } from "./types.d.ts" */

globalThis.pnSearch ||= /** @type {typeof pnSearch} */ ({});
export const arrived = /** @type {Map<string, any>} */ (pnSearch.arrived ||= new Map());

/**
 * Returns a text as phrases are compared: folded, in lower case, with single spaces.
 * @param {string} text
 */
export const plain = (text) => fold(text).toLowerCase().split(/\s+/).filter(Boolean).join(" ");

/**
 * Returns the headings and texts of blocks.
 * @param {Block[]} blocks
 */
export const textOf = (blocks) => blocks.map(([, heading, text]) => `${heading}\n${text}`).join("\n");

/**
 * Returns the note of each symptom. `runs` has in turn the number of pages that are no symptoms, and the number
 * of symptoms that follow them. These symptoms belong to the last page before them.
 * @param {number[]} runs
 * @param {Set<number>} twins
 */
function notesOfSymptoms(runs, twins) {
  /** @type {Map<number, number>} */
  const found = new Map();
  let page = 0;
  for (let i = 0; i + 1 < runs.length; i += 2) {
    page += runs[i];
    const note = twins.has(page - 1) ? page - 2 : page - 1;
    for (const end = page + runs[i + 1]; page < end; page++) found.set(page, note);
  }
  return found;
}

export class ShardStore {
  /** @type {Root | undefined} */
  root;
  /** @type {Facets | undefined} */
  facets;
  /** @type {number[]} the first page of each group of pages */
  firsts = [0];
  /** @type {string[]} the first term of each shard */
  bounds = [];
  /** @type {string[]} the first word of each shard of words */
  words = [];
  /** @type {string[]} the first entry of each shard of words without their first letters */
  tails = [];
  /** @type {Set<number>} pages that are translations of the page before them */
  twins = new Set();
  /** @type {Map<number, number>} the note of each symptom, both as numbers of pages */
  notes = new Map();
  /** @type {Set<number>} the documents of subjects without a note, stored like symptoms of a page */
  subjects = new Set();
  /**
   * `again` is added to every address, so that the browser's cache is not used. `onMissing` is called
   * if a shard does not load.
   * @param {EngineOptions} options
   */
  constructor({ base, lang, again = "", onMissing = () => {} }) {
    this.base = base;
    this.lang = lang || "en";
    this.again = again;
    this.onMissing = onMissing;
    this.isOtherFormat = false; // whether the root has a format that this script does not read
    /** @type {Map<string, Promise<any>>} */
    this.promises = new Map();
    /** @type {Set<string>} */
    this.loaded = new Set(); // the files that have come
    /** @type {Map<string, Shard>} */
    this.parsed = new Map();
    /** @type {Set<number>} */
    this.begun = new Set(); // shards of terms that were fetched while the query was typed
    this.turn = 0;
    this.painted = false; // whether first results of any query were shown
  }

  /**
   * Loads a shard. The promise gives null if the shard is missing or broken; a later query tries again.
   * @param {string} name
   * @returns {Promise<any>}
   */
  load(name) {
    let promise = this.promises.get(name);
    if (!promise) {
      // The page has begun to load the root beside this script, for the first engine only.
      const { rootCame } = pnSearch;
      const isBegun = name === "root" && !this.again && rootCame;
      if (isBegun) pnSearch.rootCame = null;
      promise = isBegun ? rootCame.then(() => this.taken(name) ?? this.fetched(name)) : this.fetched(name);
      promise.then((data) => data && this.loaded.add(name));
      this.promises.set(name, promise);
    }
    return promise;
  }

  /**
   * Takes the data of a shard that has arrived. A browser fires the load event of a script directly after it
   * has run, so no shard of another index with the same name can arrive in between.
   * @param {string} name
   */
  taken(name) {
    const [own] = this.placed(name), data = arrived.get(own);
    arrived.delete(own);
    return data;
  }

  /**
   * @param {string} name
   * @returns {Promise<any>}
   */
  fetched(name) {
    return new Promise((done) => {
      const element = document.createElement("script");
      const end = () => {
        element.remove();
        const data = this.taken(name);
        if (data === undefined) {
          this.missing.add(name);
          this.promises.delete(name);
          this.onMissing(name);
          done(null);
        } else done(data);
      };
      element.onload = end;
      element.onerror = end;
      element.async = true;
      element.src = this.address(name);
      document.head.append(element);
    });
  }

  /**
   * Returns the name that a shard has in its file, and the place of its digest among those that the root lists.
   * Pages of one group share a digest, and so do TERM_GROUP shards of terms. In a file's name, pages are
   * counted from the first of their group.
   * @param {string} name
   * @returns {[own: string, place: number]}
   */
  placed(name) {
    const [kind, rest] = name.split("/"), number = parseInt(rest, 10) || 0;
    if (kind !== "d") return [name, kind === "t" ? Math.floor(number / TERM_GROUP) : number];
    const after = this.firsts.findIndex((first) => first > number);
    const group = (after < 0 ? this.firsts.length : after) - 1;
    return [`d/${number - this.firsts[group]}${rest.slice(`${number}`.length)}`, group];
  }

  /**
   * Returns the address of a shard: its name, with the digest of its contents.
   * @param {string} name
   */
  address(name) {
    const [own, place] = this.placed(name), at = DIGEST_LENGTH * place;
    const digests = this.root && (this.root.files[name.split("/")[0]] || "");
    const digest = digests === undefined ? "" : `.${digests.slice(at, at + DIGEST_LENGTH)}`;
    return `${this.base}${own}${digest}.js${this.again}`;
  }

  /** @type {Set<string>} shards that did not come */
  missing = new Set();

  /** Loads the root. Returns whether the index can be searched. */
  async preload() {
    if (this.root) return true;
    const data = await this.load("root");
    if (!data || this.root) return !!this.root;
    this.isOtherFormat = data.format !== FORMAT;
    if (this.isOtherFormat) {
      this.promises.delete("root");
      this.missing.add("root");
      return false;
    }
    this.root = data;
    if (data.m) { // short facets come with the root
      this.promises.set("m", Promise.resolve(data.m));
      this.loaded.add("m");
    }
    this.firsts = [0];
    for (const many of numbers(data.groups)) this.firsts.push(this.firsts[this.firsts.length - 1] + many);
    this.bounds = unpack(data.t);
    this.words = unpack(data.w);
    this.tails = unpack(data.x);
    let page = 0;
    for (const gap of numbers(data.twins)) this.twins.add((page += gap));
    this.notes = notesOfSymptoms(numbers(data.symptoms), this.twins);
    const wanted = this.notes.get(data.subjects || -1);
    this.subjects = new Set([...this.notes].filter(([, page]) => page === wanted).map(([part]) => part));
    return true;
  }

  /** Loads a shard of terms into `parsed`. @param {number} number */
  async terms(number) {
    const name = `t/${number}`;
    if (this.parsed.has(name)) return;
    const data = await this.load(name);
    if (!data) return;
    this.parsed.set(name, {
      terms: unpack(data[0]), postings: data[1].split(" "), long: data[2], names: data[3],
      decoded: new Map(),
    });
  }

  /** Loads shards of terms. @param {number[]} numbers */
  needs(numbers) {
    return Promise.all(unique(numbers).map((n) => this.terms(n)));
  }

  /** Returns the number of the shard in which a term would be. @param {string} term */
  at(term) { return shardAt(this.bounds, term); }

  /** @returns {Promise<Facets | null>} */
  async facetsOf() {
    if (this.facets) return this.facets;
    const data = await this.load("m");
    if (!data) return null;
    /** @type {Facets["values"]} */
    const values = {};
    /** @type {Facets["tags"]} */
    const tags = {};
    for (const kind of KINDS) {
      /** @type {string[]} */
      const list = [];
      const runs = numbers(data.runs[kind]);
      for (let i = 0; i < runs.length; i += 2) {
        for (let k = 0; k < runs[i + 1]; k++) list.push(data.names[kind][runs[i]]);
      }
      values[kind] = list;
    }
    for (const [tag, gaps] of Object.entries(/** @type {Record<string, string>} */ (data.tags))) {
      let page = 0;
      tags[tag] = new Set(numbers(gaps).map((gap) => (page += gap)));
    }
    return (this.facets = { values, tags, titles: data.titles });
  }

  /** Returns a page's title and whole text, as phrases are compared. @param {number} page */
  async text(page) {
    const data = await this.load(`d/${page}`);
    return data ? plain(`${data[2]}\n${textOf(await this.blocks(page))}`) : "";
  }

  /** Returns all blocks of a page; they end where a file does not load. @param {number} page */
  async blocks(page) {
    /** @type {Block[]} */
    const found = [];
    for (let i = 0, many = 1; i < many; i++) {
      const data = await this.load(i ? `d/${page}-${i}` : `d/${page}`);
      if (!data) break;
      found.push(...data[5]);
      many = data[6] || 1;
    }
    return found;
  }
}
