// Things to try by typing: a field for a line, buttons with examples, and the rows that the script of the
// thing makes of it. Whatever is typed is shown as text; nothing of it is run.
"use strict";

(() => {
  const { made } = pnPage;
  const AFTER = 600; // milliseconds without a change until the sentence is read aloud

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
      const answer = thing(field.value);
      said.textContent = filled(says[answer.said], answer.gaps);
      rows.replaceChildren(...answer.rows.map((row) => {
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
