// The site's service worker: pages that were read once can be read and searched without a network.
// Every request goes to the network first, and the worker's cache answers if that fails. The browser's
// HTTP cache lies between, so a page may be as old as the server lets browsers keep it. `pnSite.version`
// is the version of the site; a worker of a new version deletes the cache of the last one.
"use strict";
const worker = /** @type {WorkerScope} */ (/** @type {unknown} */ (self));
const SCOPE = worker.registration.scope;
const PREFIX = `perfnotes ${SCOPE} `;
const NAME = PREFIX + pnSite.version;
const INDEX = `${SCOPE}search/offline.json`;
const BEGINNING = ["search/app.js", "search/root.js", pnSite.facets].map((path) => SCOPE + path);

// A page is stored once, whatever the query in its address.
/** @param {string} address */
const key = (address) => {
  const url = new URL(address);
  return url.origin + url.pathname.replace(/\/index\.html$/, "/");
};
/** @param {string} address */
const isOurs = (address) => address.startsWith(SCOPE);

// The worker does not see the requests of a page that loaded before the worker started. So such a page sends
// the addresses of its files in a message; its later requests pass through the worker.
worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("activate", (event) => {
  const drop = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(drop());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  // Requests without a destination are those of scripts, such as of the server that follows edits.
  if (request.method === "GET" && request.destination && isOurs(request.url)) {
    event.respondWith(answer(event));
  }
});

/** @param {RequestEvent} event */
async function answer(event) {
  const { request } = event;
  try {
    const response = await fetch(request);
    if (isWhole(response)) event.waitUntil(put(request.url, response.clone()));
    return response;
  } catch (problem) {
    const kept = await caches.match(key(request.url), { cacheName: NAME });
    if (kept) return kept;
    if (request.mode === "navigate") return offlinePage(request.url);
    throw problem;
  }
}

/** @param {Response} response */
const isWhole = (response) =>
  response.status === 200 && response.type === "basic" && !response.redirected;

const writing = new Set(); // writes to the cache that have not ended

/** @type {(address: string, response: Response) => Promise<void>} */
function put(address, response) {
  const done = write(address, response);
  writing.add(done);
  return done.finally(() => writing.delete(done));
}

/** @type {(address: string, response: Response) => Promise<void>} */
async function write(address, response) {
  try {
    await (await caches.open(NAME)).put(key(address), response);
  } catch {
    // without room in the cache the page still works
  }
}

// A page sends the addresses of its files, and later that the index may be fetched too. The answer says what
// works without a network: only the "page", also searches that were "used" before, or every "search".
worker.addEventListener("message", (event) => {
  const { keep = [], index, renewed } = event.data || {};
  const cache = renewed ? "no-cache" : "force-cache";
  const act = async () => {
    await Promise.all(keep.filter(isOurs).map((address) => keepFile(address, cache)));
    if (index) await keepSearch();
    await Promise.all(writing);
    event.source?.postMessage({ kept: await kept() });
  };
  event.waitUntil(act());
});

/** @param {string} address */
const has = (address) => caches.match(key(address), { cacheName: NAME });

async function kept() {
  if (await has(INDEX)) return "search";
  const there = await Promise.all(BEGINNING.map(has));
  return there.every(Boolean) ? "used" : "page";
}

// Stores a file unless it is stored. With `cache` "force-cache", a file that the page has just loaded comes
// from the browser's HTTP cache. With "no-cache", the server is asked again, so that no file of an older
// version of the site is stored.
/** @type {(address: string, cache: RequestCache) => Promise<void>} */
async function keepFile(address, cache) {
  if (await has(address)) return;
  try {
    const response = await fetch(address, { cache });
    if (isWhole(response)) await put(address, response);
  } catch {
    // the next visit tries again
  }
}

// Stores a page of results, and its style sheets: the pages that were read may have others.
/** @param {string} address */
async function keepResults(address) {
  await keepFile(address, "no-cache");
  const page = (await (await has(address))?.text()) ?? "";
  const sheets = [...page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)];
  await Promise.all(sheets.map(([, sheet]) => keepFile(new URL(sheet, address).href, "force-cache")));
}

// Stores the script, the root and the facets of the index, with which the search works for files that are
// stored, the pages of results, and then the whole index. Two pages that ask for the whole index wait for the
// same request.
/** @type {Promise<void> | null} */
let coming = null;
async function keepSearch() {
  await Promise.all([
    ...BEGINNING.map((address) => keepFile(address, "no-cache")),
    ...pnSite.results.map((path) => keepResults(SCOPE + path)),
  ]);
  if (!pnSite.index || (await has(INDEX))) return;
  coming ||= keepIndex().finally(() => (coming = null));
  await coming.catch(() => {}); // without network or room, the next visit tries again
}

// Fetches the whole index in one request and stores it as the files that the search asks for. It
// counts as stored when the last file is.
async function keepIndex() {
  const response = await fetch(INDEX, { cache: "no-cache" });
  if (!isWhole(response)) return;
  const headers = { "Content-Type": "text/javascript; charset=utf-8" };
  const files = Object.entries(await response.json());
  const cache = await caches.open(NAME);
  while (files.length) {
    const some = files.splice(0, 100);
    await Promise.all(some.map(([path, text]) => cache.put(SCOPE + path, new Response(text, { headers }))));
  }
  await cache.put(INDEX, new Response("kept"));
}

/** @param {string} address */
function offlinePage(address) {
  const chinese = new URL(address).pathname.startsWith(`${new URL(SCOPE).pathname}zh/`);
  const [title, text, back] = chinese
    ? ["离线", "没有网络，而此页尚未读过，无法显示。", "返回首页"]
    : ["Offline", "There is no network, and this page has not been read before.", "To the home page"];
  const home = chinese ? `${SCOPE}zh/` : SCOPE;
  const page = `<!doctype html><html lang="${chinese ? "zh" : "en"}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${title}</title><h1>${title}</h1><p>${text}</p><p><a href="${home}">${back}</a></p></html>`;
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'" };
  return new Response(page, { status: 503, headers });
}
