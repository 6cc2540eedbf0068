// The text of a shell's line: quotes, forms that begin with $, and where words end.

/** @import { Unit } from "./types.d.ts" */

export const { refuse, cut } = pnPage;

export const stripped = (/** @type {string} */ text) => text.replace(/^[ \t]+|[ \t]+$/g, "");

/** @type {(s: string, i: number) => number} */
export const nameEnd = (s, i) => i + (/^[A-Za-z_][A-Za-z0-9_]*/.exec(s.slice(i))?.[0].length ?? 0);

/** @type {(s: string, i: number) => number} */
const width = (s, i) => (Number(s.codePointAt(i)) > 0xffff ? 2 : 1);

/** @type {(s: string, i: number) => Unit} */
export function unitAt(s, i) {
  const after = s[i + 1] ?? "";
  switch (s[i]) {
    case "`":
      refuse("backquote", "`");
      break;
    case "\\":
      if (!after) refuse("open-quote", "\\");
      return ["escape", i, i + 1 + width(s, i + 1)];
    case "'":
      return ["single", i, closing(s, i + 1, "'", false)];
    case '"':
      return ["double", i, closing(s, i + 1, '"', true)];
    case "$": {
      if (after === "'") return ["ansi", i, closing(s, i + 2, "'", true)];
      if (after === '"') refuse("unknown-form", '$"');
      const end = dollarEnd(s, i);
      if (end === i + 1) refuse("unknown-form", "$");
      return ["dollar", i, end];
    }
  }
  return ["plain", i, i + width(s, i)];
}
/** @param {string} s */
export function* units(s) {
  for (let i = 0; i < s.length;) {
    const unit = unitAt(s, i);
    yield unit;
    i = unit[2];
  }
}
/** Returns the units of a text between double quotes. @type {(s: string) => Unit[]} */
export function innerUnits(s) {
  /** @type {Unit[]} */
  const found = [];
  for (let i = 0; i < s.length;) {
    let [kind, end] = ["plain", i + width(s, i)];
    if (s[i] === "\\" && s[i + 1] && '$`"\\'.includes(s[i + 1])) [kind, end] = ["escape", i + 2];
    else if (s[i] === "$" && dollarEnd(s, i) > i + 1) [kind, end] = ["dollar", dollarEnd(s, i)];
    found.push([kind, i, end]);
    i = end;
  }
  return found;
}
/** @type {(s: string, i: number, quote: string, escapes: boolean) => number} */
function closing(s, i, quote, escapes) {
  const begin = i - 1;
  for (; i < s.length && s[i] !== quote; i++) {
    if (s[i] === "\\" && escapes) i++;
    else if (quote === '"' && s[i] === "`") refuse("backquote", "`");
    else if (quote === '"' && s[i] === "$") i = dollarEnd(s, i) - 1;
  }
  if (i >= s.length) refuse("open-quote", cut(s.slice(begin)));
  return i + 1;
}
/** @type {(s: string, i: number) => number} */
function dollarEnd(s, i) {
  const after = s[i + 1] ?? "";
  if (s.startsWith("((", i + 1)) return arithmeticEnd(s, i);
  if (after === "(") return commandEnd(s, i + 2);
  if (after === "{") return bracedEnd(s, i);
  if (after && "[?!-$0".includes(after)) refuse("unknown-form", s.slice(i, i + 2));
  if (after && "123456789@*#".includes(after)) return i + 2;
  return Math.max(nameEnd(s, i + 1), i + 1);
}
/** @type {(s: string, i: number) => number} */
function arithmeticEnd(s, i) {
  let depth = 0;
  for (let j = i + 3; j < s.length; j++) {
    if (s[j] === "(") depth++;
    else if (s[j] === ")" && depth) depth--;
    else if (s[j] === ")") {
      if (s[j + 1] !== ")") break;
      return j + 2;
    }
  }
  return refuse("open-quote", cut(s.slice(i)));
}
/** @type {(s: string, i: number) => number} */
function bracedEnd(s, i) {
  const end = s.indexOf("}", i);
  if (end < 0) refuse("open-quote", cut(s.slice(i)));
  if (/['"\\`${~<>()&|;]/.test(s.slice(i + 2, end))) refuse("nested-form", cut(s.slice(i, end + 1)));
  return end + 1;
}
/** @type {(s: string, i: number) => number} */
function commandEnd(s, i) {
  const begin = i;
  while (i < s.length) {
    const [kind, , end] = unitAt(s, i);
    if (kind === "plain" && s[i] === ")") return end;
    if (kind === "plain" && "(#;&|<>".includes(s[i])) refuse("only-echo", cut(s.slice(begin)));
    i = end;
  }
  return refuse("open-quote", `$(${cut(s.slice(begin))}`);
}
/** The statements of a line, each a list of words. @type {(s: string) => string[][]} */
export function wordsOf(s) {
  /** @type {string[][]} */
  const found = [[]];
  let word = "";
  for (const [kind, start, end] of units(s)) {
    const c = s.slice(start, end);
    const last = found[found.length - 1];
    if (kind === "plain" && " \t;".includes(c)) {
      if (word) last.push(word);
      word = "";
      if (c === ";") {
        if (!last.length) refuse("operator", ";");
        found.push([]);
      }
      continue;
    }
    if (kind === "plain" && "&|<>()".includes(c)) refuse("operator", c);
    if (kind === "plain" && c === "#" && !word) refuse("comment", c);
    word += c;
  }
  if (word) found[found.length - 1].push(word);
  return found[found.length - 1].length || found.length === 1 ? found : found.slice(0, -1);
}
