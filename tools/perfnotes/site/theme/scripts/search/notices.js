// Makes the messages in the place of results: that there are none, that no note answers, that the search did
// not load, and what a query may say.

import { askAddress } from "./ask.js";
import { isOutside, withoutNote, withoutPages } from "./outcome.js";
import { view } from "./view.js";

/** @import { Answer, Words } from "./types.d.ts" */

export const notices = (() => {
  const { h, button } = view;

  /**
   * Says that no note answers. A link leads to where one can be asked for, unless the notes leave the subject
   * out.
   * @param {Answer} answer
   * @param {Words} words
   * @param {string} lang
   */
  function noNote(answer, words, lang) {
    const href = isOutside(answer) ? "" : askAddress(answer.query, lang);
    return h("p", { class: "pn-search-weak" }, withoutNote(answer, words),
      href && " ", href && h("a", { href }, words.ask), answer.total ? ` ${words.near}` : "");
  }

  /**
   * @param {Answer} answer
   * @param {[kind: string, value: string][]} unknown
   * @param {Words} words
   * @param {(query: string) => unknown} search
   */
  function nothing(answer, unknown, words, search) {
    /** @param {Answer["suggestions"][number]} suggestion */
    const each = ({ text, kind }) => {
      const query = kind === "tag" ? `tag:${text}` : text;
      return button(kind === "tag" ? `${words.tag}: ${text}` : text, () => search(query),
        { class: "pn-chip", "data-suggestion": query });
    };
    // The parts that did not load may have results.
    if (answer.missing.length) return [h("p", { class: "pn-search-none" }, words.noneThere)];
    return [
      h("p", { class: "pn-search-none" }, withoutPages(answer, words)),
      ...unknown.map((filter) => h("p", {}, words.unknown(...filter))),
      ...answer.suggestions.length
        ? [h("p", { class: "pn-search-suggestions" }, words.nearest, " ", ...answer.suggestions.map(each))] : [],
      h("p", {}, words.looser),
    ];
  }

  /**
   * @param {string} text
   * @param {string} remedy
   * @param {() => unknown} act
   */
  const failure = (text, remedy, act) => [h("p", {}, text, " ", button(remedy, act, { class: "pn-link" }))];

  /**
   * @param {Words} words
   * @param {(() => unknown) | null} forget
   */
  function hints(words, forget) {
    const rows = words.examples.flatMap(([query, meaning]) =>
      [h("dt", {}, h("code", {}, query)), h("dd", {}, meaning)]);
    return [
      ...forget ? [button(words.forget, forget, { class: "pn-link" })] : [],
      h("p", {}, words.hints),
      h("dl", {}, ...rows),
    ];
  }

  return { noNote, nothing, failure, hints };
})();
