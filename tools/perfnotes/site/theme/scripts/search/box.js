// The search box: a field and its results, in a dialog over any page or on the page of results. The field is a
// combobox: it keeps the focus while the arrow keys move through the list below it.
import { Asking } from "./asking.js";
import { deployed } from "./deployed.js";
import { searchElements } from "./elements.js";
import { Options } from "./options.js";
import { stored } from "./recent.js";
import { Rhythm } from "./rhythm.js";
import { Screen } from "./screen.js";
import { leaveVisit } from "./visit.js";

/**
 * Whether an input method is composing a word, which is not searched yet. Keyboards of Android compose every
 * word, so there words are searched while they are composed.
 * @param {Event} event
 */
const isHalf = (event) => /** @type {InputEvent} */ (event).isComposing && !/Android/.test(navigator.userAgent);

/**
 * `first` results are listed at once, and `limit` when the reader goes on to them. `onAsk` is called with every
 * query, `onPick` with the result that is opened, `onChoose` with the address to open, and `onSubmit` with a
 * query that was entered without choosing a result.
 * @param {{
 *   lang: string, words: import("./types.d.ts").Words, modal: boolean, first: number, limit: number,
 *   onAsk: (text: string) => unknown, onPick: (pick: import("./types.d.ts").Pick) => unknown,
 *   onChoose: (address: string) => unknown, onSubmit: (text: string) => unknown,
 * }} options
 */
export function searchBox({ lang, words, modal, first, limit, onAsk, onPick, onChoose, onSubmit }) {
  const base = new URL("search/", pnSearch.root).href;
  const engine = deployed({ base, lang });
  const name = modal ? "pn-search" : "pn-search-here";
  const parts = searchElements(name, words, () => { put(""); focus(); });
  const { input } = parts;
  const options = new Options(parts.list, input);
  const rhythm = new Rhythm();
  const screen = new Screen(parts, options, { name, lang, words, modal, most: first }, {
    asked: onAsk, put, focus, more, retry, reload, setExpand,
    submit: onSubmit, facets: () => engine.facets,
  });
  const asking = new Asking(engine, screen, () => ({ limit: screen.most, expand: stored.expand }));
  let before = ""; // the text of the field before the last input

  const ask = () => asking.whole(input.value);
  function focus() {
    input.focus();
  }

  /**
   * Searches for the changed text of the field. A text that was put in as a whole, by pasting, a chip or an
   * input method, is searched at once; while somebody types, files are fetched after a pause.
   * @param {boolean} atOnce
   * @param {import("./types.d.ts").Pick} [pick]
   */
  function typed(atOnce, pick) {
    const text = input.value;
    before = text;
    parts.empty.hidden = !text;
    options.activate(-1);
    asking.stop();
    screen.most = Math.max(first, pick?.most || 0);
    screen.picked = pick;
    if (atOnce || !text.trim()) return asking.whole(text);
    asking.fromMemory(text);
    engine.begin(text);
    asking.later(text, rhythm.pause(performance.now()));
  }

  /**
   * @param {string} text
   * @param {import("./types.d.ts").Pick} [pick]
   */
  function put(text, pick) {
    input.value = text;
    typed(true, pick);
  }

  /** @param {boolean} on */
  function setExpand(on) {
    stored.expand = on;
    ask();
  }

  function retry() {
    engine.retry();
    focus();
    ask();
  }

  // The browser's cache may hold the search of an older site, so its files are fetched again first.
  async function reload() {
    const files = ["app.js", "root.js"].map((file) => fetch(base + file, { cache: "reload" }));
    await Promise.allSettled(files);
    location.reload();
  }

  function more() {
    screen.most = screen.most < limit ? limit : screen.most + limit;
    ask();
    focus();
  }

  /** Lists the first `limit` results when the reader goes on to those that are not listed yet. */
  function goesOn() {
    if (screen.most >= limit || !screen.hasMore) return;
    screen.most = limit;
    ask();
  }

  function submit() {
    const text = input.value;
    if (!text.trim()) return;
    stored.add(text);
    onSubmit(text);
  }

  /**
   * Records that the reader opens a result, in this tab or another. Returns its address.
   * @param {HTMLElement} option
   */
  function opened(option) {
    const { href } = /** @type {HTMLAnchorElement} */ (option);
    stored.add(input.value);
    if (option.dataset.type === "note") leaveVisit(href, input.value);
    onAsk(input.value);
    return href;
  }

  /**
   * @param {HTMLElement} option
   * @param {boolean} away in a new tab
   */
  function choose(option, away) {
    if (option.dataset.query !== undefined) return put(option.dataset.query);
    const address = opened(option);
    if (away) return window.open(address, "_blank", "noopener");
    onPick({ page: option.dataset.page, most: screen.most });
    return onChoose(address);
  }

  input.addEventListener("input", (event) => {
    if (!isHalf(event)) typed(Math.abs(input.value.length - before.length) > 1);
  });
  input.addEventListener("compositionend", () => typed(true));
  input.addEventListener("keydown", (event) => {
    // The key that ends a composition does not choose a result. In Safari only its code tells it.
    if (event.isComposing || event.keyCode === 229 || event.altKey) return;
    if (options.move(event)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      const away = event.ctrlKey || event.metaKey;
      const option = options.chosen || (away && options.all[0]);
      if (option) choose(option, away);
      else submit();
    } else if (event.key === "Escape" && !modal && input.value) {
      event.preventDefault();
      put("");
    }
  });
  parts.form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  parts.list.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const option = /** @type {HTMLElement | null} */ (target.closest("[role=option]"));
    if (!option) return;
    if (option.dataset.query !== undefined) {
      put(option.dataset.query);
      focus();
      return;
    }
    opened(option); // the browser follows the link, perhaps in a new tab
    onPick({ page: option.dataset.page, most: screen.most });
  });

  // The middle button opens a result in a new tab.
  parts.list.addEventListener("auxclick", (event) => {
    const option = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("a[role=option]"));
    if (option && event.button === 1) opened(option);
  });

  return {
    element: parts.box,
    focus,
    /**
     * Goes to the field, with its text selected, and enters keys that were pressed before the field was there.
     * @param {string[]} [keys]
     */
    enter(keys = []) {
      focus();
      input.select();
      let text = "";
      for (const key of keys) if (key !== "Enter") text = key === "Backspace" ? text.slice(0, -1) : text + key;
      if (text) put(text);
      if (keys.includes("Enter")) submit();
    },
    get text() {
      return input.value;
    },
    /**
     * @param {string} text
     * @param {import("./types.d.ts").Pick} [pick]
     */
    set(text, pick) {
      if (text !== input.value || !screen.shown.answer) put(text, pick);
    },
    ask,
    goesOn,
    preload: () => engine.preload(),
  };
}
