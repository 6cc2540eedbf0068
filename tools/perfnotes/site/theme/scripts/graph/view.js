// Where the reader looks: the world is moved and scaled in the picture.
import { NOTE } from "./data.js";
import { label } from "./labels.js";
import { picture, seen, world } from "./picture.js";

const SMALLEST = 0.15, LARGEST = 6;
const READABLE = 0.26; // with a smaller scale, names of one column lie on the next
const NAMES = 130; // px that names take to the right of the last card
const BUTTONS = 40; // px of the buttons that zoom, below the last card
let size = { w: 0, h: 0 }, fitted = true, least = READABLE;

/** Reads the picture's size, while it is empty: with its nodes, the browser would lay out all of them. */
export function measure() {
  size = { w: picture.clientWidth, h: picture.clientHeight };
}
function place() {
  world.setAttribute("transform", `translate(${seen.x} ${seen.y}) scale(${seen.k})`);
  picture.style.setProperty("--pn-upright", String(1 / seen.k));
}
/** @type {(by: number, cx?: number, cy?: number) => void} */
export function zoom(by, cx = size.w / 2, cy = size.h / 2) {
  const k = Math.min(LARGEST, Math.max(SMALLEST, seen.k * by));
  Object.assign(seen, { k, x: cx - (cx - seen.x) * (k / seen.k), y: cy - (cy - seen.y) * (k / seen.k) });
  fitted = false;
  place();
  label();
}
/** @type {(dx: number, dy: number) => void} */
export function pan(dx, dy) {
  seen.x += dx;
  seen.y += dy;
  fitted = false;
  place();
}
/** Shows all nodes or, where their names could not be read, the beginning: the reader moves the picture. */
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
  // Papers and terms stand below the notes of their card, where the names of its notes have room too.
  const notes = seen.nodes.filter((node) => node.kind === NOTE);
  const xs = (notes.length ? notes : seen.nodes).map((node) => node.x), ys = seen.nodes.map((node) => node.y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const { w, h } = size;
  const room = w - 60 - NAMES;
  const whole = Math.min(2, room / (wide || 1), (h - 80 - BUTTONS) / (high || 1));
  const isWhole = whole >= least;
  seen.k = Math.max(least, whole);
  seen.x = isWhole ? 30 + room / 2 - (left + wide / 2) * seen.k : 30 - left * seen.k;
  seen.y = isWhole ? 10 + (h - BUTTONS) / 2 - (top + high / 2) * seen.k : 50 - top * seen.k;
  fitted = true;
  place();
  label();
}
/** Moves the world so that a node is in sight. @param {GraphNode} node */
export function reveal(node) {
  const [x, y] = [node.x * seen.k + seen.x, node.y * seen.k + seen.y];
  const { w, h } = size;
  if (x < 20 || y < 20 || x > w - 40 || y > h - 20) pan(w / 2 - x, h / 2 - y);
}
/** Fits the world again when the picture gets another size, unless the reader has moved it. */
export function followSize() {
  new ResizeObserver(() => {
    const before = size;
    measure();
    if (fitted && (size.w !== before.w || size.h !== before.h)) arrange();
  }).observe(picture);
}
