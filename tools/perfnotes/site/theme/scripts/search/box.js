// The search itself: a field and what it finds, in a dialog over any page or on a page of its own.
// The field is a combobox: it keeps the focus while the arrows move through the list below it.
"use strict";
pnSearch.box = ({ lang, words, modal, limit, onAsk, onPick, onChoose, onSubmit }) => {
  const { h, button, ...view } = pnSearch.view;
  const LONGEST = 400, PAUSE = 120, LEAST = 60, REST = 250;
  const base = new URL("search/", pnSearch.root).href;
  const engine = pnSearch.deployed({ base, lang });
  const NOTHING = { results: [], total: 0, facets: {}, expanded: [], corrected: [], suggestions: [], missing: [] };
  const name = modal ? "pn-search" : "pn-search-here";
  let shown = { text: "", answer: null }, asked = 0, timer, speak, most = limit, active = -1;
  let before = ""; // what stood in the field
  let gaps = [], lastKey = 0; // ms between the last keys
  let picked; // the page that was chosen from this list before, when the reader comes back
  // Most phones in the world write whole words as one composition: there they are searched meanwhile.
  const isHalf = (event) => event.isComposing && !/Android/.test(navigator.userAgent);

  const list = h("div", { role: "listbox", id: `${name}-list`, class: "pn-hits", "aria-label": words.results });
  const input = h("input", {
    type: "text", role: "combobox", name: "q", class: "pn-search-input", placeholder: words.placeholder,
    "aria-label": words.search, "aria-expanded": "false", "aria-controls": list.id,
    "aria-autocomplete": "list", "aria-haspopup": "listbox", autocomplete: "off",
    autocapitalize: "off", autocorrect: "off", spellcheck: "false", enterkeyhint: "search", dir: "auto",
  });
  const clear = button("×", () => { put(""); input.focus(); },
    { class: "pn-search-clear", "aria-label": words.clear, title: words.clear, hidden: true });
  const filters = h("div", { class: "pn-chips", role: "toolbar", "aria-label": words.filters, hidden: true });
  filters.addEventListener("keydown", view.moveAlong);
  filters.addEventListener("focusin", view.reach);
  const notes = h("div", { class: "pn-search-notes" });
  const count = h("p", { class: "pn-search-count" });
  const status = h("div", { role: "status", class: "pn-hidden" });
  const rest = h("div", { class: "pn-search-rest" });
  const form = h("form", { role: "search", class: "pn-search-form", "aria-label": words.search }, input, clear);
  const element = h("div", { class: "pn-search" }, form, filters,
    h("div", { class: "pn-search-body" }, notes, count, list, rest), status);

  const options = () => list.querySelectorAll("[role=option]");

  function activate(at) {
    const all = options();
    active = at >= 0 && at < all.length ? at : -1;
    all.forEach((option, i) => option.setAttribute("aria-selected", String(i === active)));
    if (active < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", all[active].id);
    all[active].scrollIntoView({ block: "nearest" });
  }

  function fill(children) {
    const chosen = options()[active]?.dataset.page ?? picked;
    list.replaceChildren(...children);
    const all = [...options()];
    input.setAttribute("aria-expanded", String(all.length > 0));
    list.hidden = !all.length;
    activate(chosen ? all.findIndex((option) => option.dataset.page === chosen) : -1);
  }

  function say(text) {
    clearTimeout(speak);
    speak = setTimeout(() => (status.textContent = text), 400);
  }

  function showNothingTyped() {
    const recent = pnSearch.memory.recent();
    element.removeAttribute("aria-busy");
    element.dataset.shown = input.value;
    filters.hidden = true;
    notes.replaceChildren();
    count.textContent = recent.length ? words.recent : "";
    fill(recent.map((text, i) => view.recent(text, `${name}-${i}`)));
    const forget = recent.length && (() => {
      pnSearch.memory.forget();
      showNothingTyped();
      input.focus();
    });
    rest.replaceChildren(...view.hints(words, forget),
      ...(modal ? [h("p", { class: "pn-search-keys" }, words.keys)] : []));
    say("");
  }

  function show(text, answer) {
    const { results, total, missing } = answer;
    // A first result stands above those of what was typed before, until the others come.
    const older = answer.partial && shown.answer ? shown.answer.results : [];
    const ids = new Set(results.map((found) => found.id));
    const all = [...results, ...older.filter((found) => !ids.has(found.id))].slice(0, most);
    shown = { text, answer: { ...answer, results: all } };
    const place = (at) => ({ id: `${name}-${at}`, at, many: all.length });
    fill(all.map((found, at) => view.result(found, place(at), words, lang)));
    if (answer.partial) {
      rest.replaceChildren();
      return;
    }
    if (!answer.soon) {
      element.removeAttribute("aria-busy");
      element.dataset.shown = text;
      picked = undefined;
    }
    count.textContent = total ? words.count(total) : "";
    const failed = missing.includes("root");
    const focused = document.activeElement?.dataset.filter;
    const chips = view.chips(failed ? [] : pnSearch.filters.chips(text, answer.facets, total), words,
      ({ kind, value }) => put(pnSearch.filters.toggled(input.value, kind, value)));
    filters.replaceChildren(...chips);
    filters.hidden = !chips.length;
    if (focused) (filters.querySelector(`[data-filter="${CSS.escape(focused)}"]`) || input).focus();
    const switched = document.activeElement === notes.querySelector("[role=switch]");
    notes.replaceChildren(...view.notes(answer, words, {
      expand: pnSearch.memory.expand, setExpand, retry,
      tooLong: Array.from(text).length > LONGEST && words.long(LONGEST),
    }));
    if (switched) (notes.querySelector("[role=switch]") || input).focus();
    rest.replaceChildren(...below(text, answer, failed));
    const said = failed ? answer.isOther ? words.changed : words.failed(navigator.onLine)
      : total ? words.count(total) : missing.length ? words.noneThere : words.none;
    say(missing.length && !failed ? `${said}. ${words.missing(navigator.onLine)}` : said);
  }

  // What stands below the results, or in their place.
  function below(text, { results, total, missing, ...answer }, failed) {
    const attributes = { class: "pn-link pn-search-all" };
    if (failed && answer.isOther) return view.failure(words.changed, words.reload, reload);
    if (failed) return view.failure(words.failed(navigator.onLine), words.retry, retry);
    if (!total) {
      const unknown = engine.facets ? pnSearch.filters.unknown(text, engine.facets) : [];
      return view.nothing({ ...answer, missing }, unknown, words, (query) => {
        put(query);
        input.focus();
      });
    }
    if (!results.length || total === results.length) return [];
    return [modal ? button(words.all(total), () => onSubmit(text), attributes) : button(words.more, more, attributes)];
  }

  const choices = () => ({ limit: most, expand: pnSearch.memory.expand });

  // What is loaded already answers every key at once; nothing is fetched for it.
  function askMemory(text) {
    const { index } = engine;
    if (!index.root) return;
    const found = pnSearch.analyse(pnSearch.parse(text).words);
    if (!found.slots.length) return;
    const [first] = index.firstSlots(found);
    const needed = first.flatMap((slot) => index.shards(slot, index.isPrefix(slot, found)));
    if (!needed.every((n) => index.parsed.has(`t/${n}`))) return;
    const memory = Object.create(index);
    memory.load = (file) => index.promises.get(file) || Promise.resolve(null);
    const mine = ++asked;
    memory.query(text, choices()).then((answer) => {
      const isWhole = answer && answer.total && answer.results.length === Math.min(answer.total, most);
      if (isWhole && mine === asked) show(text, { ...answer, missing: [], soon: true });
    }, () => {});
  }

  // The whole answer, or in a short pause of somebody who types its first result alone, which takes
  // few requests.
  function ask(text, { first = false } = {}) {
    clearTimeout(timer);
    const mine = ++asked;
    const current = () => mine === asked;
    if (!first) onAsk(text);
    if (!text.trim()) {
      shown = { text, answer: null };
      return showNothingTyped();
    }
    if (first) timer = setTimeout(() => ask(text), REST - PAUSE);
    else timer = setTimeout(() => {
      element.setAttribute("aria-busy", "true");
      if (!options().length) count.textContent = words.searching;
    }, 300);
    const wait = timer;
    const onPartial = (answer) => {
      if (!current() || shown.text === text) return null;
      const isFirst = !shown.answer;
      show(text, answer);
      return isFirst && view.painted();
    };
    const few = first ? { limit: 1, expand: false, facets: false } : {};
    engine.query(text, { ...choices(), ...few, onPartial }).then(
      (answer) => {
        if (!first) clearTimeout(wait);
        if (!answer || !current()) return;
        if (!first) show(text, answer);
        else if (answer.results.length) onPartial({ ...answer, partial: true });
      },
      (problem) => {
        clearTimeout(wait);
        console.error(problem);
        if (current()) show(text, { ...NOTHING, missing: ["root"] });
      },
    );
  }

  // A pause is what is longer than the reader's own rhythm; at a start, or after a rest, 120 ms.
  function pause() {
    const now = performance.now();
    gaps = now - lastKey < 2 * PAUSE ? [...gaps, now - lastKey].slice(-4) : [];
    lastKey = now;
    return gaps.length < 2 ? PAUSE : Math.min(PAUSE, Math.max(LEAST, 1.03 * Math.max(...gaps) + 2));
  }

  // While somebody types, a pause comes before pages are fetched; what is put in at once, by
  // pasting, by a chip or by an input method, is searched at once.
  function typed(atOnce, pick) {
    const text = input.value;
    before = text;
    clear.hidden = !text;
    activate(-1);
    clearTimeout(timer);
    most = Math.max(limit, pick?.most || 0);
    picked = pick?.page;
    if (atOnce || !text.trim()) return ask(text);
    askMemory(text);
    engine.begin(text);
    timer = setTimeout(() => ask(text, { first: true }), pause());
  }

  function put(text, pick) {
    input.value = text;
    typed(true, pick);
  }

  function setExpand(on) {
    pnSearch.memory.expand = on;
    ask(input.value);
  }

  function retry() {
    engine.retry();
    input.focus();
    ask(input.value);
  }

  // What the browser keeps of the search is fetched anew first: it may be of the last site.
  async function reload() {
    const files = ["app.js", "root.js"].map((name) => fetch(base + name, { cache: "reload" }));
    await Promise.allSettled(files);
    location.reload();
  }

  function more() {
    most += limit;
    ask(input.value);
    input.focus();
  }

  function choose(option, { away = false } = {}) {
    if (option.dataset.query !== undefined) return put(option.dataset.query);
    pnSearch.memory.add(input.value);
    onAsk(input.value);
    if (!away) onPick({ page: option.dataset.page, most });
    if (away) return window.open(option.href, "_blank", "noopener");
    return onChoose(option.href);
  }

  input.addEventListener("input", (event) => {
    if (!isHalf(event)) typed(Math.abs(input.value.length - before.length) > 1);
  });
  input.addEventListener("compositionend", () => typed(true));
  input.addEventListener("keydown", (event) => {
    // The key that ends a composition is no answer to the list; Safari tells it by its code alone.
    if (event.isComposing || event.keyCode === 229 || event.altKey) return;
    const all = options(), last = all.length - 1;
    const moves = {
      ArrowDown: () => (active < last ? active + 1 : -1),
      ArrowUp: () => (active < 0 ? last : active - 1),
      Home: () => (active < 0 ? null : 0),
      End: () => (active < 0 ? null : last),
    };
    if (moves[event.key] && all.length && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      const to = moves[event.key]();
      if (to === null) return;
      event.preventDefault();
      activate(to);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const away = event.ctrlKey || event.metaKey;
      const option = all[active] || (away && all[0]);
      if (option) choose(option, { away });
      else submit();
    } else if (event.key === "Escape" && !modal && input.value) {
      event.preventDefault();
      put("");
    }
  });
  function submit() {
    const text = input.value;
    if (!text.trim()) return;
    pnSearch.memory.add(text);
    onSubmit(text);
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (!option) return;
    if (option.dataset.query !== undefined) {
      choose(option);
      input.focus();
      return;
    }
    pnSearch.memory.add(input.value); // the link itself leads on, also to a new tab
    onAsk(input.value);
    onPick({ page: option.dataset.page, most });
  });

  return {
    element,
    focus: (select) => { input.focus(); if (select) input.select(); },
    get text() { return input.value; },
    set(text, pick) {
      if (text !== input.value || !shown.answer) put(text, pick);
    },
    ask: () => ask(input.value),
    preload: () => engine.preload(),
  };
};
