// Word splitting and file names that match a pattern.
import { cut, refuse } from "./text.js";
import { BREAK, MADE, SIGN, signsOf, TYPED } from "./values.js";

/** @import { Letter, Sign } from "./types.d.ts" */

const FILES = ["a.txt", "b.txt", "c d.txt", "notes.md"];

/** @type {(signs: Sign[], ifs: string) => Sign[][]} */
export function fields(signs, ifs) {
  /** @type {Sign[][]} */
  const found = [];
  /** @type {Sign[]} */
  let field = [];
  let afterWhite = false;
  const emit = () => {
    found.push(field);
    field = [];
  };
  for (const [text, mark] of signs) {
    if (mark === BREAK) {
      if (field.length) emit();
      afterWhite = false;
    } else if (mark !== MADE || !ifs.includes(text)) {
      field.push([text, mark]);
      afterWhite = false;
    } else if (" \t\n".includes(text)) {
      if (field.length) {
        emit();
        afterWhite = true;
      }
    } else {
      if (field.length || !afterWhite) emit();
      afterWhite = false;
    }
  }
  if (field.length) emit();
  return found;
}
const is = (/** @type {Letter | undefined} */ letter, /** @type {string} */ sign) =>
  letter !== undefined && letter.bare && letter.sign === sign;

/** @type {(field: Sign[]) => Sign[][]} */
export function matched(field) {
  const letters = field.filter(([, mark]) => mark !== SIGN)
    .map(([sign, mark]) => ({ sign, bare: mark === TYPED || mark === MADE }));
  const text = letters.map(({ sign }) => sign).join("");
  if (!isPattern(letters)) return [field];
  if (letters.some((letter) => is(letter, "\\"))) refuse("pattern", cut(text));
  const before = text.startsWith("./") ? "./" : "";
  const pattern = letters.slice(before.length);
  if (pattern.some(({ sign }) => sign === "/") || pattern[0]?.sign === ".") refuse("pattern", cut(text));
  const names = FILES.filter((name) => matches(pattern, name, text)).map((name) => signsOf(before + name, MADE));
  return names.length ? names : [field];
}
/** @type {(letters: Letter[]) => boolean} */
function isPattern(letters) {
  let bracket = false;
  for (const letter of letters) {
    if (is(letter, "*") || is(letter, "?") || (bracket && is(letter, "]"))) return true;
    bracket ||= is(letter, "[");
  }
  return false;
}
/** @type {(pattern: Letter[], name: string, shown: string) => boolean} */
function matches(pattern, name, shown) {
  if (!pattern.length) return !name;
  const [first, ...rest] = pattern;
  if (is(first, "*")) {
    if (is(rest[0], "*")) return matches(rest, name, shown);
    return [...name, ""].some((_, i) => matches(rest, name.slice(i), shown));
  }
  if (is(first, "[")) {
    const begin = is(pattern[1], "!") || is(pattern[1], "^") ? 2 : 1;
    const end = pattern.findIndex((letter, i) => i > begin && is(letter, "]"));
    if (end > 0) {
      const within = inside(pattern.slice(1, end), shown, name.slice(0, 1));
      return name !== "" && within && matches(pattern.slice(end + 1), name.slice(1), shown);
    }
  }
  return name !== "" && (is(first, "?") || first.sign === name[0]) && matches(rest, name.slice(1), shown);
}
/** @type {(bracket: Letter[], shown: string, sign: string) => boolean} */
function inside(bracket, shown, sign) {
  const negated = is(bracket[0], "!") || is(bracket[0], "^");
  const rest = negated ? bracket.slice(1) : bracket;
  const kind = (/** @type {string} */ c) => [/[0-9]/, /[a-z]/, /[A-Z]/].findIndex((each) => each.test(c));
  let found = false;
  for (let i = 0; i < rest.length; i++) {
    const c = rest[i].sign;
    if (c === "[" || Number(c.codePointAt(0)) > 126) refuse("pattern", cut(shown));
    if (i + 2 < rest.length && is(rest[i + 1], "-")) {
      const last = rest[i + 2].sign;
      if (kind(c) < 0 || kind(c) !== kind(last) || last.length > 1) refuse("pattern", cut(shown));
      found ||= c <= sign && sign <= last;
      i += 2;
    } else found ||= c === sign;
  }
  return found !== negated;
}
