// Brace expansion of a word. `plain` says which characters are neither quoted nor in a form with $.
import { refuse, units } from "./text.js";

export const MOST_WORDS = 40;

/** @type {(text: string) => string[]} */
export function braces(text) {
  const plain = Array(text.length).fill(false);
  for (const [kind, start] of units(text)) plain[start] = kind === "plain";
  return expandBraces(text, plain);
}
/** @type {(text: string, plain: boolean[]) => string[]} */
function expandBraces(text, plain) {
  const part = (/** @type {number} */ a, /** @type {number} */ b) =>
    expandBraces(text.slice(a, b), plain.slice(a, b));
  for (let start = 0; start < text.length; start++) {
    if (text[start] !== "{" || !plain[start] || (start === 0 && text[1] === "}")) continue;
    const [end, commas] = closingBrace(text, plain, start);
    if (end < 0) continue;
    /** @type {string[]} */
    let words = [];
    if (commas.length) {
      [start, ...commas].forEach((from, i) => words.push(...part(from + 1, [...commas, end][i])));
    } else if ([...Array(end - start - 1).keys()].some((i) => plain[start + 1 + i] && text[start + 1 + i] === ",")) {
      words = part(start + 1, end).map((word) => `{${word}}`);
    } else {
      if (plain.slice(start + 1, end).every(Boolean)) words = sequence(text.slice(start + 1, end));
      if (!words.length) words = [text.slice(start, end + 1)];
    }
    const rest = part(end + 1, text.length);
    if (words.length * rest.length > MOST_WORDS) refuse("too-many");
    return words.flatMap((word) => rest.map((after) => text.slice(0, start) + word + after));
  }
  return [text];
}
/** @type {(text: string, plain: boolean[], start: number) => [end: number, commas: number[]]} */
function closingBrace(text, plain, start) {
  let [depth, dots] = [0, false];
  const commas = [];
  for (let i = start + 1; i < text.length; i++) {
    if (!plain[i]) continue;
    if (text[i] === "{") depth++;
    else if (text[i] === "}") {
      if (!depth && (commas.length || dots)) return [i, commas];
      depth = Math.max(depth - 1, 0);
    } else if (text[i] === "," && !depth) commas.push(i);
    else if (text.startsWith("..", i) && text[i + 2] !== "}" && !depth) dots = true;
  }
  return [-1, []];
}
/** The words of `1..3` or `a..e`; none if the text is no sequence. @type {(text: string) => string[]} */
function sequence(text) {
  const found =
    /^(?:(-?[0-9]{1,6})\.\.(-?[0-9]{1,6})|([a-zA-Z])\.\.([a-zA-Z]))(?:\.\.(-?[0-9]{1,6}))?$/.exec(text);
  if (!found) return /[0-9]{7}/.test(text) ? refuse("too-many") : [];
  const [, low, high, first, last, by] = found;
  if (first && /[A-Z]/.test(first) !== /[A-Z]/.test(last)) refuse("mixed-letters", `{${text}}`);
  const [a, b] = first ? [first.charCodeAt(0), last.charCodeAt(0)] : [Number(low), Number(high)];
  const step = Math.abs(Number(by ?? 1)) || 1;
  const more = Math.floor(Math.abs(a - b) / step);
  if (more >= MOST_WORDS) refuse("too-many");
  const values = Array.from({ length: more + 1 }, (_, i) => (a <= b ? a + i * step : a - i * step));
  if (first) return values.map((value) => String.fromCharCode(value));
  const padded = [low, high].some((each) => /^-?0[0-9]/.test(each));
  const width = padded ? Math.max(low.length, high.length) : 0;
  return values.map((value) =>
    value < 0 ? `-${String(-value).padStart(width - 1, "0")}` : String(value || 0).padStart(width, "0"));
}
