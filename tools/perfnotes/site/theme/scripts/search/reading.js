// The index as a page reads it: a root, and shards that arrive as scripts, so that one way of loading
// works over HTTP and in an unpacked download.
import { numbers, shardAt, unique, unpack } from "./codec.js";
import { DIGEST_LENGTH, FORMAT, GROUP, KINDS } from "./constants.js";
import { fold } from "./tokens.js";

export const arrived = new Map();

// A text as phrases are looked up in it.
export const plain = (text) => fold(text).toLowerCase().split(/\s+/).filter(Boolean).join(" ");

export class Reading {
  // `again` ends every address, so that a browser does not take what it has kept; `onMissing` is
  // called where a shard does not come.
  constructor({ base, lang, again = "", onMissing = (_name) => {} }) {
    this.base = base;
    this.lang = lang || "en";
    this.again = again;
    this.onMissing = onMissing;
    this.isOther = false; // whether the root is that of an index of another format
    this.promises = new Map();
    this.parsed = new Map();
    this.begun = new Set(); // shards that were fetched ahead of the first results
    this.turn = 0;
    this.painted = false; // whether first results of the query that is typed were shown
  }

  // One shard; null where it is missing or broken, which a later query tries again.
  load(name) {
    let promise = this.promises.get(name);
    if (!promise) {
      promise = new Promise((done) => {
        const element = document.createElement("script");
        const end = () => {
          element.remove();
          const data = arrived.get(name);
          arrived.delete(name);
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
      this.promises.set(name, promise);
    }
    return promise;
  }

  // Where a shard lies: its name, and the digest of what it holds, which the root lists. Pages of
  // one group share a digest.
  address(name) {
    const [kind, rest] = name.split("/"), number = parseInt(rest, 10) || 0;
    const at = DIGEST_LENGTH * (kind === "d" ? Math.floor(number / GROUP) : number);
    const digest = this.root ? `.${(this.root.files[kind] || "").slice(at, at + DIGEST_LENGTH)}` : "";
    return `${this.base}${name}${digest}.js${this.again}`;
  }

  missing = new Set();

  async preload() {
    if (this.root) return true;
    const data = await this.load("root");
    if (!data || this.root) return !!this.root;
    this.isOther = data.format !== FORMAT;
    if (this.isOther) {
      this.promises.delete("root");
      this.missing.add("root");
      return false;
    }
    this.root = data;
    this.bounds = unpack(data.t);
    this.words = unpack(data.w);
    this.tails = unpack(data.x);
    this.twins = new Set();
    let page = 0;
    for (const gap of numbers(data.twins)) this.twins.add((page += gap));
    return true;
  }

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

  needs(numbers) {
    return Promise.all(unique(numbers).map((n) => this.terms(n)));
  }

  at(term) { return shardAt(this.bounds, term); }

  async facetsOf() {
    if (this.facets) return this.facets;
    const data = await this.load("m");
    if (!data) return null;
    const values = {}, tags = {};
    for (const kind of KINDS) {
      const list = [], runs = numbers(data.runs[kind]);
      for (let i = 0; i < runs.length; i += 2) {
        for (let k = 0; k < runs[i + 1]; k++) list.push(data.names[kind][runs[i]]);
      }
      values[kind] = list;
    }
    for (const [tag, gaps] of Object.entries(data.tags)) {
      let page = 0;
      tags[tag] = new Set(numbers(gaps).map((gap) => (page += gap)));
    }
    return (this.facets = { values, tags });
  }

  async text(page) {
    const parts = [];
    for (let i = 0, many = 1; i < many; i++) {
      const data = await this.load(i ? `d/${page}-${i}` : `d/${page}`);
      if (!data) break;
      if (!i) parts.push(data[2]);
      for (const [, heading, text] of data[5]) parts.push(`${heading}\n${text}`);
      many = data[6] || 1;
    }
    return plain(parts.join("\n"));
  }
}
