// The search engine in the reader's browser; its twin is tools/perfnotes/search/query.py, and a
// test holds their results together. docs/search.md says how ranking works. An engine reads one
// index, whose root it has loaded first; deployed.js takes another where the site has a new index.
//
//   const search = pnSearch.create({ base: "../search/", lang: "en" });
//   search.preload();                       // fetches the root, as soon as a search is likely
//   const answer = await search.query(text, { limit: 10, expand: true, onPartial: show });
//
// answer = { results: [{ id, url, title, section, sectionUrl, lang, type, titleParts, sectionParts,
//                        snippet: [{ text, mark }], score, page }],
//            total, facets: { topic, tag, lang, level, type },  // value → number of pages
//            expanded: [words], corrected: [[typed, word]], suggestions: [{ text, kind }],
//            missing: [shards that failed], query }
// A root of another format than this engine reads is missing, and search.isOther is true.
// It is null where a later query has overtaken this one. url and sectionUrl are relative to the
// site's root. onPartial gets an answer with the first results and no counts, as soon as there are
// any; nothing more is fetched until the promise that it may give is kept. Nothing here touches the
// page but for the scripts that bring the shards; all strings are plain text: show them as text,
// never as HTML.
import { arrived } from "./reading.js";
import { Search } from "./search.js";

/** @import { EngineOptions } from "./types.d.ts" */

globalThis.pnSearch ||= /** @type {typeof pnSearch} */ ({});
pnSearch.shard = (name, data) => arrived.set(name, data);
/** @param {EngineOptions} options */
export const create = (options) => new Search(options);
pnSearch.create = create;
