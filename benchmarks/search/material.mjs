// The search of Material for MkDocs: its own worker script, run in Node as a browser would run it.
//
//   node material.mjs JAVASCRIPTS INDEX QUERIES FOUND
//
// Writes to FOUND the addresses of the first ten pages for each query, the files that the worker
// loaded, and the CPU seconds until it was ready for the first query.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import vm from "node:vm";

const [, , scripts, index, queries, found] = process.argv;
const SETUP = 0, QUERY = 2;
const folder = join(scripts, "workers");
const worker = readdirSync(folder).find((name) => /^search\.\w+\.min\.js$/.test(name));
const files = [];

let listener, answered;
const scope = vm.createContext({
  console,
  addEventListener: (kind, heard) => (listener = heard),
  postMessage: (message) => answered(message.data),
  importScripts: (...paths) => paths.forEach((path) => load(join(folder, path))),
});
vm.runInContext("self = globalThis", scope);

function load(file) {
  files.push(relative(scripts, file));
  vm.runInContext(readFileSync(file, "utf8"), scope, { filename: file });
}

const tell = (type, data) => new Promise((done) => {
  answered = done;
  listener({ data: { type, data } });
});

load(join(folder, worker));
const text = readFileSync(index, "utf8");
const began = process.cpuUsage();
await tell(SETUP, { ...JSON.parse(text), options: { suggest: false } });
const { user, system } = process.cpuUsage(began);
const answers = [];
for (const query of JSON.parse(readFileSync(queries, "utf8"))) {
  const { items } = await tell(QUERY, query);
  const pages = items.map((group) => group[0].location.split("#")[0]);
  answers.push(Array.from(new Set(pages)).slice(0, 10));
}
writeFileSync(found, JSON.stringify({ answers, files, setup: (user + system) / 1e6 }));
