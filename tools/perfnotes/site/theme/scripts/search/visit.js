// A visit: what the search tells the page that a result opens, which are the other place at which the answer
// may stand, and the query. The visit is put into the browser's storage, not into the address, so that a copied
// address stays clean. The page takes it, also in a new tab. A visit that no page takes within a minute
// expires.

const KEY = "search.visit";
const LASTS = 60_000; // ms

/**
 * Stores a visit. `other` is the fragment of the other place, empty for the top of the page; if it is
 * undefined, there is no other place, and no visit is stored.
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
 * Returns the visit that the search has stored for a page, and removes it; null if there is none.
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
