// Draws the graph of notes, papers and terms from data.js. Every node is a link. Readers pan and zoom
// by mouse, touch or keys, go from node to node with the arrow keys, and filter by kind, topic and
// words. Nothing moves by itself.
import { choose, details, listen } from "./choosing.js";
import { made, nodesOf, NOTE, PAPER, say, TERM } from "./data.js";
import { arc, elementOf } from "./elements.js";
import { filters } from "./filters.js";
import { followKeys } from "./keys.js";
import { label } from "./labels.js";
import { layer, lines, picture, seen } from "./picture.js";
import { followPointers } from "./pointers.js";
import { begin, fit, followSize, measure, reveal, zoom } from "./view.js";

const root = /** @type {HTMLElement} */ (document.querySelector(".pn-graph"));

/** @param {GraphData} data */
function start(data) {
  const nodes = nodesOf(data);
  const weighty = [...nodes].sort((a, b) => (a.kind - b.kind) || (b.near.length - a.near.length));
  seen.topics = data.topics;

  // The frame: the filters, the picture, and the panel about the chosen node
  const { fields, status } = filters(data);
  const stage = made("div", "pn-graph-stage");
  stage.append(picture, details);
  const foot = made("div", "pn-graph-foot");
  foot.append(tools(), made("p", "pn-graph-hint", say(
    "Drag to move; pinch, or turn the wheel after a click, to zoom. Arrow keys walk along the links, Enter opens, + and − zoom, 0 shows all.",
    "拖动可平移；双指捏合或点击后滚轮可缩放。方向键沿联系移动，Enter 打开，+ 与 − 缩放，0 显示全部。")));
  root.replaceChildren(fields.form, stage, foot);
  measure();

  function filter() {
    const { topic, papers, terms, find } = fields.values();
    const words = find.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = new Set(words.length ? weighty.filter((node) => words.every((word) => node.words.includes(word))).slice(0, 80) : []);
    /** @param {GraphNode} node */
    const inTopic = (node) => topic === "" || (node.kind === NOTE ? node.topic === Number(topic)
      : node.near.some((other) => other.topic === Number(topic)));
    /** @param {GraphNode} node */
    const wanted = (node) => node.kind === NOTE ||
      (node.kind === PAPER && (papers === "all" || (papers === "" && (node.first || topic !== "")))) ||
      (node.kind === TERM && terms);
    const shown = weighty.filter((node) => matches.has(node) || (wanted(node) && inTopic(node)));
    Object.assign(seen, { nodes: shown, topic });
    const there = new Set(shown);
    for (const node of nodes) node.shown = there.has(node);
    for (const node of shown) {
      if (!node.element) listen(node);
      elementOf(node).classList.toggle("is-match", matches.has(node));
    }
    layer.replaceChildren(...shown.map(elementOf).reverse()); // notes are drawn last, above the other nodes
    picture.classList.toggle("has-matches", matches.size > 0);
    lines.forEach((line, relation) => line.setAttribute("d", shown.flatMap((node) => node.out
      .filter(([other, each]) => each === relation && other.shown && (other.home === node.home || topic !== ""))
      .map(([other]) => arc(node, other))).join("")));
    if (!seen.current?.shown) choose(null);
    const first = seen.current || shown[0];
    for (const node of shown) elementOf(node).setAttribute("tabindex", node === first ? "0" : "-1");
    status.textContent = words.length
      ? say(`${matches.size} found`, `找到 ${matches.size} 个`)
      : say(`${shown.length} of ${nodes.length}`, `${nodes.length} 个中的 ${shown.length} 个`);
  }

  const found = () => seen.nodes.filter((node) => elementOf(node).classList.contains("is-match"));
  followKeys();
  followPointers();
  fields.onchange = (key) => {
    filter();
    if (key === "find") label();
    else begin();
    reveal(...found());
  };
  fields.onenter = () => found()[0]?.element?.focus();
  followSize();
  filter();
  begin();
  reveal(...found());
}

function tools() {
  const bar = made("div", "pn-graph-tools");
  for (const [sign, name, does] of /** @type {[string, string, () => void][]} */ ([
    ["+", say("Zoom in", "放大"), () => zoom(1.4)],
    ["−", say("Zoom out", "缩小"), () => zoom(1 / 1.4)],
    ["⤢", say("Show all", "显示全部"), fit],
  ])) {
    const button = made("button", "", sign);
    button.setAttribute("aria-label", name);
    button.title = name;
    button.addEventListener("click", does);
    bar.append(button);
  }
  return bar;
}

const script = document.createElement("script");
script.src = new URL("data.js", new URL("./", location.href)).href;
script.onload = () => start(window.pnGraph);
script.onerror = () => root.replaceChildren(made("p", "", say("The graph could not be loaded.", "图未能加载。")));
document.head.append(script);
