// Long tables are sorted by a click on the head of a column. Rows without a value come last, up or down.
"use strict";

const RING = 5; // pixels, for the outline of what has the focus

/** @param {HTMLTableElement} table */
const rowOfHeads = (table) => /** @type {HTMLTableSectionElement} */ (table.tHead).rows[0];

/** @type {(table: HTMLTableElement, column: number, head: HTMLTableCellElement) => void} */
function sortTable(table, column, head) {
  const body = table.tBodies[0];
  const up = head.getAttribute("aria-sort") !== "ascending";
  for (const other of rowOfHeads(table).cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  /** @param {HTMLTableRowElement} row */
  const text = ({ cells: { [column]: cell } }) => cell.dataset.sort ?? cell.textContent.trim();
  const rows = [...body.rows].filter((row) => text(row) !== "");
  const without = [...body.rows].filter((row) => text(row) === "");
  const numbers = rows.every((row) => !Number.isNaN(Number(text(row))));
  const order = new Intl.Collator(document.documentElement.lang, { numeric: true });
  rows.sort((a, b) =>
    numbers ? Number(text(a)) - Number(text(b)) : order.compare(text(a), text(b)),
  );
  if (!up) rows.reverse();
  body.append(...rows, ...without);
}

for (const table of /** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll("table.pn-sortable"))) {
  [...rowOfHeads(table).cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "pn-sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sortTable(table, column, head));
  });
  // The first column of some tables stays while the others scroll. What gets the focus comes out from below it.
  table.addEventListener("focusin", ({ target }) => requestAnimationFrame(() => {
    const { parentElement: box } = table;
    const link = /** @type {Element} */ (target);
    const first = link.closest("tr")?.cells[0];
    if (!box || !first || first.contains(link)) return;
    const below = first.getBoundingClientRect().right - link.getBoundingClientRect().left;
    if (below > 0) box.scrollLeft -= below + RING;
  }));
}
