// Draws the graph of notes, papers and terms from data.js. Every node is a link. Readers pan and zoom
// by mouse, touch or keys, go from node to node with the arrow keys, and filter by kind, topic and
// words. Nothing moves by itself.
"use strict";

(() => {
  const { say, made } = pnPage;
  const root = /** @type {HTMLElement} */ (document.querySelector(".pn-graph"));
  const NOTE = 0, PAPER = 1, TERM = 2;
  const kinds = ["note", "paper", "term"];
  const kindNames = [say("Note", "笔记"), say("Paper", "文献"), say("Term", "术语")];
  // For each relation, the nodes that a node leads to and those that lead to it.
  const relations = [
    [say("Builds on", "需先读"), say("Leads on to", "后续笔记")],
    [say("Links to", "链接到"), say("Linked from", "被链接自")],
    [say("Cites", "引用"), say("Cited in", "引用它的笔记")],
    [say("Terms", "术语"), say("Used in", "出现于")],
  ];
  // Shapes tell the kinds apart without colours: a disc, a square, a diamond.
  const shapes = ["M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z", "M-4 -4h8v8h-8z", "M0 -5.5l5 5.5l-5 5.5l-5 -5.5z"];
  const CLICK = 5; // px; a finger or a mouse that moves less clicks and does not drag
  const SMALLEST = 0.15, LARGEST = 6;

  /** @type {(text: string, latin: number) => string} */
  const cut = (text, latin) => {
    const most = /[\u2e80-\uffff]/.test(text) ? latin / 2 + 2 : latin; // Chinese characters are wider
    return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
  };
  const NAMES = 110; // px that names take to the right of the last card

  // A link is an arc, so that links between the notes of one column can be told apart.
  /** @type {(a: GraphNode, b: GraphNode) => string} */
  const arc = (a, b) => {
    const [dx, dy] = [Math.abs(b.x - a.x), Math.abs(b.y - a.y)];
    return `M${a.x} ${a.y}Q${(a.x + b.x) / 2 - dy * 0.35} ${(a.y + b.y) / 2 - dx * 0.15} ${b.x} ${b.y}`;
  };

  /** @type {<Tag extends keyof SVGElementTagNameMap>(tag: Tag, set?: Record<string, string>) => SVGElementTagNameMap[Tag]} */
  const svg = (tag, set = {}) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(set)) element.setAttribute(name, value);
    return element;
  };

  const script = document.createElement("script");
  script.src = new URL("data.js", new URL("./", location.href)).href;
  script.onload = () => start(window.pnGraph);
  script.onerror = () => root.replaceChildren(made("p", "", say("The graph could not be loaded.", "图未能加载。")));
  document.head.append(script);

  /** @param {GraphData} data */
  function start(data) {
    const nodes = data.nodes.map(/** @type {(row: NodeRow, id: number) => GraphNode} */ ([kind, name, href, x, y, topic, first, title = ""], id) =>
      ({ id, kind, name, href, x, y, topic, home: data.homes[id], first: first === 1, title, out: [], into: [], near: [], words: "", element: null }));
    for (let i = 0; i < data.edges.length; i += 3) {
      const [a, b, relation] = data.edges.slice(i, i + 3);
      nodes[a].out.push([nodes[b], relation]);
      nodes[b].into.push([nodes[a], relation]);
    }
    for (const node of nodes) {
      node.near = [...node.out, ...node.into].map(([other]) => other);
      node.words = `${node.name} ${node.title}`.toLowerCase();
    }
    const weighty = [...nodes].sort((a, b) => (a.kind - b.kind) || (b.near.length - a.near.length));

    // The frame: the filters, the picture, and the panel about the chosen node
    const { fields, status } = filters(data);
    const stage = made("div", "pn-graph-stage");
    const picture = svg("svg", { role: "group", "aria-label": say("Graph of notes, papers and terms", "笔记、文献与术语的图") });
    const world = svg("g");
    const lines = relations.map((_, i) => svg("path", { class: `pn-edge pn-edge-${i}` }));
    const marked = svg("path", { class: "pn-edge pn-edge-marked" });
    const regions = svg("g", { class: "pn-graph-regions", "aria-hidden": "true" });
    const layer = svg("g");
    world.append(...lines, marked, regions, layer);
    picture.append(world);
    const details = made("div", "pn-graph-details");
    stage.append(picture, tools(), details);
    root.replaceChildren(fields.form, stage);
    const hint = made("p", "pn-graph-hint", say(
      "Drag to move; pinch, or turn the wheel after a click, to zoom. Arrow keys walk along the links, Enter opens, + and − zoom, 0 shows all.",
      "拖动可平移；双指捏合或点击后滚轮可缩放。方向键沿联系移动，Enter 打开，+ 与 − 缩放，0 显示全部。"));
    root.append(hint);

    /** @type {GraphNode[]} */
    let shown = [];
    /** @type {GraphNode | null} */
    let current = null;
    let view = { k: 1, x: 0, y: 0 }, fitted = true;
    // The picture's size is read while it is empty: with its nodes, the browser would lay out all of them.
    const sizeNow = () => ({ w: picture.clientWidth, h: picture.clientHeight });
    let size = sizeNow();

    function place() {
      world.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.k})`);
      picture.style.setProperty("--pn-upright", String(1 / view.k));
    }
    /** @type {(by: number, cx?: number, cy?: number) => void} */
    function zoom(by, cx = size.w / 2, cy = size.h / 2) {
      const k = Math.min(LARGEST, Math.max(SMALLEST, view.k * by));
      view = { k, x: cx - (cx - view.x) * (k / view.k), y: cy - (cy - view.y) * (k / view.k) };
      fitted = false;
      place();
      label();
    }
    /** @type {(dx: number, dy: number) => void} */
    function pan(dx, dy) {
      view = { ...view, x: view.x + dx, y: view.y + dy };
      fitted = false;
      place();
    }
    function fit() {
      if (!shown.length) return;
      const xs = shown.map((node) => node.x), ys = shown.map((node) => node.y);
      const [left, top] = [Math.min(...xs), Math.min(...ys)];
      const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - top];
      const { w, h } = size;
      const room = w - 60 - NAMES;
      const k = Math.min(2, room / (wide || 1), (h - 80) / (high || 1));
      view = { k: Math.max(SMALLEST, k), x: 0, y: 0 };
      view.x = 30 + room / 2 - (left + wide / 2) * view.k;
      view.y = 10 + h / 2 - (top + high / 2) * view.k;
      fitted = true;
      place();
      label();
    }

    // Elements are made when a node is first shown.
    /** @type {Map<Element | null | undefined, GraphNode>} */
    const nodeOf = new Map();
    /** @param {GraphNode} node */
    function elementOf(node) {
      if (node.element) return node.element;
      const link = svg("a", { href: node.href, class: `pn-node pn-node-${kinds[node.kind]}`, transform: `translate(${node.x} ${node.y})`, tabindex: "-1" });
      const links = say(`${node.near.length} links`, `${node.near.length} 个联系`);
      // A title, not a label: what is shown may be cut, and a label has to hold what is shown.
      const name = svg("title", {});
      name.textContent = `${kindNames[node.kind]}: ${node.name}${node.title ? `, ${node.title}` : ""}, ${links}`;
      const inner = svg("g", { class: "pn-node-in" });
      const text = svg("text", { x: "9", y: "4" });
      text.textContent = cut(node.name, 24);
      inner.append(svg("circle", { class: "pn-node-room", r: "12" }), svg("path", { d: shapes[node.kind] }), text);
      link.append(name, inner);
      link.addEventListener("pointerenter", () => {
        point(node);
        describe(node);
      });
      link.addEventListener("pointerleave", () => point(current));
      link.addEventListener("focus", () => choose(node));
      node.element = link;
      nodeOf.set(link, node);
      return link;
    }
    /** @param {GraphNode} node */
    const textOf = (node) => /** @type {SVGTextElement} */ (elementOf(node).querySelector("text"));

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
      shown = weighty.filter((node) => matches.has(node) || (wanted(node) && inTopic(node)));
      const there = new Set(shown);
      for (const node of nodes) node.shown = there.has(node);
      for (const node of shown) elementOf(node).classList.toggle("is-match", matches.has(node));
      layer.replaceChildren(...shown.map(elementOf).reverse()); // notes are drawn last, above all others
      picture.classList.toggle("has-matches", matches.size > 0);
      lines.forEach((line, relation) => line.setAttribute("d", shown.flatMap((node) => node.out
        .filter(([other, each]) => each === relation && other.shown && (other.home === node.home || topic !== ""))
        .map(([other]) => arc(node, other))).join("")));
      if (!current?.shown) choose(null);
      const first = current || shown[0];
      for (const node of shown) elementOf(node).setAttribute("tabindex", node === first ? "0" : "-1");
      status.textContent = words.length
        ? say(`${matches.size} found`, `找到 ${matches.size} 个`)
        : say(`${shown.length} of ${nodes.length}`, `${nodes.length} 个中的 ${shown.length} 个`);
      return matches;
    }

    // The names of the topics stand above their notes. The other names are placed where there is room,
    // those of the nodes with the most weight first.
    function label() {
      /** @type {number[][]} */
      const taken = [];
      /** @param {number[]} box */
      const free = (box) => taken.every((other) => box[0] > other[2] || box[2] < other[0] || box[1] > other[3] || box[3] < other[1]);
      /** @type {(text: string, size: number) => number} */
      const wide = (text, size) => [...text].reduce((sum, c) => sum + (c > "\u2e80" ? size : size * 0.56), 0);
      const { topic } = fields.values();
      regions.replaceChildren(...data.topics.flatMap((title, i) => {
        const name = cut(title, 22);
        const own = shown.filter((node) => node.kind === NOTE && node.topic === i);
        if (!own.length || topic !== "") return [];
        const [left, top] = [Math.min(...own.map((node) => node.x)), Math.min(...own.map((node) => node.y))];
        const [x, y] = [left * view.k, top * view.k - 18];
        const box = [x - 8, y - 12, x + wide(name, 14), y + 6];
        if (!free(box)) return [];
        taken.push(box);
        const text = svg("text", { x: "-6", y: "-18" });
        text.textContent = name;
        const at = svg("g", { transform: `translate(${left} ${top})` });
        const upright = svg("g", { class: "pn-node-in" });
        upright.append(text);
        at.append(upright);
        return [at];
      }));
      for (const node of shown) {
        const text = textOf(node).textContent ?? "";
        const [x, y] = [node.x * view.k, node.y * view.k];
        const length = 12 + wide(text, 12);
        const box = [x + 6, y - 8, x + length, y + 8];
        node.labelled = free(box);
        if (node.labelled) taken.push(box);
        elementOf(node).classList.toggle("is-named", node.labelled);
      }
    }

    // The node under the pointer or with the focus: its links and neighbours stand out.
    /** @param {GraphNode | null} node */
    function point(node) {
      picture.classList.toggle("has-point", Boolean(node));
      for (const other of shown) elementOf(other).classList.remove("is-near", "is-point");
      marked.setAttribute("d", "");
      if (!node) return;
      elementOf(node).classList.add("is-point");
      const near = node.near.filter((other) => other.shown);
      for (const other of near) elementOf(other).classList.add("is-near");
      marked.setAttribute("d", near.map((other) => arc(node, other)).join(""));
    }
    /** @param {GraphNode | null} node */
    function choose(node) {
      if (current?.element) current.element.setAttribute("tabindex", "-1");
      current = node;
      if (!node) details.replaceChildren(made("p", "", say("Point at a node, or walk to it with the keyboard, to see what it is linked with.", "指向一个节点，或用键盘移到它，即可看到它的联系。")));
      else {
        elementOf(node).setAttribute("tabindex", "0");
        const [x, y] = [node.x * view.k + view.x, node.y * view.k + view.y];
        const { w, h } = size;
        if (x < 20 || y < 20 || x > w - 40 || y > h - 20) pan(w / 2 - x, h / 2 - y);
      }
      point(node);
      if (node) describe(node);
    }
    /** @param {GraphNode} node */
    function describe(node) {
      const title = made("a", "pn-graph-title", node.title || node.name);
      title.href = node.href;
      /** @type {HTMLElement[]} */
      const parts = [made("p", "pn-graph-kind", node.title ? `${kindNames[node.kind]} · ${node.name}` : kindNames[node.kind]), title];
      relations.forEach((names, relation) => [node.out, node.into].forEach((edges, way) => {
        const others = edges.filter(([, each]) => each === relation).map(([other]) => other);
        if (!others.length) return;
        const list = made("ul", "");
        for (const other of others) {
          const item = made("li", "");
          const link = made("a", "", other.title ? `${other.name}: ${other.title}` : other.name);
          link.href = other.href;
          item.append(link);
          list.append(item);
        }
        parts.push(made("p", "pn-graph-relation", names[way]), list);
      }));
      details.replaceChildren(...parts);
      details.scrollTop = 0;
    }

    // Keys: from node to node along the links, or to the nearest in that direction
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
      for (const among of [from.near.filter((node) => node.shown), shown]) {
        const best = among.filter((node) => node !== from).reduce((a, b) => (a && score(a) <= score(b) ? a : b), /** @type {GraphNode | null} */ (null));
        if (best && score(best) < Infinity) return best;
      }
      return null;
    }
    /** @param {Event} event */
    const nodeAt = ({ target }) => target instanceof Element ? nodeOf.get(target.closest(".pn-node")) : undefined;
    picture.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const node = nodeAt(event);
      const way = ways[event.key];
      /** @type {(() => void) | null | undefined} */
      const does = /** @type {Record<string, () => void>} */ ({
        "+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), "0": fit,
        Home: () => shown[0]?.element?.focus(), Escape: () => choose(null),
      })[event.key] || (node && way && (() => next(node, way)?.element?.focus({ preventScroll: true })));
      if (!does) return;
      event.preventDefault();
      does();
    });

    // Mouse and fingers
    /** @type {Map<number, PointerEvent>} */
    const pointers = new Map();
    let travelled = 0;
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
    /** @type {GraphNode | undefined} */
    let picked;
    picture.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !picture.contains(document.activeElement)) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), event.offsetX, event.offsetY);
    }, { passive: false });
    picture.setAttribute("tabindex", "-1"); // a click beside all nodes focuses the picture, so that the wheel zooms

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

    fields.onchange = (key) => {
      filter();
      if (key === "find") label();
      else fit();
    };
    fields.onenter = () => shown.find((node) => elementOf(node).classList.contains("is-match"))?.element?.focus();
    new ResizeObserver(() => {
      const before = size;
      size = sizeNow();
      if (fitted && (size.w !== before.w || size.h !== before.h)) fit();
    }).observe(picture);
    filter();
    fit();
  }

  // The controls above the picture. Their state is kept in the address of the page.
  /** @param {GraphData} data */
  function filters(data) {
    const form = made("div", "pn-graph-filter");
    /** @type {Record<string, HTMLSelectElement | HTMLInputElement>} */
    const controls = {};
    /** @type {(key: string, name: string, control: HTMLSelectElement | HTMLInputElement) => void} */
    const add = (key, name, control) => {
      const label = made("label", `pn-graph-field pn-graph-${key}`, name);
      control.name = key;
      controls[key] = control;
      label.append(control);
      form.append(label);
    };
    /** @param {string[][]} options */
    const choice = (...options) => {
      const select = document.createElement("select");
      for (const [value, name] of options) select.append(new Option(name, value));
      return select;
    };
    /** @param {string} type */
    const input = (type) => Object.assign(document.createElement("input"), { type });
    add("find", say("Find in the graph", "在图中查找"), input("search"));
    add("topic", say("Topic", "主题"), choice(["", say("all", "全部")], ...data.topics.map((name, i) => [String(i), name])));
    add("papers", say("Papers", "文献"), choice(["", say("most cited", "引用最多")], ["all", say("all", "全部")], ["none", say("none", "不显示")]));
    if (data.nodes.some(([kind]) => kind === TERM)) add("terms", say("Terms", "术语"), input("checkbox"));
    const status = made("span", "pn-graph-status");
    status.setAttribute("role", "status");
    form.append(status);

    const given = new URL(location.href).searchParams;
    /** @param {HTMLSelectElement | HTMLInputElement | undefined} control */
    const checked = (control) => Boolean(control && "checked" in control && control.checked);
    const fields = {
      form,
      /** @type {(key: string) => void} */
      onchange: () => {},
      onenter: () => {},
      values: () => ({
        find: controls.find.value.trim(), topic: controls.topic.value, papers: controls.papers.value,
        terms: checked(controls.terms),
      }),
    };
    for (const [key, control] of Object.entries(controls)) {
      const value = given.get(key);
      if (value !== null && "checked" in control && control.type === "checkbox") control.checked = true;
      else if (value !== null) control.value = value;
      if ("selectedIndex" in control && control.selectedIndex < 0) control.value = "";
      control.addEventListener("input", () => {
        const address = new URL(location.href);
        for (const [name, value] of Object.entries(fields.values())) {
          if (value) address.searchParams.set(name, value === true ? "yes" : value);
          else address.searchParams.delete(name);
        }
        history.replaceState(history.state, "", address);
        fields.onchange(key);
      });
    }
    controls.find.addEventListener("keydown", (event) => {
      if (/** @type {KeyboardEvent} */ (event).key === "Enter") fields.onenter();
    });
    return { fields, status };
  }
})();
