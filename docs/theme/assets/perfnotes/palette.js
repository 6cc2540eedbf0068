// Light or dark: the reader's choice, else the system's. This runs before the page is painted and
// again whenever the choice, the system or the page in the browser's memory changes.
"use strict";
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const current = () => {
    const saved = __md_get("__palette");
    return (saved && saved.color && saved.color.scheme) || (system.matches ? "slate" : "default");
  };
  const apply = () => {
    document.body.dataset.mdColorSwitching = ""; // Material: no transitions meanwhile
    document.body.dataset.mdColorScheme = current();
    requestAnimationFrame(() => delete document.body.dataset.mdColorSwitching);
  };
  apply();
  system.addEventListener("change", apply);
  addEventListener("pageshow", apply);
  addEventListener("storage", apply);
  document.querySelector("[data-pn-theme]").addEventListener("click", () => {
    __md_set("__palette", { color: { scheme: current() === "slate" ? "default" : "slate" } });
    apply();
  });
})();
