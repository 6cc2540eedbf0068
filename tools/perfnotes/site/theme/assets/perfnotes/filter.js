// A field that hides the rows without its words. All words of a part must be in a row; a comma between
// parts means or. The words stay in the address. Without this script all rows are shown.
"use strict";

(() => {
  const { say, made } = pnPage;
  const place = document.querySelector(".pn-find");
  if (!place) return;
  /** @type {NodeListOf<HTMLElement>} */
  const all = document.querySelectorAll(".pn-row");
  const rows = [...all].map((row) => {
    const name = row.querySelector(":scope > summary, :scope > th") ?? row;
    return { row, words: (name.textContent ?? "").toLowerCase() };
  });
  /** @type {NodeListOf<HTMLElement>} */
  const boxes = document.querySelectorAll(".pn-scroll:has(.pn-row)"); // a table without rows goes too
  const label = made("label", "", say("Show only", "只显示"));
  const field = Object.assign(document.createElement("input"), { type: "search", placeholder: say("words; a comma means or", "词；逗号表示或") });
  label.append(field);
  const said = made("span", "pn-count");
  said.setAttribute("role", "status");
  place.append(label, said);

  const show = () => {
    const parts = field.value.toLowerCase().split(/[,，、]/).map((part) => part.split(/\s+/).filter(Boolean))
      .filter((part) => part.length);
    let n = 0;
    for (const { row, words } of rows) {
      const fits = !parts.length || parts.some((part) => part.every((word) => words.includes(word)));
      row.hidden = !fits;
      if (fits) n++;
    }
    for (const box of boxes) box.hidden = !box.querySelector(".pn-row:not([hidden])");
    said.textContent = n ? "" : say("Nothing fits.", "没有符合的项。");
    const url = new URL(location.href);
    if (parts.length) url.searchParams.set("show", field.value.trim());
    else url.searchParams.delete("show");
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  };
  field.value = new URL(location.href).searchParams.get("show") ?? "";
  field.addEventListener("input", show);
  if (field.value) show();
})();
