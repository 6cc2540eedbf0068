// Mouse and fingers: a drag moves the picture, two fingers or the wheel scale it, a click opens a node.
import { choose } from "./choosing.js";
import { nodeAt } from "./elements.js";
import { picture } from "./picture.js";
import { pan, zoom } from "./view.js";

const CLICK = 5; // px; a finger or a mouse that moves less clicks and does not drag

export function followPointers() {
  /** @type {Map<number, PointerEvent>} */
  const pointers = new Map();
  let travelled = 0;
  /** @type {GraphNode | undefined} */
  let picked;
  picture.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    pointers.set(event.pointerId, event);
    if (pointers.size === 1) travelled = 0;
  });
  picture.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    travelled += Math.hypot(dx, dy);
    if (pointers.size === 2) {
      const other = [...pointers.values()].find((each) => each !== before) ?? before;
      /** @param {PointerEvent} each */
      const apart = (each) => Math.hypot(each.clientX - other.clientX, each.clientY - other.clientY);
      const box = picture.getBoundingClientRect();
      zoom(apart(event) / (apart(before) || 1), (event.clientX + other.clientX) / 2 - box.left, (event.clientY + other.clientY) / 2 - box.top);
      pan(dx / 2, dy / 2);
    } else if (travelled > CLICK) {
      if (!picture.hasPointerCapture(event.pointerId)) picture.setPointerCapture(event.pointerId);
      pan(dx, dy);
    }
    pointers.set(event.pointerId, event);
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    picture.addEventListener(kind, (event) => pointers.delete(/** @type {PointerEvent} */ (event).pointerId));
  }
  picture.addEventListener("dragstart", (event) => event.preventDefault());
  picture.addEventListener("click", /** @param {MouseEvent & { pointerType?: string }} event */ (event) => {
    const node = nodeAt(event);
    // A drag opens nothing. A finger cannot hover: its first tap shows the links of the node, the
    // second opens its page.
    const shows = event.pointerType === "touch" && node && node !== picked;
    if (travelled > CLICK || shows) event.preventDefault();
    if (shows) choose(node);
    picked = node;
  }, true);
  picture.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !picture.contains(document.activeElement)) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), event.offsetX, event.offsetY);
  }, { passive: false });
  picture.setAttribute("tabindex", "-1"); // a click beside all nodes focuses the picture, so that the wheel zooms
}
