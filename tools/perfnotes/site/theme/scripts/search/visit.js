// A visit: the query, which the search tells the note that a result opens. The visit is put into the browser's
// storage, not into the address, so that a copied address stays clean. The page takes it, also in a new tab. A
// visit that no page takes within a minute expires.

const KEY = "search.visit";
const LASTS = 60_000; // ms

/**
 * Stores a visit of a page.
 * @param {string} href
 * @param {string} query
 */
export function leaveVisit(href, query) {
  const now = Date.now();
  const before = Object.entries(visits()).filter(([, visit]) => now - visit.at < LASTS);
  __md_set(KEY, { ...Object.fromEntries(before), [new URL(href).pathname]: { at: now, query } });
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

/** @typedef {{ at: number, query: string }} Visit */

/** @returns {Record<string, Visit>} */
const visits = () => /** @type {Record<string, Visit> | null} */ (__md_get(KEY)) ?? {};
