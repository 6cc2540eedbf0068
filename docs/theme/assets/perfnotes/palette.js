// Sets the colours that the reader chose, or those of the system, before the page is painted.
"use strict";
(() => {
  const saved = __md_get("__palette");
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const scheme = saved && saved.color && saved.color.scheme;
  document.body.setAttribute("data-md-color-scheme", scheme || (dark ? "slate" : "default"));
})();
