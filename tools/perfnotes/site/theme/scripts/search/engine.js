// The search engine in the reader's browser. tools/perfnotes/search/query.py is the same in Python, and
// a test holds their results together. docs/search.md says how ranking works. An engine reads one
// index, whose root it has loaded first; deployed.js takes another where the site has a new index.
//
//   const search = pnSearch.create({ base: "../search/", lang: "en" });
//   search.preload();                       // fetches the root, as soon as a search is likely
//   const answer = await search.query(text, { limit: 10, expand: true, onPartial: show });
//
// Answer in types.d.ts says what an answer has. The answer is null if another query was asked before this one was answered. If the root has a format that
// this engine does not read, the root counts as missing, and search.isOtherFormat is true. url and sectionUrl
// are relative to the root of the site. onPartial gets an answer with the first results and no counts, as soon
// as there are any; if it returns a promise, nothing more is fetched until that is fulfilled. The engine adds
// script elements to the page to load shards, and changes nothing else. All strings are plain text: show them
// as text, never as HTML.
import { arrived } from "./store.js";
import { Search } from "./search.js";

/** @import { EngineOptions } from "./types.d.ts" */

pnSearch.shard = (name, data) => arrived.set(name, data);
/** @param {EngineOptions} options */
export const create = (options) => new Search(options);
pnSearch.create = create;
