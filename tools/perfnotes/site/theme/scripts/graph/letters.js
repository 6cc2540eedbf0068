// The widths of words in the picture, and where they are cut.
import { NOTE } from "./data.js";
import { picture, regions } from "./picture.js";

/** The sizes of words, as in the style sheet. */
const sizes = { note: "600 12px", other: "11px", heading: "italic 15px" };
/** @typedef {keyof typeof sizes} Kind */

/** @type {(node: GraphNode) => "note" | "other"} */
export const kindOf = (node) => node.kind === NOTE ? "note" : "other";

const context = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
/** @type {Map<string, number>} */
const widths = new Map();

/** @type {(letter: string, kind: Kind) => number} */
function letterWidth(letter, kind) {
  const known = widths.get(kind + letter);
  if (known !== undefined) return known;
  const { fontFamily } = getComputedStyle(kind === "heading" ? regions : picture);
  context.font = `${sizes[kind]} ${fontFamily}`;
  const { width } = context.measureText(letter);
  widths.set(kind + letter, width);
  return width;
}
/** @type {(text: string, kind: Kind) => number} */
export const widthOf = (text, kind) => [...text].reduce((sum, letter) => sum + letterWidth(letter, kind), 0);

export const NARROWEST = 60; // px; in less room a name is not shown

/** Returns a text, cut to fit into a width; empty if too little of it would be left. */
/** @type {(text: string, room: number, kind: Kind) => string} */
export function fitted(text, room, kind) {
  if (widthOf(text, kind) <= room) return text;
  if (room < NARROWEST) return "";
  let left = room - letterWidth("…", kind);
  const letters = [...text];
  const end = letters.findIndex((letter) => (left -= letterWidth(letter, kind)) < 0);
  return `${letters.slice(0, end).join("").trimEnd()}…`;
}
