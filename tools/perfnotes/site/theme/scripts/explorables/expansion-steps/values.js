// Variables, and the tilde and $ expansions of one word.
import { arithmetic } from "./arithmetic.js";
import { cut, innerUnits, nameEnd, refuse, unitAt, units } from "./text.js";

/** @import { Sign, Variables } from "./types.d.ts" */

// The marks of signs. TYPED and QUOTED: typed outside and inside of quotes. SIGN: a typed quote or backslash,
// which the last step removes. MADE and KEPT: from an expansion outside and inside of quotes; only MADE is
// split. BREAK: between two fields of "$@".
export const [TYPED, QUOTED, SIGN, MADE, KEPT, BREAK] = ["typed", "quoted", "sign", "made", "kept", "break"];

/** @type {(variables: Variables, name: string) => string | undefined} */
function valueOf(variables, name) {
  if (/^[0-9]/.test(name)) return variables.arguments[Number(name) - 1];
  if (name === name.toUpperCase() && !variables.values.has(name)) refuse("unknown-variable", cut(name));
  return variables.values.get(name);
}
/** @type {(variables: Variables, name: string, value: string) => void} */
export function assign(variables, name, value) {
  if (name === name.toUpperCase() && name !== "HOME" && name !== "IFS") refuse("unknown-variable", cut(name));
  if (name === "HOME" && !value) refuse("unknown-variable", "HOME=");
  variables.values.set(name, value);
}
/** @type {(text: string, mark: string) => Sign[]} */
export const signsOf = (text, mark) => [...text].map((sign) => [sign, mark]);

/** @type {(word: string) => Sign[]} */
export const asTyped = (word) =>
  [...units(word)].flatMap(([kind, start, end]) => {
    const text = word.slice(start, end);
    if (kind === "plain" || kind === "dollar") return signsOf(text, TYPED);
    if (kind === "escape") return [["\\", SIGN], [text.slice(1), QUOTED]];
    const begin = kind === "ansi" ? 2 : 1;
    const inside = text.slice(begin, -1);
    /** @type {Sign[]} */
    const inner = kind === "double"
      ? innerUnits(inside).flatMap(([part, a, b]) => part === "escape"
        ? [["\\", SIGN], [inside.slice(a + 1, b), QUOTED]]
        : /** @type {Sign[]} */ ([[inside.slice(a, b), QUOTED]]))
      : signsOf(inside, QUOTED);
    return [[text.slice(0, begin), SIGN], ...inner.flatMap(([t, mark]) => signsOf(t, mark)), [text.slice(-1), SIGN]];
  });

/**
 * Returns a word after tilde and $ expansions. `assigned` says that it is the value of an assignment, `alike` that
 * tildes in an argument such as `a=~` are expanded as in an assignment.
 * @type {(word: string, variables: Variables, assigned: boolean, alike: boolean) => Sign[]}
 */
