// Where a reader asks for a note that does not exist yet.

/**
 * Returns the address at which to ask for a note, with the query filled in where a code host has a form
 * for it. Empty if the site names no place to ask.
 * @param {string} query
 * @param {string} lang
 */
export function askAddress(query, lang) {
  const { form = "", how = {} } = pnSearch.ask || {};
  if (form) {
    const address = new URL(form), short = Array.from(query).slice(0, 120).join("");
    address.searchParams.set("title", short);
    address.searchParams.set("subject", short);
    return address.href;
  }
  const page = how[lang] || how.en;
  return page ? pnSearch.asFile(new URL(page, pnSearch.root)) : "";
}
