// The last searches, kept in this browser and nowhere else, and the choice about other names. Where
// nothing may be kept, both last as long as the page.
"use strict";
pnSearch.memory = (() => {
  const MOST = 8;
  const here = {};

  function get(name) {
    try {
      return __md_get(`search.${name}`) ?? here[name];
    } catch {
      return here[name];
    }
  }
  function set(name, value) {
    here[name] = value;
    try {
      __md_set(`search.${name}`, value);
    } catch {
      // storage is denied
    }
  }

  return {
    recent() {
      const kept = get("recent");
      return Array.isArray(kept) ? kept.filter((each) => typeof each === "string").slice(0, MOST) : [];
    },
    add(text) {
      const query = Array.from(text.trim()).slice(0, 100).join("");
      if (query) set("recent", [query, ...this.recent().filter((each) => each !== query)].slice(0, MOST));
    },
    forget: () => set("recent", []),
    get expand() { return get("expand") !== false; },
    set expand(on) { set("expand", on); },
  };
})();
