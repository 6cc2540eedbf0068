// Long tables are sorted by a click on the head of a column. Rows without a value come last, up or down.
"use strict";

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
}
