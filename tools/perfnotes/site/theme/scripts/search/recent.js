// Stores in this browser the last searches, and whether other names are searched too. If the browser denies
// storage, both are kept as long as the page is open.
export const stored = (() => {
  const MOST = 8;
  /** @type {Record<string, unknown>} */
  const here = {};

  /** @param {string} name */
  function get(name) {
    try {
      return __md_get(`search.${name}`) ?? here[name];
    } catch {
      return here[name];
    }
  }
  /**
   * @param {string} name
   * @param {unknown} value
   */
  function set(name, value) {
    here[name] = value;
    try {
      __md_set(`search.${name}`, value);
    } catch {
      // storage is denied
    }
  }

  return {
    /** @returns {string[]} */
    recent() {
      const kept = get("recent");
      return Array.isArray(kept) ? kept.filter((each) => typeof each === "string").slice(0, MOST) : [];
    },
    /** @param {string} text */
    add(text) {
      const query = Array.from(text.trim()).slice(0, 100).join("");
      if (query) set("recent", [query, ...this.recent().filter((each) => each !== query)].slice(0, MOST));
    },
    forget: () => set("recent", []),
    get expand() { return get("expand") !== false; },
    set expand(on) { set("expand", on); },
  };
})();
