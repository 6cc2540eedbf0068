// MiniSearch over sections, with the settings that its README recommends: prefixes, a fuzziness of
// 0.2, and titles that count twice. Its own tokenizer splits at spaces and punctuation. The segmenter
// of the platform (Intl.Segmenter) splits Chinese into words.
//
//   node minisearch.mjs build SECTIONS INDEX
//   node minisearch.mjs ask INDEX QUERIES FOUND
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const MiniSearch = createRequire(join(process.cwd(), "package.json"))("minisearch");
const HAN = /\p{Script=Han}/u;
const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
const split = MiniSearch.getDefault("tokenize");

const words = (token) =>
  Array.from(segmenter.segment(token)).filter((part) => part.isWordLike).map((part) => part.segment);

const options = {
  fields: ["title", "heading", "text"],
  storeFields: ["page", "title", "heading"],
  tokenize: (text) => split(text).flatMap((token) => (HAN.test(token) ? words(token) : [token])),
  searchOptions: { boost: { title: 2 }, prefix: true, fuzzy: 0.2 },
};

function build(sections, index) {
  const engine = new MiniSearch(options);
  readFileSync(sections, "utf8").split("\n").filter(Boolean).forEach((line, id) => {
    const [page, title, heading, text] = JSON.parse(line);
    engine.add({ id, page, title, heading, text });
  });
  writeFileSync(index, JSON.stringify(engine));
}

// A page has the rank of its best section.
function ask(index, queries, found) {
  const engine = MiniSearch.loadJSON(readFileSync(index, "utf8"), options);
  const answers = JSON.parse(readFileSync(queries, "utf8")).map((query) =>
    Array.from(new Set(engine.search(query).map((result) => result.page))).slice(0, 10));
  writeFileSync(found, JSON.stringify(answers));
}

const [, , what, ...files] = process.argv;
({ build, ask })[what](...files);
