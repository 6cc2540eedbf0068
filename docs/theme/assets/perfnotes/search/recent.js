// The last searches, kept in this browser and nowhere else, and the choice about other names.
"use strict";
pnSearch.memory = {
  most: 8,
  recent() {
    const kept = __md_get("search.recent");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  },
  add(text) {
    const query = text.trim().slice(0, 100);
    if (!query) return;
    const others = this.recent().filter((each) => each !== query);
    __md_set("search.recent", [query, ...others].slice(0, this.most));
  },
  forget() {
    __md_set("search.recent", []);
  },
  get expand() {
    return __md_get("search.expand") !== false;
  },
  set expand(on) {
    __md_set("search.expand", on);
  },
};
