// How an answer looks: elements made of text alone, so that nothing typed or found is ever HTML.
"use strict";
pnSearch.view = (() => {
  // h("p", { class: "x", hidden: true }, "text", element): what is null or false is left out
  function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === true) element.setAttribute(name, "");
      else if (value !== null && value !== false && value !== undefined) {
        element.setAttribute(name, value);
      }
    }
    element.append(...children.filter((child) => child !== null && child !== false));
    return element;
  }

  // A page's address; opened as a file, a folder's address would show the folder.
  function address(url) {
    const [path, anchor] = url.split("#", 2);
    const full = new URL(path.split("/").map(encodeURIComponent).join("/"), pnSearch.root);
    if (full.protocol === "file:" && full.pathname.endsWith("/")) full.pathname += "index.html";
    if (anchor !== undefined) full.hash = anchor;
    return full.href;
  }

  const marked = (parts) => parts.map(({ text, mark }) => (mark ? h("mark", {}, text) : text));

  // One page with its matching section: a group, named by the page, with one option.
  function result(found, id, words, lang) {
    const { title, section, snippet, type } = found;
    const own = found.lang === lang ? null : found.lang;
    const badge = own || type !== "note";
    const option = h(
      "a",
      {
        role: "option", id, href: address(found.sectionUrl || found.url), tabindex: "-1",
        "aria-selected": "false", "aria-label": section ? `${title}: ${section}` : title,
        "aria-describedby": `${id}-text`, class: "pn-hit", "data-page": found.id,
      },
      h("span", { class: "pn-hit-title", lang: own },
        h("span", {}, title),
        badge && h("span", { class: "pn-hit-kind", lang },
          own && type === "note" ? words.values[own] || own : words.values[type] || type)),
      section && section !== title && h("span", { class: "pn-hit-section", lang: own }, section),
      h("span", { class: "pn-hit-text", id: `${id}-text`, lang: own }, ...marked(snippet)),
    );
    return h("div", { role: "group", "aria-label": title }, option);
  }

  function recent(text, id) {
    return h("div", { role: "option", id, class: "pn-hit pn-hit-recent", "aria-selected": "false",
      "data-query": text }, text);
  }

  const button = (text, act, attributes = {}) => {
    const made = h("button", { type: "button", ...attributes }, text);
    made.addEventListener("click", act);
    return made;
  };

  function chip({ kind, value, count, on }, words, act) {
    const isOurs = ["type", "level", "lang"].includes(kind); // not somebody's topic or tag
    const name = (isOurs && words.values[value]) || value;
    const made = button("", act, {
      class: "pn-chip", "aria-pressed": String(on), "data-filter": `${kind}:${value}`,
      title: on ? words.remove(name) : `${kind}:${value}`,
    });
    made.append(h("span", { class: "pn-hidden" }, `${words.kinds[kind]}: `), name,
      count ? h("span", { class: "pn-chip-count" }, ` ${count}`) : "");
    return made;
  }

  // Chips in a line, the first of each kind behind the name of the kind.
  function chips(list, words, act) {
    return list.map((each, i) => {
      const made = chip(each, words, () => act(each));
      if (i && list[i - 1].kind === each.kind) return made;
      const kind = h("span", { class: "pn-chip-kind", "aria-hidden": "true" }, words.kinds[each.kind]);
      return h("span", { class: "pn-chip-first" }, kind, made);
    });
  }

  // What was searched besides what was typed, and what did not load.
  function notes(answer, words, { expand, setExpand, retry, tooLong }) {
    const parts = [];
    for (const [typed, word] of answer.corrected || []) {
      parts.push(h("p", {}, words.instead(typed, word)));
    }
    if (answer.expanded.length || !expand) {
      const other = answer.expanded.map((word) => h("b", {}, word));
      const listed = other.flatMap((word, i) => (i ? [", ", word] : [" ", word]));
      const toggle = button("", () => setExpand(!expand), {
        role: "switch", class: "pn-switch", "aria-checked": String(expand),
        "aria-label": words.alsoSwitch, title: words.alsoSwitch,
      });
      parts.push(h("p", { class: "pn-also" },
        h("span", {}, ...(expand ? [words.also, ...listed] : [words.alsoOff])), toggle));
    }
    if (answer.missing.length && !answer.missing.includes("root")) {
      parts.push(h("p", { class: "pn-search-missing", role: "alert" }, words.missing, " ",
        button(words.retry, retry, { class: "pn-link" })));
    }
    if (tooLong) parts.push(h("p", {}, tooLong));
    return parts;
  }

  function nothing(answer, words, search) {
    const each = (suggestion) => {
      const { text, kind } = typeof suggestion === "string" ? { text: suggestion } : suggestion;
      const query = kind === "tag" ? `tag:${text}` : text;
      return button(kind === "tag" ? `${words.tag}: ${text}` : text, () => search(query),
        { class: "pn-chip", "data-suggestion": query });
    };
    return [
      h("p", { class: "pn-search-none" }, words.none),
      answer.suggestions.length &&
        h("p", { class: "pn-search-suggestions" }, words.nearest, " ", ...answer.suggestions.map(each)),
      h("p", {}, words.looser),
    ].filter(Boolean);
  }

  const failure = (words, retry) => [
    h("p", { role: "alert" }, words.failed, " ", button(words.retry, retry, { class: "pn-link" })),
  ];

  function hints(words, forget) {
    const rows = words.examples.flatMap(([query, meaning]) =>
      [h("dt", {}, h("code", {}, query)), h("dd", {}, meaning)]);
    return [
      forget && button(words.forget, forget, { class: "pn-link" }),
      h("p", {}, words.hints),
      h("dl", {}, ...rows),
    ].filter(Boolean);
  }

  return { h, button, address, result, recent, chips, notes, nothing, failure, hints };
})();
