// Runs before the page is painted. It marks that scripts run, finds the root of the site, defines the
// helpers that store settings for each site, and sets light or dark: what the reader has chosen, or
// else what the system prefers.
"use strict";
document.documentElement.classList.replace("no-js", "js");
var __md_scope = new URL(
  /** @type {HTMLScriptElement} */ (document.currentScript).dataset.base ?? "", location.href,
);
/** @type {ReadSetting} */
var __md_get = (key, storage, scope = __md_scope) => {
  try {
    return JSON.parse((storage || localStorage).getItem(`${scope.pathname}.${key}`) ?? "null");
  } catch {
    return null; // storage may be switched off
  }
};
/** @type {WriteSetting} */
var __md_set = (key, value, storage, scope = __md_scope) => {
  try {
    (storage || localStorage).setItem(`${scope.pathname}.${key}`, JSON.stringify(value));
  } catch {
    // the setting lasts for this page only
  }
};
// Readers who have opened a number's evidence, or dismissed the line about it, are not told again.
if (__md_get("__numbers")) document.documentElement.classList.add("pn-knows");

(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const current = () => {
    const saved = /** @type {{ color?: { scheme?: string } } | null} */ (__md_get("__palette"));
    return saved?.color?.scheme || (system.matches ? "slate" : "default");
  };
  const apply = () => {
    // A change of these attributes makes the browser work out the style of every element again.
    if (document.body.dataset.mdColorScheme === current()) return;
    document.body.dataset.mdColorSwitching = ""; // Material's style sheet turns transitions off while this is set
    document.body.dataset.mdColorScheme = current();
    requestAnimationFrame(() => delete document.body.dataset.mdColorSwitching);
  };
  apply();
  system.addEventListener("change", apply);
  addEventListener("pageshow", apply);
  addEventListener("storage", apply);
  document.querySelector("[data-pn-theme]")?.addEventListener("click", () => {
    __md_set("__palette", { color: { scheme: current() === "slate" ? "default" : "slate" } });
    apply();
  });

  // Style sheets let the browser lay out some parts of long pages when they come near. A reader who goes
  // to a place by its address needs the heights of all that stands before it.
  const whole = () => document.documentElement.classList.add("pn-whole");
  if (location.hash) whole();
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a[href*='#']")) whole();
  }, true);
})();
