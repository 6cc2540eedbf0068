/** @typedef {HTMLInputElement | HTMLSelectElement} Control */
// The list of papers: filters for the table, whose state is kept in the address, and a timeline whose
// bars choose years. Without this script, the table shows all papers and the bars link to its rows.
"use strict";

(() => {
  const { say, made } = pnPage;
  const room = document.querySelector(".pn-filter");
  /** @type {HTMLTableElement | null} */
  const table = document.querySelector(".pn-papers table");
  if (!room || !table?.tHead) return;

  const AUTHOR = 0, YEAR = 1, TITLE = 2, TOPIC = 3, TYPE = 4, USES = 5;
  const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
  const bars = [...document.querySelectorAll(".pn-timeline-bar")];

  // Rows far below wait to be laid out. Until then, each has the height that its longest cell needs at
  // most: a letter is half as wide as it is high, a Chinese one twice that.
  /** @type {number[]} */
  let widths = [];
  /** @type {(row: HTMLTableRowElement, cells: HTMLTableCellElement[]) => void} */
  const expect = (row, cells) => {
    if (!widths.length) {
      const size = parseFloat(getComputedStyle(cells[0]).fontSize);
      widths = cells.map((cell) => cell.clientWidth / size);
    }
    const lines = cells.map(({ textContent }, i) =>
      widths[i] && Math.ceil(pnPage.letters(textContent) * 0.55 / widths[i]) + 1);
    row.style.containIntrinsicHeight = `auto calc(${Math.max(...lines)}lh + 0.9rem)`;
  };

  // The words of each row are read once, since every press of a key filters up to two thousand rows.
  /** @param {HTMLTableRowElement} row */
  const words = (row) => {
    const cells = [...row.cells];
    /** @param {number} column */
    const text = (column) => cells[column].textContent.trim();
    const topics = [...cells[TOPIC].childNodes]
      .map((node) => (node.textContent ?? "").replace(/^[,\s]+|[,\s]+$/g, "")).filter(Boolean);
    expect(row, cells);
    const words = [text(AUTHOR), text(YEAR), text(TITLE), ...topics].join(" ").toLowerCase();
    return { row, topics, words, year: Number(text(YEAR)) || 0, type: text(TYPE), uses: Number(text(USES)) };
  };

  // A phone that reads hundreds of rows at once does not answer a tap meanwhile. They are read in groups when
  // there is time; all of them at once when the reader is about to filter.
  const unread = [...table.tBodies[0].rows];
  const many = unread.length;
  /** @type {ReturnType<typeof words>[]} */
  const rows = [];
  const read = (/** @type {number} */ most) => {
    if (!unread.length) return;
    rows.push(...unread.splice(0, most).map(words));
    if (unread.length) when(() => read(20));
    else offer();
  };
  const when = (/** @type {() => void} */ work) =>
    "requestIdleCallback" in window ? requestIdleCallback(work) : setTimeout(work, 50);
  const readAll = () => read(unread.length);
  const order = new Intl.Collator(document.documentElement.lang);
  /** @param {string[]} values */
  const all = (values) => [...new Set(values)].filter(Boolean).sort(order.compare);

  /** @type {(key: string, label: string, control: Control, kind?: string) => [string, Control]} */
  const field = (key, label, control, kind = `pn-field-${key}`) => {
    const box = made("label", kind, label);
    control.name = key;
    box.append(control);
    room.append(box);
    return [key, control];
  };
  /** @param {string[][]} options */
  const choice = (options) => {
    const select = document.createElement("select");
    for (const [value, label] of options) select.append(new Option(label, value));
    return select;
  };
  /** @type {(type: string, more?: object) => HTMLInputElement} */
  const input = (type, more = {}) => Object.assign(document.createElement("input"), { type, ...more });
  const anything = ["", say("all", "全部")];
  const fields = Object.fromEntries([
    field("text", say("Author or title", "作者或标题"), input("search")),
    field("topic", names[TOPIC], choice([anything]), "pn-narrow"),
    field("type", names[TYPE], choice([anything])),
    field("cited", say("Cited", "引用情况"), choice([anything, ["yes", say("cited", "被引用")], ["no", say("not cited", "未被引用")]])),
    field("from", say("From", "起始年份"), input("number", { inputMode: "numeric" })),
    field("to", say("To", "截止年份"), input("number", { inputMode: "numeric" })),
  ]);
  // What the rows offer to choose from is known when all are read. The style sheet makes the rows grids, which
  // some browsers no longer present to screen readers as a table, so their roles are given here.
  const offer = () => {
    table.role = "table";
    table.tBodies[0].role = "rowgroup";
    for (const { row } of rows) {
      row.role = "row";
      for (const cell of row.cells) cell.role = "cell";
    }
    const values = { topic: rows.flatMap((each) => each.topics), type: rows.map((each) => each.type) };
    for (const [key, texts] of Object.entries(values)) fields[key].append(...all(texts).map((text) => new Option(text, text)));
    const years = rows.map((each) => each.year).filter(Boolean);
    for (const [key, limit] of [["from", Math.min(...years)], ["to", Math.max(...years)]]) {
      Object.assign(fields[key], { min: Math.min(...years), max: Math.max(...years), placeholder: String(limit) });
    }
  };
  const said = made("div", "pn-filter-said");
  const count = made("span", "");
  count.setAttribute("role", "status");
  const reset = made("button", "", say("Show all", "显示全部"));
  said.append(count, reset);
  room.append(said);

  const tell = (/** @type {number} */ shown) => {
    count.textContent = say(`${shown} of ${many}`, `${many} 篇中的 ${shown} 篇`);
    reset.hidden = shown === many;
  };
  let undated = false; // whether the bar of papers without a year is chosen, which no field shows

  function apply() {
    readAll();
    const wanted = Object.fromEntries(Object.entries(fields).map(([key, control]) => [key, control.value.trim()]));
    const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
    const from = Number(wanted.from) || 0, to = Number(wanted.to) || Infinity;
    let shown = 0;
    for (const each of rows) {
      const fits = words.every((word) => each.words.includes(word)) &&
        (!wanted.topic || each.topics.includes(wanted.topic)) &&
        (!wanted.type || each.type === wanted.type) &&
        (!wanted.cited || (each.uses > 0) === (wanted.cited === "yes")) &&
        (undated ? !each.year : (!from && to === Infinity) || (each.year >= from && each.year <= to));
      if (each.row.hidden === fits) each.row.hidden = !fits;
      shown += Number(fits);
    }
    tell(shown);
    for (const bar of bars) {
      const [first, last] = spanOf(bar);
      const chosen = last ? first === from && last === to : undated;
      if (chosen) bar.setAttribute("aria-current", "true");
      else bar.removeAttribute("aria-current");
    }
    const address = new URL(location.href);
    for (const [key, value] of [...Object.entries(wanted), ["undated", undated ? "yes" : ""]]) {
      if (value) address.searchParams.set(key, value);
      else address.searchParams.delete(key);
    }
    if (address.href !== location.href) history.replaceState(history.state, "", address);
  }

  // The years of a bar. Its link names its last year, and its label begins with its first. Both are 0 for the
  // bar of papers without a year.
  /** @type {(bar: Element) => [first: number, last: number]} */
  function spanOf(bar) {
    const last = Number(/#.(.*)/.exec(bar.getAttribute("href") ?? "")?.[1]) || 0;
    const first = Number(/\d{4}/.exec(bar.getAttribute("aria-label") ?? "")?.[0]) || 0;
    return last ? [Math.min(first || last, last), last] : [0, 0];
  }

  for (const bar of bars) {
    bar.addEventListener("click", (event) => {
      event.preventDefault();
      const chosen = bar.hasAttribute("aria-current");
      const [first, last] = spanOf(bar);
      undated = !last && !chosen;
      fields.from.value = chosen || !last ? "" : String(first);
      fields.to.value = chosen || !last ? "" : String(last);
      apply();
    });
  }
  const given = new URL(location.href).searchParams;
  const chosen = given.size > 0;
  if (chosen) readAll();
  else addEventListener("load", () => when(() => read(20)));
  for (const kind of ["input", "pointerdown", "focusin"]) room.addEventListener(kind, readAll, { once: true, capture: true });
  for (const [key, control] of Object.entries(fields)) {
    control.value = given.get(key) ?? control.value;
    control.addEventListener("input", () => {
      if (key === "from" || key === "to") undated = false;
      apply();
    });
  }
  undated = given.has("undated");
  reset.addEventListener("click", () => {
    for (const control of Object.values(fields)) control.value = "";
    undated = false;
    apply();
    fields.text.focus();
  });
  if (chosen) apply();
  else tell(many);

  // Scroll to the newest years, which readers look for first.
  const scroller = document.querySelector(".pn-timeline .pn-scroll");
  if (scroller) scroller.scrollLeft = scroller.scrollWidth;
})();
