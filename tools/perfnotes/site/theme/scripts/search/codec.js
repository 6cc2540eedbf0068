// How the index's files hold numbers and sorted words; the twin of tools/perfnotes/search/codec.py.
import { ALPHABET } from "./constants.js";

const VALUE = new Map(Array.from(ALPHABET, (c, i) => [c, i]));

function read(text, at) {
  const first = VALUE.get(text[at]);
  if (first < 60) return [first, at + 1];
  if (first < 89) return [60 + (first - 60) * 90 + VALUE.get(text[at + 1]), at + 2];
  const [a, b, c] = [1, 2, 3].map((i) => VALUE.get(text[at + i]));
  return [2670 + (a * 90 + b) * 90 + c, at + 4];
}

export function numbers(text) {
  const found = [];
  for (let at = 0, value; at < text.length;) {
    [value, at] = read(text, at);
    found.push(value);
  }
  return found;
}

export function decode(text) { // [page, impact, block, page, impact, block, …]
  const found = [];
  for (let at = 0, page = -1, gap, block; at < text.length;) {
    [gap, at] = read(text, at);
    page += gap + 1;
    let impact = VALUE.get(text[at++]);
    block = 0;
    if (impact >= 30) {
      impact -= 30;
      [block, at] = read(text, at);
    }
    found.push(page, impact, block);
  }
  return found;
}

export function unpack(text) {
  let before = "";
  return text ? text.split(" ").map((part) =>
    (before = before.slice(0, VALUE.get(part[0])) + part.slice(1))) : [];
}

export function bisect(list, value, right) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (right ? value < list[middle] : list[middle] >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}

export const shardAt = (bounds, term) => Math.max(0, bisect(bounds, term, true) - 1);
export const unique = (list) => Array.from(new Set(list));
