// The names in the picture. Those of the topics stand above their notes. The other names are placed where
// there is room, those of the nodes with the most weight first.
import { NOTE } from "./data.js";
import { cut, elementOf, shortName, svg } from "./elements.js";
import { regions, seen } from "./picture.js";

const NAME = 0.56, HEADING = 0.48; // the width of a Latin letter against its size, of each typeface
/** @type {(text: string, size: number, letter: number) => number} */
const wide = (text, size, letter) => [...text].reduce((sum, c) => sum + (c > "\u2e80" ? size : size * letter), 0);

export function label() {
  /** @type {number[][]} */
  const taken = [];
  /** @param {number[]} box */
  const free = (box) => taken.every((other) => box[0] > other[2] || box[2] < other[0] || box[1] > other[3] || box[3] < other[1]);
  regions.replaceChildren(...seen.topics.flatMap((title, i) => {
    const name = cut(title, 22);
    const own = seen.nodes.filter((node) => node.kind === NOTE && node.topic === i);
    if (!own.length || seen.topic !== "") return [];
    const [left, top] = [Math.min(...own.map((node) => node.x)), Math.min(...own.map((node) => node.y))];
    const [x, y] = [left * seen.k, top * seen.k - 18];
    const box = [x - 8, y - 12, x + wide(name, 14, HEADING), y + 6];
    if (!free(box)) return [];
    taken.push(box);
    const text = svg("text", { x: "-6", y: "-18" });
    text.textContent = name;
    const at = svg("g", { transform: `translate(${left} ${top})` });
    const upright = svg("g", { class: "pn-node-in" });
    upright.append(text);
    at.append(upright);
    return [at];
  }));
  for (const node of seen.nodes) {
    const [x, y] = [node.x * seen.k, node.y * seen.k];
    const box = [x + 6, y - 8, x + 12 + wide(shortName(node), 12, NAME), y + 8];
    const named = free(box);
    if (named) taken.push(box);
    elementOf(node).classList.toggle("is-named", named);
  }
}
