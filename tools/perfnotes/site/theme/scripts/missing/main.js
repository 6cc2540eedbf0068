// The page for missing addresses: shows the language that the address asks for or the reader chooses, and the nearest
// pages.
//
// A site that does not know its public address gives this page addresses that begin at the root of the host, and lets
// it ask for this script in every folder above the missing address. The folder where the script is found is the root
// of the site. If that is not the root of the host, the page is shown again, with addresses from there.

import { showAgain } from "./again.js";
import { known, nearestPages, none } from "./nearest.js";

const PATIENCE = 1500; // ms

/** @param {string} text */
const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // the address holds a % that encodes nothing
  }
};

const script = /** @type {HTMLScriptElement} */ (document.currentScript);
const base = new URL("../../", script.src);
const path = decoded(location.pathname).slice(base.pathname.length);
const asked = path.startsWith("zh/") ? "zh" : "en";
const root = document.documentElement;

function start() {
  const searched = new Set();
  const name = document.title.slice(document.title.indexOf(" - ") + 3); // of the site
  /** @type {NodeListOf<HTMLElement>} */
  const missing = document.querySelectorAll("[data-pn-missing]");
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const choices = document.querySelectorAll("[data-pn-select] a");
  /** @param {string} lang */
  const show = (lang) => {
    root.dataset.missing = root.lang = lang;
    for (const section of missing) {
      if (section.lang !== lang) continue;
      document.title = `${section.querySelector("h1")?.textContent} - ${name}`;
      if (searched.has(lang)) continue;
      searched.add(lang);
      nearestPages(section, base, path).catch(() => {
        none(section);
        known(section, "soon");
      });
      setTimeout(known, PATIENCE, section, "late");
    }
    for (const link of choices) {
      if (link.lang === lang) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  show(asked);
  /** @type {HTMLElement | null} */
  const select = document.querySelector("[data-pn-select]");
  if (select && !document.querySelector("[data-pn-missing][lang=zh] .pn-topic")) select.hidden = true; // an English site
  select?.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!link) return;
    event.preventDefault();
    show(link.lang);
    link.blur();
  });
}

// The page asks for this script in several folders; one answer is enough.
if (!root.dataset.missing) {
  root.dataset.missing = root.lang = asked; // before the page is painted
  const { root: made } = script.dataset;
  if (made !== undefined && new URL(made, location.href).href !== base.href) showAgain(base);
  else addEventListener("DOMContentLoaded", start);
}
