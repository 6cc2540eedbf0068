// The node under the pointer or with the focus: its links and neighbours are highlighted and listed in the
// panel.
import { kindNames, languageOf, made, relations, say } from "./data.js";
import { arc, elementOf } from "./elements.js";
import { label } from "./labels.js";
import { marked, picture, seen } from "./picture.js";
import { reveal } from "./view.js";

export const details = made("div", "pn-graph-details");

/** @param {GraphNode | null} node */
function point(node) {
  const isOther = seen.pointed !== node;
  seen.pointed = node;
  picture.classList.toggle("has-point", Boolean(node));
  for (const other of seen.nodes) elementOf(other).classList.remove("is-near", "is-point");
  const near = node?.near.filter((other) => other.shown) ?? [];
  if (node) elementOf(node).classList.add("is-point");
  for (const other of near) elementOf(other).classList.add("is-near");
  marked.setAttribute("d", near.map((other) => arc(/** @type {GraphNode} */ (node), other)).join(""));
  if (isOther) label();
}
/** @param {GraphNode | null} node */
export function choose(node) {
  if (seen.current?.element) seen.current.element.setAttribute("tabindex", "-1");
  seen.current = node;
  if (!node) details.replaceChildren(made("p", "", say("Tap a node, point at it, or walk to it with the keyboard, to see what it is linked with.", "点按或指向一个节点，或用键盘移到它，即可看到它的联系。")));
  else {
    elementOf(node).setAttribute("tabindex", "0");
    reveal(node);
  }
  point(node);
  if (node) describe(node);
}
/** Listens for the pointer and the focus on a node. @param {GraphNode} node */
export function listen(node) {
  const link = elementOf(node);
  link.addEventListener("pointerenter", () => {
    point(node);
    describe(node);
  });
  link.addEventListener("pointerleave", () => point(seen.current));
  link.addEventListener("focus", () => choose(node));
}
/** @param {GraphNode} node */
function describe(node) {
  const title = made("a", "pn-graph-title", node.title || node.name);
  title.href = node.href;
  title.lang = languageOf(node.title || node.name);
  /** @type {HTMLElement[]} */
  const parts = [made("p", "pn-graph-kind", node.title ? `${kindNames[node.kind]} · ${node.name}` : kindNames[node.kind]), title];
  relations.forEach((names, relation) => [node.out, node.into].forEach((edges, way) => {
    const others = edges.filter(([, each]) => each === relation).map(([other]) => other);
    if (!others.length) return;
    const list = made("ul", "");
    for (const other of others) {
      const item = made("li", "");
      const link = made("a", "", other.title ? `${other.name}${say(": ", "：")}${other.title}` : other.name);
      link.href = other.href;
      link.lang = languageOf(other.title || other.name);
      item.append(link);
      list.append(item);
    }
    parts.push(made("p", "pn-graph-relation", names[way]), list);
  }));
  details.replaceChildren(...parts);
  details.scrollTop = 0;
}