export function valued(word, variables, assigned, alike) {
  /** @type {Sign[]} */
  const signs = [];
  const add = (/** @type {string} */ text, /** @type {string} */ mark) => signs.push(...signsOf(text, mark));
  const ansi = /** @type {Record<string, string>} */ ({ n: "\n", t: "\t", "\\": "\\", "'": "'", '"': '"' });

  const braced = (/** @type {string} */ form, /** @type {string} */ mark) => {
    const body = form.slice(2, -1);
    const length = body.startsWith("#");
    const rest = body.slice(Number(length));
    const name = /^(?:[A-Za-z_][A-Za-z0-9_]*|[1-9][0-9]*)/.exec(rest)?.[0] ?? "";
    const after = rest.slice(name.length);
    if (!name || (length && after) || name.length > 40) refuse("unknown-form", cut(form));
    let value = valueOf(variables, name);
    if (length) return add(String([...(value ?? "")].length), mark);
    const operator = after.slice(0, after.startsWith(":") ? 2 : 1);
    if (!["", "-", "=", "+", ":-", ":=", ":+"].includes(operator)) refuse("unknown-form", cut(form));
    const other = after.slice(operator.length);
    const missing = operator.startsWith(":") ? !value : value === undefined;
    if (operator.endsWith("+")) value = missing ? "" : other;
    else if (operator && missing) {
      value = other;
      if (operator.endsWith("=")) {
        if (/^[0-9]/.test(name)) refuse("unknown-form", cut(form));
        assign(variables, name, other);
      }
    }
    add(value ?? "", mark);
  };
  const all = (/** @type {string} */ which, /** @type {boolean} */ quoted) => {
    const ifs = variables.values.get("IFS") ?? "";
    const first = [...ifs][0] ?? "";
    const mark = quoted ? KEPT : MADE;
    if (assigned || (quoted && which === "*")) {
      add(variables.arguments.join(which === "*" ? first : " "), mark);
    } else if (ifs && !quoted) add(variables.arguments.join(first), MADE);
    else {
      variables.arguments.forEach((argument, i) => {
        if (i && quoted) signs.push(['"', SIGN], ["", BREAK], ['"', SIGN]);
        else if (i) signs.push(["", BREAK]);
        add(argument, mark);
      });
    }
  };
  const dollar = (/** @type {string} */ form, /** @type {boolean} */ quoted) => {
    const mark = quoted ? KEPT : MADE;
    if (form.startsWith("$((")) add(String(arithmetic(form.slice(3, -2), variables.values)), mark);
    else if (form.startsWith("$(")) add(variables.echo(form.slice(2, -1), variables), mark);
    else if (form.startsWith("${")) braced(form, mark);
    else if (form === "$@" || form === "$*") all(form[1], quoted);
    else if (form === "$#") add(String(variables.arguments.length), mark);
    else add(valueOf(variables, form.slice(1)) ?? "", mark);
  };
  const inQuotes = (/** @type {string} */ kind, /** @type {string} */ text) => {
    if (kind === "single") return add(text, QUOTED);
    if (kind === "ansi") {
      const inner = [...text];
      for (let i = 0; i < inner.length; i++) {
        if (inner[i] !== "\\") add(inner[i], QUOTED);
        else add(ansi[inner[++i]] ?? refuse("unknown-form", `\\${inner[i]}`), QUOTED);
      }
      return;
    }
    for (const [part, a, b] of innerUnits(text)) {
      if (part === "dollar") dollar(text.slice(a, b), true);
      else if (part === "escape") {
        add("\\", SIGN);
        add(text.slice(a + 1, b), QUOTED);
      } else signs.push([text.slice(a, b), QUOTED]);
    }
  };

  const name = nameEnd(word, 0);
  const from = assigned ? 0 : name + 1 + Number(word.startsWith("+=", name));
  const assignment = assigned || (alike && name > 0 && word[from - 1] === "=");
  for (const [kind, start, end] of units(word)) {
    const text = word.slice(start, end);
    if (text === "~" && kind === "plain") {
      const begins = start === 0 ||
        (assignment && (start === from || word[start - 1] === ":") && start >= from);
      const after = word[start + 1];
      if (begins && (after === undefined || after === "/" || (assignment && after === ":"))) {
        add(variables.values.get("HOME") ?? "", KEPT);
        continue;
      }
      if (begins && ["plain", "dollar"].includes(unitAt(word, start + 1)[0])) {
        refuse("other-home", cut(word.slice(start)));
      }
    }
    if (kind === "plain") add(text, TYPED);
    else if (kind === "escape") signs.push(["\\", SIGN], [text.slice(1), QUOTED]);
    else if (kind === "dollar") dollar(text, false);
    else {
      const begin = kind === "ansi" ? 2 : 1;
      signs.push([text.slice(0, begin), SIGN]);
      inQuotes(kind, text.slice(begin, -1));
      signs.push([text.slice(-1), SIGN]);
    }
  }
  return signs;
}
