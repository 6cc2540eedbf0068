// Things to try by typing: a field for a line, buttons with examples, and the rows that the script of the
// thing makes of it. Whatever is typed is shown as text; nothing of it is run.
"use strict";

(() => {
  const { made } = pnPage;
  const SHOWN = 24; // characters of a line that a sentence names
  const AFTER = 600; // milliseconds without a change until the sentence is read aloud

  // Thrown for a line that a thing to try does not know: `said` is the name of the sentence that says why,
  // `what` the text for the gap of that sentence.
  class Refusal extends Error {
    /** @param {string} said @param {string} what */
    constructor(said, what) {
      super(said);
      this.said = said;
      this.what = what;
    }
  }
  /** @type {ExploreTools["refuse"]} */
  const refuse = (said, what = "") => {
    throw new Refusal(said, what);
  };
  /** @type {ExploreTools["cut"]} */
  const cut = (text) => {
    const signs = [...text];
    return signs.length <= SHOWN ? text : `${signs.slice(0, SHOWN).join("")}…`;
  };
  /** @type {ExploreTools["answer"]} */
  const answer = (thing, line, longest) => {
    try {
      if ([...line].length > longest) refuse("too-long");
      // deno-lint-ignore no-control-regex
      if (/[\0-\x08\x0a-\x1f\x7f]/.test(line)) refuse("control");
      return thing(line);
    } catch (problem) {
      if (problem instanceof Refusal) return { said: problem.said, gaps: { what: problem.what }, rows: [] };
      throw problem;
    }
  };
  Object.assign(pnPage, { refuse, cut, answer });

  /** @type {(text: string, gaps: Record<string, string>) => string} */
  const filled = (text, gaps) => text.replace(/\{([a-z]+)\}/g, (_, name) => gaps[name] ?? "");

  /** @type {(word: TypedWord, empty: string) => HTMLElement} */
  function shownWord(word, empty) {
    if (!word.some(([text]) => text)) return made("code", "pn-word-empty", empty);
    const code = made("code", "");
    for (const [text, kind] of word) code.append(kind ? made("span", `pn-piece-${kind}`, text) : text);
    return code;
  }

  /** @type {(box: HTMLElement, thing: TypedThing) => void} */
  function start(box, thing) {
    /** @type {TypedData} */
    const { name, longest, says, names, same, empty } = JSON.parse(box.dataset.explore ?? "");
    const said = /** @type {HTMLElement} */ (box.querySelector(".pn-explore-said"));
    const rows = /** @type {HTMLElement} */ (box.querySelector(".pn-typed-rows"));
    const code = /** @type {HTMLElement} */ (box.querySelector(".pn-typed-line code"));
    const words = /** @type {HTMLElement} */ (code.previousElementSibling);
    const status = made("p", "pn-explore-status");
    status.setAttribute("role", "status");
    const field = Object.assign(document.createElement("input"), {
      type: "text", id: `explore-${name}-line`, value: code.textContent, maxLength: longest, autocomplete: "off",
      spellcheck: false, autocapitalize: "none",
    });
    field.setAttribute("autocorrect", "off");
    const label = document.createElement("label");
    label.htmlFor = field.id;
    label.append(...words.childNodes);
    words.append(label);
    code.replaceWith(field);
    box.append(status);
    let waiting = 0;

    const update = () => {
      const found = answer(thing, field.value, longest);
      said.textContent = filled(says[found.said], found.gaps);
      rows.replaceChildren(...found.rows.map((row) => {
        const item = made("li", row.depth ? `pn-depth-${row.depth}` : "");
        item.append(made("p", "", filled(names[row.name], row.gaps)));
        if (row.same) item.append(made("span", "", same));
        else {
          const all = made("div", "");
          row.words.forEach((word, i) => all.append(i ? " " : "", shownWord(word, empty)));
          item.append(all);
        }
        return item;
      }));
      clearTimeout(waiting);
      waiting = setTimeout(() => (status.textContent = said.textContent), AFTER);
    };
    field.addEventListener("input", update);
    for (const item of box.querySelectorAll(".pn-typed-examples li")) {
      const line = item.textContent ?? "";
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.append(made("code", "", line));
      button.addEventListener("click", () => {
        field.value = line;
        update();
      });
      item.replaceChildren(button);
    }
  }

  pnPage.typed = (name, thing) => {
    const box = document.getElementById(`explore-${name}`);
    if (box) start(box, thing);
  };
})();
