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
    // Transitions are off while this is set. While the page loads, only its header is there.
    const shown = document.readyState === "loading" ? document.querySelector("header") ?? document.body : document.body;
    shown.dataset.mdColorSwitching = "";
    document.body.dataset.mdColorScheme = current();
    requestAnimationFrame(() => delete shown.dataset.mdColorSwitching);
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
  // to a place by its address, or comes back to where the reading was, needs the heights of all that
  // stands before it.
  const whole = () => document.documentElement.classList.add("pn-whole");
  const [opening] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (location.hash || (opening && opening.type !== "navigate")) whole();
  document.addEventListener("click", ({ target, defaultPrevented }) => {
    /** @type {HTMLAnchorElement | null} */
    const link = target instanceof Element ? target.closest("a[href*='#']") : null;
    if (link && !defaultPrevented && link.href.split("#")[0] === location.href.split("#")[0]) whole();
  });
})();
