// Which part of the world the picture shows: moves and scales the world.
import { NOTE } from "./data.js";
import { label } from "./labels.js";
import { picture, placeOf, seen, world } from "./picture.js";

const SMALLEST = 0.15, LARGEST = 6;
const READABLE = 0.345; // with a smaller scale, names of one row lie on the next
const LEFT = 30, NAMES = 165; // px: to the left of the cards, for links, and to their right, for names
const ABOVE = 42, BELOW = 14; // px, with room for the name of a topic
let isFitted = true, least = READABLE;

/** Reads the picture's size, while it is empty: with its nodes, the browser would lay out all of them. */
export function measure() {
  Object.assign(seen, { w: picture.clientWidth, h: picture.clientHeight });
}
function place() {
  world.setAttribute("transform", `translate(${seen.x} ${seen.y}) scale(${seen.k})`);
  picture.style.setProperty("--pn-k", String(seen.k));
  label();
}
/** @type {(by: number, cx?: number, cy?: number) => void} */
export function zoom(by, cx = seen.w / 2, cy = seen.h / 2) {
  const k = Math.min(LARGEST, Math.max(SMALLEST, seen.k * by));
  Object.assign(seen, { k, x: cx - (cx - seen.x) * (k / seen.k), y: cy - (cy - seen.y) * (k / seen.k) });
  isFitted = false;
  place();
}
/** @type {(dx: number, dy: number) => void} */
export function pan(dx, dy) {
  seen.x += dx;
  seen.y += dy;
  isFitted = false;
  place();
}
/** Shows all nodes, or only the first of them if the names of all would be too small to read. */
export function begin() {
  least = READABLE;
  arrange();
}
/** Shows all nodes. */
export function fit() {
  least = SMALLEST;
  arrange();
}
function arrange() {
  if (!seen.nodes.length) return;
  const xs = seen.nodes.map((node) => node.x), ys = seen.nodes.map((node) => node.y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  /** The room for a name to the right of a node, in px. @param {GraphNode} node */
  const beside = (node) => node.kind === NOTE ? NAMES : LEFT;
  const [broad, tall, high] = [seen.w - LEFT, seen.h - ABOVE - BELOW, Math.max(...ys) - top];
  const whole = Math.min(2, tall / (high || 1), ...seen.nodes.map((node) => (broad - beside(node)) / (node.x - left || 1)));
  const isWhole = whole >= least;
  seen.k = Math.max(least, whole);
  const wide = Math.max(...seen.nodes.map((node) => (node.x - left) * seen.k + beside(node)));
  seen.x = LEFT + (isWhole ? (broad - wide) / 2 : 0) - left * seen.k;
  seen.y = ABOVE + (isWhole ? (tall - high * seen.k) / 2 : 0) - top * seen.k;
  isFitted = true;
  place();
}
/** Moves the world so that the first of some nodes is in sight, unless one is. @param {GraphNode[]} nodes */
export function reveal(...nodes) {
  const { w, h } = seen;
  const places = nodes.map(placeOf);
  if (!places.length || places.some(([x, y]) => x >= 20 && y >= 20 && x <= w - 40 && y <= h - 20)) return;
  pan(w / 2 - places[0][0], h / 2 - places[0][1]);
}
/** Fits the world again when the picture gets another size, unless the reader has moved it. */
export function followSize() {
  new ResizeObserver(() => {
    const { w, h } = seen;
    measure();
    if (seen.w === w && seen.h === h) return;
    if (isFitted) arrange();
    else label();
    if (seen.current) reveal(seen.current);
  }).observe(picture);
}
