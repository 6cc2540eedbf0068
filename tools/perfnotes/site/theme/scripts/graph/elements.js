// The elements of the picture: a link for each node, an arc for each relation between two.
import { kindNames, NOTE, say } from "./data.js";

const kinds = ["note", "paper", "term"];
// Shapes tell the kinds apart without colours: a disc, a square, a diamond.
const shapes = ["M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z", "M-4 -4h8v8h-8z", "M0 -5.5l5 5.5l-5 5.5l-5 -5.5z"];

/** @type {<Tag extends keyof SVGElementTagNameMap>(tag: Tag, set?: Record<string, string>) => SVGElementTagNameMap[Tag]} */
export const svg = (tag, set = {}) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(set)) element.setAttribute(name, value);
  return element;
};

/** @type {(text: string, latin: number) => string} */
export const cut = (text, latin) => {
  const most = /[\u2e80-\uffff]/.test(text) ? latin / 2 + 2 : latin; // Chinese characters are wider
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
};

/** Half the width of the mark of a node. @param {GraphNode} node */
export const markRadius = (node) => node.kind === NOTE ? 7 : 5;

// A link is an arc, so that links between the notes of one column can be told apart. A long arc bends little
// more than a short one, or it would cross the names of the next column.
/** @type {(a: GraphNode, b: GraphNode) => string} */
export const arc = (a, b) => {
  const [dx, dy] = [Math.abs(b.x - a.x), Math.abs(b.y - a.y)];
  const bend = (130 * dy) / (dy + 200);
  return `M${a.x} ${a.y}Q${(a.x + b.x) / 2 - bend} ${(a.y + b.y) / 2 - dx * 0.15} ${b.x} ${b.y}`;
};

/** @type {Map<Element | null | undefined, GraphNode>} */
const nodeOf = new Map();

/** The element of a node, made when the node is first shown. @param {GraphNode} node */
export function elementOf(node) {
  if (node.element) return node.element;
  const link = svg("a", { href: node.href, class: `pn-node pn-node-${kinds[node.kind]}${node.first ? " is-first" : ""}`, transform: `translate(${node.x} ${node.y})`, tabindex: "-1" });
  const comma = say(", ", "，");
  const links = say(`${node.near.length} links`, `${node.near.length} 个联系`);
  // A title, not a label: what is shown may be cut, and a label has to hold what is shown.
  const name = svg("title");
  name.textContent = `${kindNames[node.kind]}${say(": ", "：")}${node.name}${node.title ? `${comma}${node.title}` : ""}${comma}${links}`;
  const inner = svg("g", { class: "pn-node-in" });
  inner.append(svg("circle", { class: "pn-node-room", r: "12" }), svg("path", { d: shapes[node.kind] }), svg("text"));
  link.append(name, inner);
  node.element = link;
  nodeOf.set(link, node);
  return link;
}
/** @param {Event} event */
export const nodeAt = ({ target }) => target instanceof Element ? nodeOf.get(target.closest(".pn-node")) : undefined;
