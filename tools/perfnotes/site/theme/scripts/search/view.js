// Makes the elements that show an answer. All strings are set as text, so nothing that was typed or found is
// parsed as HTML.

/** @import { Answer, Chip, Part, Result, Words } from "./types.d.ts" */
export const view = (() => {
  /**
   * h("p", { class: "x", hidden: true }, "text", element): null, undefined and false are left out
   * @param {string} tag
   * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
   * @param {...(Node | string | false | null | undefined)} children
   */
  function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === true) element.setAttribute(name, "");
      else if (value !== null && value !== false && value !== undefined) {
        element.setAttribute(name, String(value));
      }
    }
    element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
    return element;
  }

  /**
   * Returns the address of a page. The address of a section ends in a text fragment with `words`, if the
   * browser supports text fragments.
   * @param {string} url
   * @param {string} [words]
   */
  function address(url, words) {
    const [path, anchor] = url.split("#", 2);
    const full = new URL(path.split("/").map(encodeURIComponent).join("/"), pnSearch.root);
    if (anchor !== undefined) full.hash = anchor;
    const there = words && "fragmentDirective" in document;
    const text = there && anchor ? encodeURIComponent(words).replace(/-/g, "%2D") : "";
    return pnSearch.asFile(full) + (text && `:~:text=${text}`);
  }

  /**
   * Returns the words around the first match of a snippet, for a text fragment. Empty if the browser may not
   * find them on the page: if they are cut off. Empty as well if they are fewer than three words or eight
   * Chinese characters: so few often stand further up on the page, and the browser opens the first. Words of
   * one clause are taken, because the page may have other signs than the snippet between clauses. An exact
   * phrase of three words needs none before it, which may be of another item of a list.
   * @param {Part[]} snippet
   */
  function passage(snippet) {
    const full = snippet.map((part) => part.text).join("");
    const first = snippet.findIndex((part) => part.mark);
    const at = snippet.slice(0, Math.max(0, first)).reduce((n, part) => n + part.text.length, 0);
    const clauses = first < 0 ? [] : full.matchAll(/[^.·;:!?,(){}[\]"“”…。；：！？，、（）]+/g);
    for (const { 0: clause, index } of clauses) {
      if (at < index || at >= index + clause.length) continue;
      const end = index + clause.length;
      const isCut = [full[index - 1] === "…", full[end] === "…" || end === full.length];
      if (/[\u3400-\u9fff]/.test(clause)) {
        const text = clause.trim();
        return isCut.some(Boolean) || text.length < 8 || text.length > 60 ? "" : text;
      }
      let [before] = (!/\S\s+\S+\s+\S/.test(snippet[first].text) && /(?:\S+\s+){0,2}$/.exec(clause.slice(0, at - index))) || [""];
      let [after] = /^\S+(?:\s+\S+){0,3}/.exec(clause.slice(at - index)) || [""];
      if (isCut[0] && before.trim() === clause.slice(0, at - index).trim()) before = before.replace(/^\s*\S+\s+/, "");
      if (isCut[1] && clause.trim().endsWith(after)) after = after.replace(/\s+\S+$/, "");
      const words = (before + after).trim();
      return words.split(/\s+/).length > 2 ? words : "";
    }
    return "";
  }

  /** @param {Part[]} parts */
  const marked = (parts) => parts.map(({ text, mark }) => (mark ? h("mark", {}, text) : text));

  /**
   * Makes the options of a page: one with its matching section, and a small one that leads to the other place
   * at which the answer may stand. The accessible name of an option is the text that it shows, so people who
   * control a browser by voice can say it.
   * @param {Result} found
   * @param {{ id: string, at: number, many: number }} place
   * @param {Words} words
   * @param {string} lang
   */
  function result(found, { id, at, many }, words, lang) {
    const { title, titleParts, sectionParts, snippet, type, other } = found;
    const opens = found.sectionUrl || found.url;
    const own = found.lang === lang ? null : found.lang;
    const ofTitle = type !== "paper" ? own || lang : /[\u3400-\u9fff]/.test(title) ? "zh" : "en"; // a work's own language
    const badge = own && type === "note" ? words.values[own] || own
      : (own || type !== "note") && (words.values[type] || type);
    const section = found.section !== title && found.section;
    const isSymptom = found.isSymptom && type === "note"; // for a subject without a note, the section already says so
    const shared = {
      role: "option", tabindex: "-1", "aria-selected": "false", "aria-posinset": at + 1, "aria-setsize": many,
      "data-page": found.id, "data-type": type,
    };
    const option = h(
      "a",
      {
        ...shared, id, href: address(opens, isSymptom ? "" : passage(snippet)), class: "pn-hit",
      },
      h("span", { class: "pn-hit-title", lang: own },
        h("span", { lang: ofTitle === (own || lang) ? null : ofTitle }, ...marked(titleParts)),
        badge && h("span", { class: "pn-hit-kind", lang }, badge)),
      section && h("span", { class: isSymptom ? "pn-hit-seen" : "pn-hit-section", lang: own },
        isSymptom && h("b", { lang }, words.seen), isSymptom && " ", ...marked(sectionParts)),
      h("span", { class: "pn-hit-text", id: `${id}-text`, lang: own },
        isSymptom && h("b", { lang }, words.confirm), isSymptom && " ", ...marked(snippet)),
    );
    if (!other) return [option];
    return [option, h(
      "a",
      {
        ...shared, id: `${id}-other`, href: address(other.url), class: "pn-hit pn-hit-other",
      },
      h("span", {}, words.other, h("span", { lang: other.heading && own }, other.heading || words.top)),
    )];
  }

  /**
   * @param {string} text
   * @param {string} id
   */
  function recent(text, id) {
    return h("div", { role: "option", id, class: "pn-hit pn-hit-recent", "aria-selected": "false",
      "data-query": text }, text);
  }

  /**
   * @param {string} text
   * @param {(event: Event) => unknown} act
   * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
   */
  const button = (text, act, attributes = {}) => {
    const made = h("button", { type: "button", ...attributes }, text);
    made.addEventListener("click", act);
    return made;
  };

  /**
   * @param {Chip} each
   * @param {Words} words
   * @param {() => unknown} act
   */
  function chip({ kind, value, name, count, on }, words, act) {
    const made = button("", act, {
      class: "pn-chip", "aria-pressed": String(on), "data-filter": `${kind}:${value}`,
      title: on ? words.remove(name) : `${kind}:${value}`,
    });
    made.append(h("span", { class: "pn-hidden" }, `${words.kinds[kind]}: `), name,
      count ? h("span", { class: "pn-chip-count" }, ` ${count}`) : "");
    return made;
  }

  /**
   * Makes chips, in groups by kind, with the name of the kind before each group. The Tab key reaches one chip,
   * and the arrow keys move to the others.
   * @param {Chip[]} list
   * @param {Words} words
   * @param {(chip: Chip) => unknown} act
   */
  function chips(list, words, act) {
    /** @type {HTMLElement[]} */
    const groups = [];
    list.forEach((each, i) => {
      const made = chip(each, words, () => act(each));
      made.tabIndex = i ? -1 : 0;
      if (!i || list[i - 1].kind !== each.kind) {
        const kind = h("span", { class: "pn-chip-kind", "aria-hidden": "true" }, words.kinds[each.kind]);
        groups.push(h("span", { class: "pn-chip-group" }, kind));
      }
      groups[groups.length - 1].append(made);
    });
    return groups;
  }

  /**
   * @param {Event} event
   * @returns {HTMLButtonElement[]}
   */
  const buttonsOf = (event) => [.../** @type {Element} */ (event.currentTarget).querySelectorAll("button")];

  /** @param {KeyboardEvent} event */
  function moveAlong(event) {
    const all = buttonsOf(event);
    const at = all.findIndex((each) => each === event.target), last = all.length - 1;
    const to = {
      ArrowRight: Math.min(at + 1, last), ArrowLeft: Math.max(at - 1, 0), Home: 0, End: last,
    }[event.key];
    if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    all[to].focus();
  }

  /**
   * Lets the Tab key come back to the chip that had the focus last.
   * @param {FocusEvent} event
   */
  function roveTabIndex(event) {
    for (const each of buttonsOf(event)) {
      each.tabIndex = each === event.target ? 0 : -1;
    }
  }

  /**
   * Makes the switch for searching other names too, if the query has some or the switch is off.
   * @param {Answer} answer
   * @param {Words} words
   * @param {boolean} expand whether it is on
   * @param {(on: boolean) => unknown} setExpand
   */
  function otherNames(answer, words, expand, setExpand) {
    if (expand && !answer.expanded.length) return [];
    return [button(words.alsoSwitch, () => setExpand(!expand),
      { role: "switch", class: "pn-switch", "aria-checked": String(expand) })];
  }

  /**
   * Says what was searched besides the query as typed, and what did not load. What was searched is cut to one
   * line, so that results do not move when it comes; the reader can open the line to see all of it.
   * @param {Answer} answer
   * @param {Words} words
   * @param {{ retry: () => unknown, tooLong: string, open: boolean }} settings
   */
  function notes(answer, words, { retry, tooLong, open }) {
    const parts = [];
    const read = answer.corrected.filter(([typed, word]) => typed !== word)
      .map(([typed, word]) => h("span", {}, words.instead(typed, word)));
    if (answer.expanded.length) {
      const other = answer.expanded.map((word) => h("b", {}, word));
      read.push(h("span", {}, words.also, ...other.flatMap((word, i) => [i ? words.comma : "", word])));
    }
    if (read.length) {
      const line = read.flatMap((each, i) => [i ? " \u00b7 " : "", each]);
      parts.push(h("details", { class: "pn-read", open }, h("summary", {}, ...line)));
    }
    if (answer.missing.length && !answer.missing.includes("root")) {
      parts.push(h("p", { class: "pn-search-missing" }, words.missing(navigator.onLine), " ",
        button(words.retry, retry, { class: "pn-link" })));
    }
    if (answer.isLoose) parts.push(h("p", {}, words.loose));
    if (tooLong) parts.push(h("p", {}, tooLong));
    return parts;
  }

  /**
   * Moves the focus to the element that replaces the focused one, or else to the field.
   * @param {HTMLElement} box
   * @param {string} selector
   * @param {HTMLElement} field
   */
  function focus(box, selector, field) {
    const made = /** @type {HTMLElement | null} */ (box.querySelector(selector));
    (made || field).focus();
  }

  // Waits until the first results are painted, before anything else is fetched. A hidden page paints
  // nothing, so this waits for at most 100 ms.
  const painted = () => new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100);
  });

  return {
    h, focus, painted, button, address, passage, result, recent, chips, moveAlong, roveTabIndex, otherNames, notes,
  };
})();
