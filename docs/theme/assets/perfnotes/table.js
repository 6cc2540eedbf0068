// Long tables: sorted by a click on a column's head, that of references narrowed to one topic.
"use strict";

const word = (english, chinese) =>
  document.documentElement.lang.startsWith("zh") ? chinese : english;

function sortTable(table, column, head) {
  const body = table.tBodies[0];
  const up = head.getAttribute("aria-sort") !== "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const text = ({ cells: { [column]: cell } }) => cell.dataset.sort ?? cell.textContent.trim();
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
