// Puts the search box into a dialog over any page, or into the page of results. The address of the page holds
// the query, so that it can be linked and the back button leads to it.
import { searchBox } from "./box.js";
import { view } from "./view.js";
import { WORDS } from "./words.js";

/** @import { Pick } from "./types.d.ts" */

const ABOVE = 340; // px above the list on the page of results
const ROW = 100; // px, about the height of one result
const TALL = 150; // px, that height on a phone, where the text takes more lines
const NARROW = 600; // px; in windows up to this width results are TALL

/** @param {{ page: HTMLElement | null }} options */
export function searchUi({ page }) {
  const lang = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
  const words = WORDS[lang];
  const { h, button } = view;
  const MOST = 400; // characters of a query that are kept in the address; no more are searched
  const results = () => new URL(/** @type {HTMLAnchorElement} */ (document.querySelector("[data-pn-search]")).href);

  /**
   * @param {string} text
   * @param {"replaceState" | "pushState"} [how]
   */
  function remember(text, how = "replaceState") {
    const url = new URL(location.href);
    const query = Array.from(text).slice(0, MOST).join("").trim();
    if (query) url.searchParams.set("q", query);
    else url.searchParams.delete("q");
    if (url.href === location.href) return false;
    write(how, null, url);
    return true;
  }

  /**
   * @param {"replaceState" | "pushState"} how
   * @param {unknown} state
   * @param {string | URL} address
   */
  function write(how, state, address) {
    try {
      history[how](state, "", address);
    } catch {
      // browsers limit how often the address may change
    }
  }

  /** @param {string} href */
  const go = (href) => location.assign(href);
  /**
   * Stores in the history which result was opened, so that it is active when the reader comes back, and how far
   * the page of results was scrolled.
   * @param {Pick} pick
   */
  const onPick = (pick) => write("replaceState", { pick: page ? { ...pick, scrolled: scrollY } : pick }, location.href);

  if (page) {
    let entered = false; // whether the query was entered, so that it gets an entry in the history
    // Only the results in view are fetched, until the reader scrolls or moves down in the list.
    const inView = Math.ceil((innerHeight - ABOVE) / (innerWidth > NARROW ? ROW : TALL));
    const box = searchBox({
      lang, words, modal: false, first: Math.min(20, Math.max(4, inView)), limit: 20,
      onAsk: (text) => {
        if (remember(text, entered ? "pushState" : "replaceState")) entered = false;
      },
      onPick, onChoose: go,
      onSubmit: () => {
        box.ask();
        entered = true;
      },
    });
    page.replaceChildren(box.element);
    /** @param {string | null} query */
    const show = (query) => box.set(query || "", history.state?.pick);
    show(new URL(location.href).searchParams.get("q"));
    box.ask();
    box.focus();
    addEventListener("scroll", () => box.goesOn(), { passive: true });
    page.addEventListener("keydown", (event) => event.key.startsWith("Arrow") && box.goesOn());
    /** @type {(query?: string, keys?: string[]) => void} */
    const open = (_, keys) => box.enter(keys);
    return { open, show, preload: box.preload };
  }

  const box = searchBox({
    lang, words, modal: true, first: 8, limit: 8,
    onAsk: (text) => dialog.open && remember(text),
    onPick, onChoose: go,
    onSubmit: (text) => {
      const url = results();
      url.searchParams.set("q", Array.from(text).slice(0, MOST).join(""));
      go(pnSearch.asFile(url));
    },
  });
  const close = button(words.close, () => dialog.close(), { class: "pn-search-close" });
  box.element.querySelector("form")?.append(close);
  const dialog = /** @type {HTMLDialogElement} */ (
    h("dialog", { class: "pn-search-dialog", "aria-label": words.search }, box.element));
  document.body.append(dialog);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // a click outside of the box
  });
  dialog.addEventListener("close", () => {
    pnSearch.isOpen = false;
    remember("");
  });

  /** @type {(query?: string, keys?: string[]) => void} */
  function open(query, keys) {
    if (!dialog.open) {
      dialog.showModal();
      pnSearch.isOpen = true;
      box.preload();
    }
    if (query !== undefined) box.set(query, history.state?.pick);
    else box.ask();
    box.enter(keys);
  }
  /** @param {string | null} query */
  function show(query) {
    if (query !== null) open(query);
    else if (dialog.open) dialog.close();
  }
  return { open, show, preload: box.preload };
}
