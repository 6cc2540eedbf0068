// Arithmetic expansion, $((…)).
import { cut, refuse, stripped } from "./text.js";

const LARGEST = 1e9;
const NUMBER = /^-?(?:0|[1-9][0-9]*)$/;

/** @type {(text: string, values: Map<string, string>) => number} */
export function arithmetic(text, values) {
  const wrong = () => refuse("arithmetic", cut(`$((${text}))`));
  const token = /[ \t]*([0-9]+|\$?[A-Za-z_][A-Za-z0-9_]*|\+\+|--|[-+*]=|[-+*/%()=])/y;
  const tokens = /** @type {string[]} */ ([]);
  for (let i = 0; stripped(text.slice(i)); i = token.lastIndex) {
    token.lastIndex = i;
    tokens.push((token.exec(text) ?? wrong())[1]);
  }
  let at = 0;
  const next = (/** @type {string[]} */ ...wanted) =>
    at < tokens.length && (!wanted.length || wanted.includes(tokens[at])) ? tokens[at++] : "";
  const checked = (/** @type {number} */ value) => (Math.abs(value) > LARGEST ? wrong() : value);
  const isName = (/** @type {string} */ name) => /^[A-Za-z_]/.test(name);
  const valueOf = (/** @type {string} */ name) => {
    const held = values.get(name) ?? "";
    if (held && (!NUMBER.test(held) || held.length > 10)) refuse("no-number", name);
    return Number(held);
  };
  const set = (/** @type {string} */ name, /** @type {number} */ value) => {
    if (name === name.toUpperCase()) wrong();
    values.set(name, String(checked(value) || 0));
    return value;
  };
  /** @type {() => number} */
  const sum = () => {
    let value = product();
    for (let sign; (sign = next("+", "-"));) {
      const other = product();
      value = checked(sign === "+" ? value + other : value - other);
    }
    return value;
  };
  const product = () => {
    let value = factor();
    for (let sign; (sign = next("*", "/", "%"));) {
      const other = factor();
      if (sign !== "*" && !other) wrong();
      value = sign === "*" ? checked(value * other) : sign === "/" ? Math.trunc(value / other) : value % other;
    }
    return value;
  };
  /** @type {() => number} */
  const factor = () => {
    const word = next();
    if (word === "-" || word === "+") return word === "-" ? -factor() : factor();
    if (word === "(") {
      const value = sum();
      return next(")") ? value : wrong();
    }
    if (/^[0-9]/.test(word)) return NUMBER.test(word) && word.length <= 10 ? Number(word) : wrong();
    if (word === "++" || word === "--") {
      const name = next();
      return isName(name) ? set(name, valueOf(name) + (word === "++" ? 1 : -1)) : wrong();
    }
    if (word.startsWith("$")) return valueOf(word.slice(1));
    return isName(word) ? named(word) : wrong();
  };
  const named = (/** @type {string} */ name) => {
    const sign = next("=", "+=", "-=", "*=", "++", "--");
    if (!sign) return valueOf(name);
    if (sign === "++" || sign === "--") {
      const value = valueOf(name);
      set(name, value + (sign === "++" ? 1 : -1));
      return value;
    }
    const value = sum();
    if (sign === "=") return set(name, value);
    const before = valueOf(name);
    return set(name, sign === "+=" ? before + value : sign === "-=" ? before - value : before * value);
  };
  const value = tokens.length ? sum() : 0;
  return at < tokens.length ? wrong() : value || 0;
}
