// Calculators: fields for the inputs and results that follow them. The page holds the formulas and
// worked values. This script computes the same formulas for other inputs. It accepts only the grammar
// of the project's expressions.
"use strict";

(() => {
  const { say, made, tell, figure, withUnit } = pnPage;
  const AFTER = 600; // milliseconds without a change until the results are read aloud

  // --- Expressions: + - * / **, parentheses, decimal numbers, names, a few functions. ------------
  const TOKEN = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/(),]))/y;
  const DEEPEST = 200;
  /** @type {(what: string) => never} */
  const wrong = (what) => { throw new Error(what); };
  /** @type {Map<string, (...values: number[]) => number>} */
  const FUNCTIONS = new Map(/** @type {[string, (...values: number[]) => number][]} */ ([
    ["abs", Math.abs], ["ceil", Math.ceil], ["floor", Math.floor],
    ["log2", (x) => (x > 0 ? Math.log2(x) : wrong("a logarithm of no positive number"))],
    ["max", Math.max], ["min", Math.min], ["sqrt", (x) => power(x, 0.5)],
  ]));

  const LARGEST = 1e300;
  /** @type {(x: number) => number} */
  const bounded = (x) => (Math.abs(x) < LARGEST ? x : wrong("beyond all bounds"));

  /** @type {(x: number, by: number) => number} */
  function power(x, by) {
    if (Math.abs(by) > 64 || (by < 0 && x === 0) || (x < 0 && !Number.isInteger(by))) wrong("no power");
    return bounded(x ** by);
  }

  /** @typedef {number | string | { name: string }} Token */
  /** @type {(text: string) => Token[]} */
  function tokens(text) {
    /** @type {Token[]} */
    const found = [];
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.trimEnd().length) {
      const [, number, name, sign] = TOKEN.exec(text) ?? wrong("no expression");
      found.push(number ? Number(number) : name ? { name } : sign);
    }
    return found;
  }

  // Returns the value of a formula, in which names have the values of `known`. Throws if the formula has no
  // value for them.
  /** @type {(text: string, known: Map<string, number>) => number} */
  function evaluate(text, known) {
    const left = tokens(text).reverse();
    /** @param {string} sign */
    const next = (sign) => left.at(-1) === sign && (left.pop(), true);
    /** @param {string} sign */
    const expect = (sign) => next(sign) || wrong(`${sign} is missing`);

    /** @type {(depth: number) => number} */
    function primary(depth) {
      if (depth > DEEPEST) wrong("nested too deeply");
      if (next("(")) {
        const value = sum(depth + 1);
        expect(")");
        return value;
      }
      const token = left.pop();
      if (typeof token === "number") return bounded(token);
      if (typeof token !== "object") return wrong("no expression");
      if (!next("(")) return bounded(known.get(token.name) ?? wrong("an unknown name"));
      /** @type {number[]} */
      const values = [];
      do values.push(sum(depth + 1)); while (next(","));
      expect(")");
      return (FUNCTIONS.get(token.name) ?? wrong("an unknown function"))(...values);
    }
    /** @type {(depth: number) => number} */
    function signed(depth) { // as in Python: -2 ** 2 is -4, 2 ** -1 a half
      if (depth > DEEPEST) wrong("nested too deeply");
      if (next("-")) return -signed(depth + 1);
      if (next("+")) return signed(depth + 1);
      const value = primary(depth);
      return next("**") ? power(value, signed(depth + 1)) : value;
    }
    /** @type {(depth: number) => number} */
    function product(depth) {
      let value = signed(depth);
      for (;;) {
        if (next("*")) value = bounded(value * signed(depth));
        else if (next("/")) value = bounded(value / (signed(depth) || wrong("a division by zero")));
        else return value;
      }
    }
    /** @type {(depth: number) => number} */
    function sum(depth) {
      let value = product(depth);
      for (;;) {
        if (next("+")) value = bounded(value + product(depth));
        else if (next("-")) value = bounded(value - product(depth));
        else return value;
      }
    }
    const value = sum(0);
    if (left.length) wrong("no expression");
    return value;
  }

  // --- The page ----------------------------------------------------------------------------------
  let count = 0;

  /** @param {HTMLElement} box */
  function start(box) {
    /** @type {CalculatorData} */
    const { inputs, outputs, cases } = JSON.parse(box.dataset.calc ?? "");
    const [given, results] = box.querySelectorAll("dl");
    const fields = inputs.map((input, i) => {
      const field = Object.assign(made("input", "pn-calc-field"), {
        type: "number", step: "any", id: `pn-calc-${++count}`, value: String(input.value),
      });
      if (input.least !== undefined) field.min = String(input.least);
      if (input.most !== undefined) field.max = String(input.most);
      const label = made("label", "");
      label.htmlFor = field.id;
      const term = given.querySelectorAll("dt")[i];
      label.append(...term.childNodes);
      term.append(label);
      given.querySelectorAll("dd")[i].replaceChildren(field, made("span", "pn-calc-unit", input.unit));
      field.addEventListener("input", change);
      return field;
    });
    const shown = outputs.map((_, i) => {
      const output = made("output", "pn-calc-result");
      output.setAttribute("aria-live", "off"); // `change` has all of them read aloud once, with their names
      output.htmlFor.add(...fields.map((field) => field.id));
      results.querySelectorAll("dd")[i].prepend(output);
      return output;
    });

    const names = [...results.querySelectorAll("dt")];
    let waiting = 0;
    tell("");
    function change() {
      update();
      clearTimeout(waiting);
      waiting = setTimeout(() => tell(
        shown.map((output, i) => `${names[i].textContent}: ${output.textContent}`).join("; "),
      ), AFTER);
    }

    function update() {
      const known = new Map();
      fields.forEach((field, i) => {
        const good = field.value !== "" && field.validity.valid;
        field.setAttribute("aria-invalid", String(!good));
        if (good) known.set(inputs[i].id, field.valueAsNumber * inputs[i].factor);
      });
      outputs.forEach((output, i) => {
        let value = NaN;
        try {
          value = evaluate(output.formula, known);
        } catch { /* these numbers have no result */ }
        if (Number.isFinite(value)) known.set(output.id, value);
        const complete = fields.every((field) => field.getAttribute("aria-invalid") === "false");
        if (complete && output.otherwise && !(value > 0 && Number.isFinite(value))) {
          shown[i].textContent = output.otherwise;
        } else {
          const number = Number.isFinite(value) ? figure(value * output.factor) : null;
          shown[i].textContent = number === null ? "—" : withUnit(number, output.unit);
        }
      });
    }

    box.querySelectorAll("tbody th").forEach((head, i) => {
      const button = made("button", "pn-calc-case");
      button.title = say("Put these values into the fields", "填入这一行的数值");
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        fields.forEach((field, j) => (field.value = String(cases[i][j])));
        change();
      });
    });
    update();
    box.classList.add("pn-calc-ready");
  }

  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pn-calc[data-calc]"))) start(box);
})();
