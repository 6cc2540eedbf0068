// The site's worker: what was read once can be read again without a network, and searched. Answers
// come from the network whenever there is one, so nobody sees an old page; what is kept is for
// when it fails. `pnSite` says of which version of the site; a new one drops what the last kept.
"use strict";
const SCOPE = self.registration.scope;
const PREFIX = `perfnotes ${SCOPE} `;
const NAME = PREFIX + pnSite.version;
const INDEX = `${SCOPE}search/offline.json`;

// A page is one page, whatever the query in its address.
const key = (address) => {
  const url = new URL(address);
  return url.origin + url.pathname.replace(/\/index\.html$/, "/");
};
const isOurs = (address) => address.startsWith(SCOPE);

// An open page that came without the worker goes on without it; it tells what it was made of.
addEventListener("install", () => self.skipWaiting());

addEventListener("activate", (event) => {
  const drop = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
    await Promise.all(old.map((name) => caches.delete(name)));
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

async function put(address, response) {
  try {
    await (await caches.open(NAME)).put(key(address), response);
  } catch {
    // no room is no reason to fail
  }
}

addEventListener("message", (event) => {
  const { keep, index } = event.data || {};
  if (Array.isArray(keep)) event.waitUntil(Promise.all(keep.filter(isOurs).map(again)));
  if (index && pnSite.index) event.waitUntil(keepIndex());
});

// What the browser has loaded a moment ago it need not load again.
async function again(address) {
  try {
    const response = await fetch(address, { cache: "force-cache" });
    if (isWhole(response)) await put(address, response);
  } catch {
    // the next visit has another chance
  }
}

// The whole index in one request, kept as the files that the search asks for.
async function keepIndex() {
  if (await caches.match(INDEX, { cacheName: NAME })) return;
  const response = await fetch(INDEX);
  if (!isWhole(response)) return;
  const headers = { "Content-Type": "text/javascript; charset=utf-8" };
  const files = Object.entries(await response.json());
  while (files.length) {
    const some = files.splice(0, 100);
    await Promise.all(some.map(([path, text]) => put(SCOPE + path, new Response(text, { headers }))));
  }
  await again(`${SCOPE}assets/perfnotes/search/search.css`);
  await put(INDEX, new Response("kept"));
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
