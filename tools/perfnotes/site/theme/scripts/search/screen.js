// Shows answers, first results, and the recent searches and hints before anything is typed.
import { LONGEST_QUERY } from "./constants.js";
import { filters } from "./filters.js";
import { hasFailed, listed, spoken } from "./outcome.js";
import { withoutFrames } from "./parse.js";
import { stored } from "./recent.js";
import { notices } from "./notices.js";
import { view } from "./view.js";

const SAY_AFTER_TYPING = 400; // ms

export class Screen {
  /** @type {{ text: string, answer: import("./types.d.ts").Answer | null }} */
  shown = { text: "", answer: null };
  /** @type {import("./types.d.ts").Pick | undefined} what was opened from this list, if the reader has come back */
  picked;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  speech;

  /**
   * At most `most` results are listed. `actions` are called by buttons.
   * @param {ReturnType<typeof import("./elements.js").searchElements>} parts
   * @param {import("./options.js").Options} options
   * @param {{ name: string, lang: string, words: import("./types.d.ts").Words, modal: boolean, most: number }}
   * settings
   * @param {import("./types.d.ts").Actions} actions
   */
  constructor(parts, options, { name, lang, words, modal, most }, actions) {
    this.parts = parts;
    this.options = options;
    this.name = name;
    this.lang = lang;
    this.words = words;
    this.modal = modal;
    this.most = most;
    this.actions = actions;
  }

  /** Whether the answer has more results than are listed. */
  get hasMore() {
    const { answer } = this.shown;
    return !!answer && !answer.partial && answer.total > answer.results.length;
  }

  /** Whether the dialog says that there is no result. It keeps no room above that. */
  get isEmpty() {
    const { answer } = this.shown;
    return this.modal && !!answer && !answer.partial && !answer.total;
  }

  /** @param {string} text */
  asked(text) {
    if (!this.isEmpty) this.expect(text);
    this.actions.asked(text);
  }

  /**
   * Keeps room above the results for filters and a line, so that results do not move when these come.
   * @param {string} text
   */
  expect(text) {
    this.parts.box.classList.toggle("is-asked", !!text.trim());
  }

  /** @param {string} text */
  say(text) {
    clearTimeout(this.speech);
    this.speech = setTimeout(() => (this.parts.status.textContent = text), SAY_AFTER_TYPING);
  }

  /** Shows recent searches and hints. @param {string} text the text of the field, which is white space or empty */
  empty(text) {
    const { also, box, chips, notes, count, rest } = this.parts, { words } = this;
    this.shown = { text, answer: null };
    const recent = stored.recent();
    box.removeAttribute("aria-busy");
    box.dataset.shown = text;
    box.classList.remove("is-asked");
    chips.hidden = true;
    also.replaceChildren();
    notes.replaceChildren();
    count.textContent = recent.length ? words.recent : "";
    this.options.fill(recent.map((query, i) => view.recent(query, `${this.name}-${i}`)), this.picked?.page);
    const forget = () => {
      stored.forget();
      this.empty(text);
      this.actions.focus();
    };
    rest.replaceChildren(...notices.hints(words, recent.length ? forget : null),
      ...(this.modal ? [view.h("p", { class: "pn-search-keys" }, words.keys)] : []));
    this.say("");
  }

  wait() {
    this.parts.box.setAttribute("aria-busy", "true");
    if (!this.options.all.length) this.parts.count.textContent = this.words.searching;
  }

  painted() {
    return view.painted();
  }

  /**
   * @param {string} text
   * @param {import("./types.d.ts").Answer} given
   */
  show(text, given) {
    const answer = listed(given, this.shown.answer, this.most), { words, picked } = this;
    this.shown = { text, answer };
    this.expect(this.isEmpty ? "" : text);
    this.options.fill(answer.results.flatMap((found, at) =>
      view.result(found, { id: `${this.name}-${at}`, at, many: answer.results.length }, words, this.lang)), picked?.page);
    if (answer.partial) {
      if (answer.corrected.length) this.showNotes(text, answer);
      this.parts.rest.replaceChildren();
      return;
    }
    if (!answer.soon) {
      this.parts.box.removeAttribute("aria-busy");
      this.parts.box.dataset.shown = text;
      this.picked = undefined;
    }
    this.parts.count.textContent = answer.total ? words.count(answer.total) : "";
    this.showChips(text, answer);
    this.showSwitch(answer);
    this.showNotes(text, answer);
    this.parts.rest.replaceChildren(...this.below(text, answer, given.results.length));
    // A browser gives up the place that it would restore when the option of the opened result scrolls into view.
    if (picked?.scrolled) scrollTo(0, picked.scrolled);
    this.say(spoken(answer, words, navigator.onLine));
  }

  /**
   * @param {string} text
   * @param {import("./types.d.ts").Answer} answer
   */
  showChips(text, answer) {
    const { chips, input } = this.parts;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.filter;
    const titles = this.actions.facets()?.titles;
    /** @param {import("./types.d.ts").Kind} kind @param {string} value */
    const called = (kind, value) => filters.called(kind, value, this.lang, this.words, titles);
    const found = hasFailed(answer) ? [] : filters.chips(text, answer.facets, answer.total, called);
    chips.replaceChildren(...view.chips(found, this.words,
      ({ kind, value }) => this.actions.put(filters.toggled(input.value, kind, value))));
    chips.hidden = !found.length;
    if (focused) view.focus(chips, `[data-filter="${CSS.escape(focused)}"]`, input);
  }

  /**
   * @param {string} text
   * @param {import("./types.d.ts").Answer} answer
   */
  showNotes(text, answer) {
    const { notes, input } = this.parts, before = notes.querySelector("details");
    const focused = before?.contains(document.activeElement);
    notes.replaceChildren(...view.notes(answer, this.words, {
      open: !!before?.open,
      retry: this.actions.retry,
      tooLong: Array.from(withoutFrames(text)).length > LONGEST_QUERY ? this.words.long(LONGEST_QUERY) : "",
    }));
    if (answer.isWeak && !answer.missing.length) notes.append(notices.noNote(answer, this.words, this.lang));
    if (focused) view.focus(notes, "summary", input);
  }

  /** @param {import("./types.d.ts").Answer} answer */
  showSwitch(answer) {
    const { also, input } = this.parts;
    const switched = also.contains(document.activeElement);
    also.replaceChildren(...view.otherNames(answer, this.words, stored.expand, this.actions.setExpand));
    if (switched) view.focus(also, "[role=switch]", input);
  }

  /**
   * Returns the elements below the results, or in their place.
   * @param {string} text
   * @param {import("./types.d.ts").Answer} answer
   * @param {number} count the number of results that the engine gave
   */
  below(text, answer, count) {
    const { words, actions } = this;
    const attributes = { class: "pn-link pn-search-all" };
    if (hasFailed(answer)) {
      return answer.isOtherFormat ? notices.failure(words.changed, words.reload, actions.reload)
        : notices.failure(words.failed(navigator.onLine), words.retry, actions.retry);
    }
    if (!answer.total) {
      const facets = actions.facets();
      return notices.nothing(answer, facets ? filters.unknown(text, facets) : [], words, (query) => {
        actions.put(query);
        actions.focus();
      });
    }
    if (!count || answer.total === count) return [];
    return [this.modal ? view.button(words.all(answer.total), () => actions.submit(text), attributes)
      : view.button(words.more, actions.more, attributes)];
  }
}
