// The small things that need a script: the drawer and the language list for the keyboard, tables
// that sort, tabs named in the address, and the neighbours of a missing page. Without it every page
// still reads and links.
"use strict";

const word = (english, chinese) =>
  document.documentElement.lang.startsWith("zh") ? chinese : english;
const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an address may hold a % that stands for itself
  }
};

// The drawer and the search open by checkboxes of Material's; buttons click them and tell.
const sidebar = document.querySelector(".md-sidebar--primary");
for (const button of document.querySelectorAll("[data-pn-toggle]")) {
  const box = document.getElementById(button.dataset.pnToggle);
  button.addEventListener("click", () => box.click());
  box.addEventListener("change", () => {
    button.setAttribute("aria-expanded", String(box.checked));
    if (box.id === "__drawer" && box.checked) sidebar.querySelector("a").focus();
  });
  if (box.id !== "__drawer") continue;
  sidebar.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.checked) return;
    box.click();
    button.focus();
  });
  document.addEventListener("focusin", (event) => {
    if (box.checked && !sidebar.contains(event.target)) box.click();
  });
}

// The list of languages opens when it has the focus; Escape leaves it.
for (const select of document.querySelectorAll("[data-pn-select]")) {
  const button = select.querySelector("button");
  const tell = () => button.setAttribute("aria-expanded", String(select.matches(":focus-within")));
  tell();
  select.addEventListener("focusin", tell);
  select.addEventListener("focusout", () => requestAnimationFrame(tell));
  select.addEventListener("keydown", (event) => {
    if (event.key === "Escape") document.activeElement.blur();
  });
}

// What scrolls in itself can be reached and scrolled by the keyboard.
const SCROLLERS =
  ".pn-math, :is(p, li):has(> math), .md-typeset pre > code, .md-typeset__scrollwrap";
const reachable = () => {
  for (const box of document.querySelectorAll(SCROLLERS)) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
addEventListener("load", reachable);
addEventListener("resize", reachable);

// Material makes the button that copies a code block a landmark of its own, without a name.
const article = document.querySelector("article");
const calm = () => {
  for (const nav of article.querySelectorAll("nav.md-code__nav:not([role])")) nav.role = "presentation";
};
new MutationObserver(calm).observe(article, { childList: true, subtree: true });

function sortTable(table, column, head) {
  const body = table.tBodies[0];
  const up = head.getAttribute("aria-sort") !== "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const text = (row) => row.cells[column].textContent.trim();
  const rows = [...body.rows];
  const numbers = rows.every((row) => text(row) === "" || !Number.isNaN(Number(text(row))));
  const order = new Intl.Collator(document.documentElement.lang, { numeric: true });
  rows.sort((a, b) =>
    numbers ? Number(text(a)) - Number(text(b)) : order.compare(text(a), text(b)),
  );
  if (!up) rows.reverse();
  body.append(...rows);
}

for (const table of document.querySelectorAll("table.pn-sortable")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "pn-sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sortTable(table, column, head));
    if (head.classList.contains("pn-narrows")) narrow(table, column, button.textContent);
  });
}

// A list of the words in one column above the table, to show the rows with one of them.
function narrow(table, column, name) {
  const rows = [...table.tBodies[0].rows];
  const words = (row) => row.cells[column].textContent.split(",").map((each) => each.trim());
  const all = [...new Set(rows.flatMap(words))].filter(Boolean).sort();
  const choice = document.createElement("select");
  choice.append(new Option(word("all", "全部"), ""), ...all.map((each) => new Option(each, each)));
  choice.addEventListener("change", () => {
    for (const row of rows) row.hidden = choice.value !== "" && !words(row).includes(choice.value);
  });
  const label = document.createElement("label");
  label.className = "pn-narrow";
  label.append(`${name} `, choice);
  table.parentElement.before(label);
}

const wanted = document.getElementById(decoded(location.hash.slice(1)));
if (wanted instanceof HTMLInputElement && wanted.name.startsWith("__tabbed_")) wanted.checked = true;

// A missing page: show the language that its address asks for, and the pages that come nearest:
// those whose addresses share most pairs of letters with it, and whose titles have its words.
const pairs = (text) => new Set([...text].map((letter, at) => letter + (text[at + 1] || " ")));
const likeness = (one, other) => {
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return (2 * shared) / (one.size + other.size);
};

async function nearestPages(section, base, path) {
  const answer = await fetch(new URL("search/search_index.json", base));
  const pages = (await answer.json()).docs.filter((doc) => !doc.location.includes("#"));
  const there = new Set(pages.map((doc) => doc.location));
  const chinese = section.lang === "zh";
  const own = pages.filter(({ location: place }) =>
    chinese ? place.startsWith("zh/") || !there.has(`zh/${place}`) : !place.startsWith("zh/"),
  );
  const name = (place) => place.toLowerCase().replace(/^zh\/|(index)?\.(html|md)$|\/+$/g, "");
  const wanted = pairs(name(path));
  const words = name(path).split(/[^\p{L}\p{N}]+/u).filter((each) => each.length > 2);
  const score = (doc) => {
    const title = doc.title.toLowerCase();
    const hits = words.filter((each) => title.includes(each)).length;
    return likeness(wanted, pairs(name(decoded(doc.location)))) + hits / 10;
  };
  const best = own.map((doc) => [score(doc), doc]).filter(([points]) => points > 0.35);
  best.sort((a, b) => b[0] - a[0]);
  const box = section.querySelector("[data-pn-nearest]");
  for (const [, doc] of best.slice(0, 6)) {
    const link = document.createElement("a");
    link.href = new URL(doc.location, base).href;
    // Titles in the index are HTML; a parser that runs nothing turns them back into text. Between
    // Chinese characters they have a space of no width.
    const title = new DOMParser().parseFromString(doc.title, "text/html").body.textContent;
    link.textContent = title.replaceAll("\u200b", "");
    const item = document.createElement("li");
    item.append(link);
    box.querySelector("ol").append(item);
  }
  box.hidden = !best.length;
}

const missing = [...document.querySelectorAll("[data-pn-missing]")];
if (missing.length) {
  const base = new URL(`${missing[0].dataset.base.replace(/\/+$/, "")}/`, location);
  const path = decoded(location.pathname).slice(base.pathname.length);
  document.documentElement.lang = path.startsWith("zh/") ? "zh" : "en";
  for (const section of missing) {
    section.hidden = section.lang !== document.documentElement.lang;
    if (!section.hidden) nearestPages(section, base, path).catch(() => {});
  }
}
