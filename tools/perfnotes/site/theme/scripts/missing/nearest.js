// The pages nearest to a missing address. These share the most pairs of letters with the address, or have its words
// in their titles.

/** @param {string} text */
const pairs = (text) => new Set([...text].map((letter, at) => letter + (text[at + 1] || " ")));
/** @type {(one: Set<string>, other: Set<string>) => number} */
const likeness = (one, other) => {
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return (2 * shared) / (one.size + other.size);
};

/** @type {(section: HTMLElement, base: URL, path: string) => Promise<void>} */
export const nearestPages = async (section, base, path) => {
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
};

// What stands below the list is shown once it is known how much room the list takes: so nothing moves, and no
// room is kept for pages that are not there. To a reader who would wait too long it is shown below the room for
// a full list.
/** @type {(section: HTMLElement, when: "soon" | "late") => void} */
export function known(section, when) {
  const { dataset } = /** @type {HTMLElement} */ (section.querySelector("[data-pn-nearest]"));
  dataset.known ||= when;
}

// Says in place of the list that there is no page near.
/** @param {HTMLElement} section */
export function none(section) {
  const said = /** @type {HTMLElement} */ (section.querySelector("[data-pn-nearest] p"));
  said.hidden = false;
  section.querySelector("[data-pn-nearest] ol")?.replaceWith(said);
}
