// The site's worker: what was read once can be read again without a network, and searched. Answers
// come from the network whenever there is one; what is kept here is for when it fails. The browser's
// own memory of answers lies between: a page may be as old as the server lets browsers keep it.
// `pnSite` says of which version of the site; a new one drops what the last kept.
"use strict";
const SCOPE = self.registration.scope;
const PREFIX = `perfnotes ${SCOPE} `;
const NAME = PREFIX + pnSite.version;
const INDEX = `${SCOPE}search/offline.json`;
const STYLE = `${SCOPE}assets/perfnotes/search/search.css`;
const BEGINNING = ["search/app.js", "search/root.js", pnSite.facets].map((path) => SCOPE + path);

// A page is one page, whatever the query in its address.
const key = (address) => {
  const url = new URL(address);
  return url.origin + url.pathname.replace(/\/index\.html$/, "/");
};
const isOurs = (address) => address.startsWith(SCOPE);

// A page that came without the worker tells what it was made of; what it asks for from now on,
// such as parts of the index, comes through here.
addEventListener("install", () => self.skipWaiting());

addEventListener("activate", (event) => {
  const drop = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
    await Promise.all(old.map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(drop());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  // Without a destination it is a script's own request, such as that of a server that follows edits.
  if (request.method === "GET" && request.destination && isOurs(request.url)) {
    event.respondWith(answer(event));
  }
});

async function answer(event) {
  const { request } = event;
  try {
    const response = await fetch(request);
    if (isWhole(response)) event.waitUntil(put(request.url, response.clone()));
    return response;
  } catch (problem) {
    const kept = await caches.match(key(request.url), { cacheName: NAME });
    if (kept) return kept;
    if (request.mode === "navigate") return unread(request.url);
    throw problem;
  }
}

const isWhole = (response) =>
  response.status === 200 && response.type === "basic" && !response.redirected;

const writing = new Set(); // what a page that asks now has to wait for

function put(address, response) {
  const done = write(address, response);
  writing.add(done);
  return done.finally(() => writing.delete(done));
}

async function write(address, response) {
  try {
    await (await caches.open(NAME)).put(key(address), response);
  } catch {
    // no room is no reason to fail
  }
}

// A page tells what it was made of, and later that the index may come too. It hears what can be
// used without a network: the "page", of the search what was "used" before, or the whole "search".
addEventListener("message", (event) => {
  const { keep = [], index, renewed } = event.data || {};
  const cache = renewed ? "no-cache" : "force-cache";
  const act = async () => {
    await Promise.all(keep.filter(isOurs).map((address) => again(address, cache)));
    if (index) await keepSearch();
    await Promise.all(writing);
    event.source?.postMessage({ kept: await kept() });
  };
  event.waitUntil(act());
});

const has = (address) => caches.match(key(address), { cacheName: NAME });

async function kept() {
  if (await has(INDEX)) return "search";
  const there = await Promise.all([STYLE, ...BEGINNING].map(has));
  return there.every(Boolean) ? "used" : "page";
}

// What the browser has loaded a moment ago it need not load again. Other files, and those of a page
// that was opened before this worker's site was there, must not be those of an older site.
async function again(address, cache) {
  if (await has(address)) return;
  try {
    const response = await fetch(address, { cache });
    if (isWhole(response)) await put(address, response);
  } catch {
    // the next visit has another chance
  }
}

// With its beginning the search opens, finds again what it has found before and says what is not
// here. Two pages that want the whole index wait for the same one.
let coming = null;
async function keepSearch() {
  await Promise.all([STYLE, ...BEGINNING].map((address) => again(address, "no-cache")));
  if (!pnSite.index || (await has(INDEX))) return;
  coming ||= keepIndex().finally(() => (coming = null));
  await coming.catch(() => {}); // no network or no room: the next visit has another chance
}

// The whole index in one request, kept as the files that the search asks for. It counts as kept
// when the last of them is.
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

function unread(address) {
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
