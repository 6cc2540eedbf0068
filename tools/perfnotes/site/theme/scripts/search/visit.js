// What the search leaves for the page that a result opens: the other place at which the answer may stand,
// and the query. It is stored and not in the address, so that an address that is copied stays clean. The
// page takes it, also in a new tab; what no page has taken within a minute counts no more.

const KEY = "search.visit";
const LASTS = 60_000; // ms

/**
 * `other` is the fragment of the other place, empty for the top; undefined if there is no such place.
 * @param {string} href
 * @param {string | undefined} other
 * @param {string} query
 */
export function leaveVisit(href, other, query) {
  const now = Date.now();
  const before = Object.entries(visits()).filter(([, visit]) => now - visit.at < LASTS);
  const kept = Object.fromEntries(before), path = new URL(href).pathname;
  delete kept[path];
  if (other !== undefined) kept[path] = { at: now, other, query };
  __md_set(KEY, kept);
}

/**
 * Takes what the search has left for a page, and removes it.
 * @param {string} path
 * @returns {Visit | null}
 */
export function takeVisit(path) {
  const { [path]: visit, ...rest } = visits();
  if (!visit) return null;
  __md_set(KEY, rest);
  return Date.now() - visit.at < LASTS ? visit : null;
}

/** @typedef {{ at: number, other: string, query: string }} Visit */

/** @returns {Record<string, Visit>} */
const visits = () => /** @type {Record<string, Visit> | null} */ (__md_get(KEY)) ?? {};
