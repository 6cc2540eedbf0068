// Arrow keys move from node to node along the links, or else to the nearest node in that direction.
import { choose } from "./choosing.js";
import { nodeAt } from "./elements.js";
import { picture, seen } from "./picture.js";
import { fit, zoom } from "./view.js";

/** @type {Record<string, [dx: number, dy: number]>} */
const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
/** @type {(from: GraphNode, way: [dx: number, dy: number]) => GraphNode | null} */
function next(from, [dx, dy]) {
  /** @param {GraphNode} node */
  const score = (node) => {
    const [x, y] = [node.x - from.x, node.y - from.y];
    const along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
    return along > 0 && aside <= along * 1.2 ? along + 2 * aside : Infinity;
  };
  for (const among of [from.near.filter((node) => node.shown), seen.nodes]) {
    const best = among.filter((node) => node !== from).reduce((a, b) => (a && score(a) <= score(b) ? a : b), /** @type {GraphNode | null} */ (null));
    if (best && score(best) < Infinity) return best;
  }
  return null;
}
export function followKeys() {
  picture.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const node = nodeAt(event);
    const way = ways[event.key];
    /** @type {(() => void) | null | undefined} */
    const does = /** @type {Record<string, () => void>} */ ({
      "+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), "0": fit,
      Home: () => seen.nodes[0]?.element?.focus(), Escape: () => choose(null),
    })[event.key] || (node && way && (() => next(node, way)?.element?.focus({ preventScroll: true })));
    if (!does) return;
    event.preventDefault();
    does();
  });
}
