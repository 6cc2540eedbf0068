// The small things that need a script: sortable tables, tabs named in the address, and the
// search for a missing page's neighbours. Without it every page still reads and links.
"use strict";

function sortTable(table, column, button) {
  const body = table.tBodies[0];
  const up = button.getAttribute("aria-sort") !== "ascending";
  for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
  button.setAttribute("aria-sort", up ? "ascending" : "descending");
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
  });
}

const wanted = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
if (wanted instanceof HTMLInputElement && wanted.name.startsWith("__tabbed_")) wanted.checked = true;

async function nearestPages(section) {
  const base = new URL(section.dataset.base + "/", location);
  const path = decodeURIComponent(location.pathname).slice(base.pathname.length);
  const chinese = path.startsWith("zh/");
  const words = path.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
  if (chinese) section.classList.add("pn-chinese");
  const answer = await fetch(new URL("search/search_index.json", base));
  const pages = (await answer.json()).docs.filter((doc) => !doc.location.includes("#"));
  const score = (doc) => {
    const place = decodeURIComponent(doc.location).toLowerCase();
    const title = doc.title.toLowerCase();
    let points = 0;
    for (const word of words) points += 3 * place.includes(word) + 2 * title.includes(word);
    return points ? points + (place.startsWith("zh/") === chinese) - place.length / 1000 : 0;
  };
  const best = pages.map((doc) => [score(doc), doc]).filter(([points]) => points > 1);
  best.sort((a, b) => b[0] - a[0]);
  const list = section.querySelector("[data-pn-nearest]");
  for (const [, doc] of best.slice(0, 8)) {
    const link = document.createElement("a");
    link.href = new URL(doc.location, base).href;
    // Titles in the index are HTML; a parser that runs nothing turns them back into text.
    link.textContent = new DOMParser().parseFromString(doc.title, "text/html").body.textContent;
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
}

const missing = document.querySelector("[data-pn-missing]");
if (missing) nearestPages(missing).catch(() => {});
