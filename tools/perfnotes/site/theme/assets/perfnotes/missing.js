// The page for missing addresses: shows the language that the address asks for or the reader chooses, and the nearest
// pages. These share the most pairs of letters with the address, or have its words in their titles.
"use strict";

const PATIENCE = 1500; // ms

/** @param {string} text */
const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // the address holds a % that encodes nothing
  }
};

/** @param {string} text */
const pairs = (text) => new Set([...text].map((letter, at) => letter + (text[at + 1] || " ")));
/** @type {(one: Set<string>, other: Set<string>) => number} */
const likeness = (one, other) => {
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return (2 * shared) / (one.size + other.size);
};

/** @type {(section: HTMLElement, base: URL, path: string) => Promise<void>} */
async function nearestPages(section, base, path) {
  const answer = await fetch(new URL("search/addresses.json", base));
  const pages = /** @type {[place: string, title: string][]} */ (await answer.json());
  const there = new Set(pages.map(([place]) => place));
  const chinese = section.lang === "zh";
  const own = pages.filter(([place]) =>
    chinese ? place.startsWith("zh/") || !there.has(`zh/${place}`) : !place.startsWith("zh/"),
  );
  /** @param {string} place */
  const name = (place) => place.toLowerCase().replace(/^zh\/|(index)?\.(html|md)$|\/+$/g, "");
  const wanted = pairs(name(path));
  const words = name(path).split(/[^\p{L}\p{N}]+/u).filter((each) => each.length > 2);
  /** @param {[place: string, title: string]} page */
  const score = ([place, title]) => {
    const hits = words.filter((each) => title.toLowerCase().includes(each)).length;
    return likeness(wanted, pairs(name(place))) + hits / 10;
  };
  const best = own.map((page) => ({ points: score(page), page })).filter(({ points }) => points > 0.35);
  best.sort((a, b) => b.points - a.points);
  const list = section.querySelector("[data-pn-nearest] ol");
  for (const { page: [place, title] } of best.slice(0, 6)) {
    const link = document.createElement("a");
    link.href = new URL(place.split("/").map(encodeURIComponent).join("/"), base).href;
    link.textContent = title;
    link.lang = /[\u3400-\u9fff]/.test(title) ? "zh" : "en";
    const item = document.createElement("li");
    item.append(link);
    list?.append(item);
  }
  if (!best.length) none(section);
  known(section, "soon");
}

// What stands below the list is shown once it is known how much room the list takes: so nothing moves, and no
// room is kept for pages that are not there. To a reader who would wait too long it is shown below the room for
// a full list.
/** @type {(section: HTMLElement, when: "soon" | "late") => void} */
function known(section, when) {
  const { dataset } = /** @type {HTMLElement} */ (section.querySelector("[data-pn-nearest]"));
  dataset.known ||= when;
}

// Says in place of the list that there is no page near.
/** @param {HTMLElement} section */
function none(section) {
  const said = /** @type {HTMLElement} */ (section.querySelector("[data-pn-nearest] p"));
  said.hidden = false;
  section.querySelector("[data-pn-nearest] ol")?.replaceWith(said);
}

const base = new URL("../../", /** @type {HTMLScriptElement} */ (document.currentScript).src);
const path = decoded(location.pathname).slice(base.pathname.length);
const asked = path.startsWith("zh/") ? "zh" : "en";
const root = document.documentElement;
root.dataset.missing = root.lang = asked; // before the page is painted

addEventListener("DOMContentLoaded", () => {
  const searched = new Set();
  /** @type {NodeListOf<HTMLElement>} */
  const missing = document.querySelectorAll("[data-pn-missing]");
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const choices = document.querySelectorAll("[data-pn-select] a");
  /** @param {string} lang */
  const show = (lang) => {
    root.dataset.missing = root.lang = lang;
    for (const section of missing) {
      if (section.lang !== lang || searched.has(lang)) continue;
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
});
