// The elements of the search: the field, the filters, the list of results and what stands around it.
import { view } from "./view.js";

/**
 * `name` begins the ids; `clear` is called by the button that empties the field.
 * @param {string} name
 * @param {import("./types.d.ts").Words} words
 * @param {() => void} clear
 */
export function searchElements(name, words, clear) {
  const { h, button } = view;
  const list = h("div", { role: "listbox", id: `${name}-list`, class: "pn-hits", "aria-label": words.results });
  const input = /** @type {HTMLInputElement} */ (h("input", {
    type: "text", role: "combobox", name: "q", class: "pn-search-input", placeholder: words.placeholder,
    "aria-label": words.search, "aria-expanded": "false", "aria-controls": list.id,
    "aria-autocomplete": "list", "aria-haspopup": "listbox", autocomplete: "off",
    autocapitalize: "off", autocorrect: "off", spellcheck: "false", enterkeyhint: "search", dir: "auto",
  }));
  const empty = button("×", clear,
    { class: "pn-search-clear", "aria-label": words.clear, title: words.clear, hidden: true });
  const chips = h("div", { class: "pn-chips", role: "toolbar", "aria-label": words.filters, hidden: true });
  chips.addEventListener("keydown", view.moveAlong);
  chips.addEventListener("focusin", view.roveTabIndex);
  const notes = h("div", { class: "pn-search-notes" });
  const count = h("p", { class: "pn-search-count" });
  const also = h("div", { class: "pn-also" });
  const status = h("div", { role: "status", class: "pn-hidden" });
  const rest = h("div", { class: "pn-search-rest" });
  const form = h("form", { role: "search", class: "pn-search-form", "aria-label": words.search }, input, empty);
  const box = h("div", { class: "pn-search" }, form, chips,
    h("div", { class: "pn-search-body" }, h("div", { class: "pn-search-bar" }, count, notes, also), list, rest),
    status);
  return { box, form, input, empty, chips, notes, count, also, list, rest, status };
}
