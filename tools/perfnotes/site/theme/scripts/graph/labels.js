// Places the names in the picture. A name stands beside its mark, within the picture and its column, where it
// covers no other mark and no other name. It is cut where the free room ends. The names of topics are placed
// first, then those of the nodes that are linked with the node under the pointer, then those of nodes that
// were searched for, then all others, those with the most links first.
import { NOTE, languageOf } from "./data.js";
import { cut, elementOf, markRadius, svg } from "./elements.js";
import { NARROWEST, fitted, kindOf, widthOf } from "./letters.js";
import { Occupied } from "./occupied.js";
import { placeOf, regions, seen } from "./picture.js";
import { APART, EDGE, showPlate } from "./plate.js";

/** @typedef {[text: string, anchor: string, dx: number, dy: number]} Written */

const MOST = 48; // letters of a name
const HALF = 7; // px, half of a line

/** Whether a node lies in the picture, or at most some pixels beside it. @type {(node: GraphNode, beside?: number) => boolean} */
function isInSight(node, beside = 0) {
  const [x, y] = placeOf(node);
  return x > -beside && x < seen.w + beside && y > -beside && y < seen.h + beside;
}

export function label() {
  const taken = new Occupied();
  for (const node of seen.nodes) {
    const [x, y] = placeOf(node);
    const half = markRadius(node);
    if (isInSight(node, half)) taken.take([x - half, y - half, x + half, y + half]);
  }
  const pointed = seen.pointed?.shown ? seen.pointed : null;
  taken.take(showPlate(pointed && isInSight(pointed) ? pointed : null, taken));
  const columns = writeTopics(taken);
  // The plate shows the name of this node. Its label stays if the pointer is on it: without the label, the
  // pointer would not be on the node any more.
  if (pointed && !elementOf(pointed).matches(":hover")) write(pointed, null);
  const near = new Set(pointed?.near);
  /** @type {(node: GraphNode) => boolean} */
  const wanted = (node) => near.has(node) || elementOf(node).classList.contains("is-match");
  const others = seen.nodes.filter((node) => node !== pointed);
  const first = others.filter(wanted).sort((a, b) => Number(near.has(b)) - Number(near.has(a)));
  for (const node of first) write(node, placed(node, taken, null));
  for (const node of others) if (!wanted(node)) write(node, placed(node, taken, columns));
}

/** @type {(node: GraphNode, written: Written | null) => void} */
function write(node, written) {
  const state = written?.join("/") ?? "";
  if (node.label === state) return;
  node.label = state;
  const [text, anchor, dx, dy] = written ?? ["", "start", 0, 0];
  elementOf(node).classList.toggle("is-named", text !== "");
  const words = /** @type {SVGTextElement} */ (elementOf(node).querySelector("text"));
  words.setAttribute("lang", languageOf(node.name));
  words.textContent = text; // if it were only hidden, the outline of the focus would still go around it
  for (const [key, value] of Object.entries({ x: dx, y: dy + 4, "text-anchor": anchor })) words.setAttribute(key, String(value));
}

/** Where a name that begins at x has to end: before the next column, and within the picture. @type {(x: number, columns: number[]) => number} */
const edge = (x, columns) => Math.min(seen.w - EDGE, ...columns.filter((each) => each > x + NARROWEST).map((each) => each - EDGE));

/** Finds room for a name: to the right, before the next of `columns`; on any side if `columns` is null. */
/** @type {(node: GraphNode, taken: Occupied, columns: number[] | null) => Written | null} */
function placed(node, taken, columns) {
  const [x, y] = placeOf(node);
  const kind = kindOf(node);
  const whole = cut(node.name, MOST);
  const width = widthOf(whole, kind);
  /** The width of the free strip on a side. @type {(dx: number, dy: number, way?: 1 | -1) => number} */
  const room = (dx, dy, way = 1) => {
    const [top, bottom] = [y + dy - HALF, y + dy + HALF];
    if (top < EDGE || bottom > seen.h - EDGE || x + dx < EDGE || x + dx > seen.w - EDGE) return 0;
    const end = taken.end(x + dx, top, bottom, way);
    return way > 0 ? Math.min(end - APART, edge(x, columns ?? [])) - x - dx : x + dx - Math.max(end + APART, EDGE);
  };
  const sides = /** @type {[anchor: string, dx: number, dy: number, way: 1 | -1][]} */ ([
    ["start", APART, 0, 1],
    ...(columns ? [] : [["end", -APART, 0, -1], ["start", -5, 15, 1], ["start", -5, -15, 1]]),
  ]);
  const rooms = sides.map(([, dx, dy, way]) => Math.min(width, room(dx, dy, way)));
  const most = fitted(whole, rooms[0], kind) ? rooms[0] : Math.max(...rooms);
  const [anchor, dx, dy, way] = sides[rooms.indexOf(most)];
  const text = fitted(whole, most, kind);
  if (!text) return null;
  const reach = text === whole ? width : widthOf(text, kind);
  const left = way > 0 ? x + dx : x + dx - reach;
  taken.take([left, y + dy - HALF, left + reach, y + dy + HALF]);
  return [text, anchor, dx, dy];
}

/** Writes the names of the topics above their notes; returns where the columns begin. @param {Occupied} taken */
function writeTopics(taken) {
  const heads = seen.topics.flatMap((title, i) => {
    const own = seen.nodes.filter((node) => node.kind === NOTE && node.topic === i);
    if (!own.length || seen.topic !== "") return [];
    const x = Math.min(...own.map((node) => node.x)) * seen.k + seen.x - 6;
    const y = Math.min(...own.map((node) => node.y)) * seen.k + seen.y - 18;
    return [{ title, x, y, top: y - 16, bottom: y + 6 }];
  });
  const columns = heads.map(({ x }) => x);
  regions.replaceChildren(...heads.flatMap(({ title, x, y, top, bottom }) => {
    if (x < EDGE || x > seen.w || top < EDGE || bottom > seen.h) return [];
    const text = fitted(title, Math.min(taken.end(x, top, bottom, 1) - APART, edge(x, columns)) - x, "heading");
    if (!text) return [];
    taken.take([x, top, x + widthOf(text, "heading"), bottom]);
    const words = svg("text", { x: String(x), y: String(y) });
    words.textContent = text;
    return [words];
  }));
  return columns;
}
