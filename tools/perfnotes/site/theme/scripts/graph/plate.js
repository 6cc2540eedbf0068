// The whole name of the node under the pointer, or with the focus, on a plate above the picture.
import { languageOf } from "./data.js";
import { fitted, kindOf, widthOf } from "./letters.js";
import { placeOf, plate, seen } from "./picture.js";

/** @import { Box, Occupied } from "./occupied.js" */

export const APART = 8; // px from a mark to its name, and from a name to the next mark or name
export const EDGE = 3; // px between a name and the edge of the picture
const HIGH = 20, INSIDE = 4; // px: the height of the plate, and from its edge to the name

/** Shows the whole name of a node beside it, if possible where it covers no mark. @type {(node: GraphNode | null, taken: Occupied) => Box} */
export function showPlate(node, taken) {
  plate.classList.toggle("is-shown", Boolean(node));
  if (!node) return [0, 0, 0, 0];
  const [x, y] = placeOf(node);
  const kind = kindOf(node);
  const text = fitted(node.name, seen.w - 6 * EDGE, kind) || node.name;
  const reach = widthOf(text, kind) + 2 * INSIDE;
  /** @type {(left: number, middle: number) => Box} */
  const box = (left, middle) => {
    const begin = Math.max(EDGE, Math.min(left, seen.w - EDGE - reach));
    return [begin, middle - HIGH / 2, begin + reach, middle + HIGH / 2];
  };
  const places = [box(x + APART, y), box(x - APART - reach, y), box(x - 9, y + HIGH), box(x - 9, y - HIGH)]
    .filter(([left, top, right, bottom]) => top >= 0 && bottom <= seen.h && (top > y || bottom < y || left > x || right < x));
  const [best = box(x - 9, y - HIGH)] = places.filter(([left, top, right, bottom]) => taken.end(left, top, bottom, 1) >= right).concat(places);
  const [left, top, right, bottom] = best;
  const [ground, words] = /** @type {[SVGRectElement, SVGTextElement]} */ ([...plate.children]);
  for (const [key, value] of Object.entries({ x: left, y: top, width: right - left, height: bottom - top })) ground.setAttribute(key, String(value));
  words.setAttribute("class", `pn-plate-${kind}`);
  words.setAttribute("x", String(left + INSIDE));
  words.setAttribute("y", String((top + bottom) / 2 + 4));
  words.setAttribute("lang", languageOf(text));
  words.textContent = text;
  return best;
}
