// Draws the graph of notes, papers and terms from data.js. Every node is a link. Readers pan and zoom
// by mouse, touch or keys, go from node to node with the arrow keys, and filter by kind, topic and
// words. Nothing moves by itself.
"use strict";

(() => {
  const { say, made } = pnPage;
  const root = document.querySelector(".pn-graph");
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

  const svg = (tag, set = {}) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(set)) element.setAttribute(name, value);
    return element;
  };

  const script = document.createElement("script");
  script.src = new URL("data.js", location.pathname.endsWith("/") ? location : new URL("./", location)).href;
  script.onload = () => start(window.pnGraph);
  script.onerror = () => root.replaceChildren(made("p", "", say("The graph could not be loaded.", "图未能加载。")));
  document.head.append(script);

  function start(data) {
    const nodes = data.nodes.map(([kind, name, href, x, y, topic, first, title = ""], id) =>
      ({ id, kind, name, href, x, y, topic, first: first === 1, title, out: [], into: [], element: null }));
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

    let shown = [], view = { k: 1, x: 0, y: 0 }, current = null, fitted = true;

    function place() {
      world.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.k})`);
      picture.style.setProperty("--pn-upright", 1 / view.k);
    }
    function zoom(by, cx = picture.clientWidth / 2, cy = picture.clientHeight / 2) {
      const k = Math.min(LARGEST, Math.max(SMALLEST, view.k * by));
      view = { k, x: cx - (cx - view.x) * (k / view.k), y: cy - (cy - view.y) * (k / view.k) };
      fitted = false;
      place();
      label();
    }
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
      const { clientWidth: w, clientHeight: h } = picture;
      const k = Math.min(2, (w - 60) / (wide || 1), (h - 60) / (high || 1));
      view = { k: Math.max(SMALLEST, k), x: 0, y: 0 };
      view.x = w / 2 - (left + wide / 2) * view.k;
      view.y = h / 2 - (top + high / 2) * view.k;
      // Names stand on the side where the picture has room for them.
      for (const node of shown) {
        node.turned = node.x > left + wide * 0.62;
        node.element.classList.toggle("is-turned", node.turned);
        node.element.querySelector("text").setAttribute("x", node.turned ? "-9" : "9");
      }
      fitted = true;
      place();
      label();
    }

    // Elements are made when a node is first shown.
    function elementOf(node) {
      if (node.element) return node.element;
      const link = svg("a", { href: node.href, class: `pn-node pn-node-${kinds[node.kind]}`, transform: `translate(${node.x} ${node.y})`, tabindex: "-1" });
      const links = say(`${node.near.length} links`, `${node.near.length} 个联系`);
      // A title, not a label: what is shown may be cut, and a label has to hold what is shown.
      const name = svg("title", {});
      name.textContent = `${kindNames[node.kind]}: ${node.name}${node.title ? `, ${node.title}` : ""}, ${links}`;
      const inner = svg("g", { class: "pn-node-in" });
      const text = svg("text", { x: "9", y: "4" });
      text.textContent = node.name.length > 34 ? `${node.name.slice(0, 33).trimEnd()}…` : node.name;
      inner.append(svg("circle", { class: "pn-node-room", r: "12" }), svg("path", { d: shapes[node.kind] }), text);
      link.append(name, inner);
      link.addEventListener("pointerenter", () => {
        point(node);
        describe(node);
      });
      link.addEventListener("pointerleave", () => point(current));
      link.addEventListener("focus", () => choose(node));
      node.element = link;
      link.node = node;
      return link;
    }

    function filter() {
      const { topic, papers, terms, find } = fields.values();
      const words = find.toLowerCase().split(/\s+/).filter(Boolean);
      const matches = new Set(words.length ? weighty.filter((node) => words.every((word) => node.words.includes(word))).slice(0, 80) : []);
      const inTopic = (node) => topic === "" || (node.kind === NOTE ? node.topic === Number(topic)
        : node.near.some((other) => other.topic === Number(topic)));
      const wanted = (node) => node.kind === NOTE ||
        (node.kind === PAPER && (papers === "all" || (papers === "" && (node.first || topic !== "")))) ||
        (node.kind === TERM && terms);
      shown = weighty.filter((node) => matches.has(node) || (wanted(node) && inTopic(node)));
      const there = new Set(shown);
      for (const node of nodes) node.shown = there.has(node);
      for (const node of shown) elementOf(node).classList.toggle("is-match", matches.has(node));
      layer.replaceChildren(...shown.map((node) => node.element).reverse()); // notes are drawn last, above all others
      picture.classList.toggle("has-matches", matches.size > 0);
      lines.forEach((line, relation) => line.setAttribute("d", shown.flatMap((node) => node.out
        .filter(([other, each]) => each === relation && other.shown)
        .map(([other]) => `M${node.x} ${node.y}L${other.x} ${other.y}`)).join("")));
      if (!current?.shown) choose(null);
      const first = current || shown[0];
      for (const node of shown) node.element.setAttribute("tabindex", node === first ? "0" : "-1");
      status.textContent = words.length
        ? say(`${matches.size} found`, `找到 ${matches.size} 个`)
        : say(`${shown.length} of ${nodes.length}`, `${nodes.length} 个中的 ${shown.length} 个`);
      return matches;
    }

    // Labels are placed where there is room, those of the nodes with the most weight first. Names of
    // topics lie behind all others.
    function label() {
      const taken = [];
      const free = (box) => taken.every((other) => box[0] > other[2] || box[2] < other[0] || box[1] > other[3] || box[3] < other[1]);
      const wide = (text, size) => [...text].reduce((sum, c) => sum + (c > "\u2e80" ? size : size * 0.56), 0);
      for (const node of shown) {
        const text = node.element.querySelector("text").textContent;
        const [x, y] = [node.x * view.k, node.y * view.k];
        const length = 12 + wide(text, 12);
        const box = node.turned ? [x - length, y - 8, x - 6, y + 8] : [x + 6, y - 8, x + length, y + 8];
        node.labelled = free(box);
        if (node.labelled) taken.push(box);
        node.element.classList.toggle("is-named", node.labelled);
      }
      const { topic } = fields.values();
      regions.replaceChildren(...data.topics.flatMap((name, i) => {
        const own = shown.filter((node) => node.kind === NOTE && node.topic === i);
        if (own.length < 2 || topic !== "") return [];
        const mean = (key) => own.reduce((sum, node) => sum + node[key], 0) / own.length;
        const [x, y, half] = [mean("x") * view.k, mean("y") * view.k, wide(name, 15) / 2];
        const box = [x - half, y - 12, x + half, y + 6];
        if (!free(box)) return [];
        taken.push(box);
        const text = svg("text", { "text-anchor": "middle" });
        text.textContent = name;
        const at = svg("g", { transform: `translate(${mean("x")} ${mean("y")})` });
        const upright = svg("g", { class: "pn-node-in" });
        upright.append(text);
        at.append(upright);
        return [at];
      }));
    }

    // The node under the pointer or with the focus: its links and neighbours stand out.
    function point(node) {
      picture.classList.toggle("has-point", Boolean(node));
      for (const other of shown) other.element.classList.remove("is-near", "is-point");
      marked.setAttribute("d", "");
      if (!node) return;
      node.element.classList.add("is-point");
      const near = node.near.filter((other) => other.shown);
      for (const other of near) other.element.classList.add("is-near");
      marked.setAttribute("d", near.map((other) => `M${node.x} ${node.y}L${other.x} ${other.y}`).join(""));
    }
    function choose(node) {
      if (current?.element) current.element.setAttribute("tabindex", "-1");
      current = node;
      if (!node) details.replaceChildren(made("p", "", say("Point at a node, or walk to it with the keyboard, to see what it is linked with.", "指向一个节点，或用键盘移到它，即可看到它的联系。")));
      else {
        node.element.setAttribute("tabindex", "0");
        const [x, y] = [node.x * view.k + view.x, node.y * view.k + view.y];
        const { clientWidth: w, clientHeight: h } = picture;
        if (x < 20 || y < 20 || x > w - 40 || y > h - 20) pan(w / 2 - x, h / 2 - y);
      }
      point(node);
      if (node) describe(node);
    }
    function describe(node) {
      const title = made("a", "pn-graph-title", node.title || node.name);
      title.href = node.href;
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
    const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    function next(from, [dx, dy]) {
      const score = (node) => {
        const [x, y] = [node.x - from.x, node.y - from.y];
        const along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
        return along > 0 && aside <= along * 1.2 ? along + 2 * aside : Infinity;
      };
      for (const among of [from.near.filter((node) => node.shown), shown]) {
        const best = among.filter((node) => node !== from).reduce((a, b) => (a && score(a) <= score(b) ? a : b), null);
        if (best && score(best) < Infinity) return best;
      }
      return null;
    }
    picture.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const node = event.target.closest?.(".pn-node")?.node;
      const does = {
        "+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), "0": fit,
        Home: () => shown[0]?.element.focus(), Escape: () => choose(null),
      }[event.key] || (node && ways[event.key] && (() => next(node, ways[event.key])?.element.focus({ preventScroll: true })));
      if (!does) return;
      event.preventDefault();
      does();
    });

    // Mouse and fingers
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
        const other = [...pointers.values()].find((each) => each !== before);
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
      picture.addEventListener(kind, (event) => pointers.delete(event.pointerId));
    }
    picture.addEventListener("dragstart", (event) => event.preventDefault());
    picture.addEventListener("click", (event) => {
      const node = event.target.closest?.(".pn-node")?.node;
      // A drag opens nothing. A finger cannot hover: its first tap shows the links of the node, the
      // second opens its page.
      const shows = event.pointerType === "touch" && node && node !== picked;
      if (travelled > CLICK || shows) event.preventDefault();
      if (shows) choose(node);
      picked = node;
    }, true);
    let picked = null;
    picture.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !picture.contains(document.activeElement)) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), event.offsetX, event.offsetY);
    }, { passive: false });
    picture.setAttribute("tabindex", "-1"); // a click beside all nodes focuses the picture, so that the wheel zooms

    function tools() {
      const bar = made("div", "pn-graph-tools");
      for (const [sign, name, does] of [
        ["+", say("Zoom in", "放大"), () => zoom(1.4)],
        ["−", say("Zoom out", "缩小"), () => zoom(1 / 1.4)],
        ["⤢", say("Show all", "显示全部"), fit],
      ]) {
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
    fields.onenter = () => shown.find((node) => node.element.classList.contains("is-match"))?.element.focus();
    new ResizeObserver(() => fitted && fit()).observe(picture);
    filter();
    fit();
  }

  // The controls above the picture. Their state is kept in the address of the page.
  function filters(data) {
    const form = made("div", "pn-graph-filter");
    const controls = {};
    const add = (key, name, control) => {
      const label = made("label", `pn-graph-field pn-graph-${key}`, name);
      control.name = key;
      controls[key] = control;
      label.append(control);
      form.append(label);
    };
    const choice = (...options) => {
      const select = document.createElement("select");
      for (const [value, name] of options) select.append(new Option(name, value));
      return select;
    };
    const input = (type) => Object.assign(document.createElement("input"), { type });
    add("find", say("Find in the graph", "在图中查找"), input("search"));
    add("topic", say("Topic", "主题"), choice(["", say("all", "全部")], ...data.topics.map((name, i) => [String(i), name])));
    add("papers", say("Papers", "文献"), choice(["", say("most cited", "引用最多")], ["all", say("all", "全部")], ["none", say("none", "不显示")]));
    if (data.nodes.some(([kind]) => kind === TERM)) add("terms", say("Terms", "术语"), input("checkbox"));
    const status = made("span", "pn-graph-status");
    status.setAttribute("role", "status");
    form.append(status);

    const given = new URL(location).searchParams;
    const fields = {
      form,
      onchange: () => {},
      onenter: () => {},
      values: () => ({
        find: controls.find.value.trim(), topic: controls.topic.value, papers: controls.papers.value,
        terms: Boolean(controls.terms?.checked),
      }),
    };
    for (const [key, control] of Object.entries(controls)) {
      if (given.has(key) && control.type === "checkbox") control.checked = true;
      else if (given.has(key)) control.value = given.get(key);
      if (control.tagName === "SELECT" && control.selectedIndex < 0) control.value = "";
      control.addEventListener("input", () => {
        const address = new URL(location);
        for (const [name, value] of Object.entries(fields.values())) {
          if (value) address.searchParams.set(name, value === true ? "yes" : value);
          else address.searchParams.delete(name);
        }
        history.replaceState(history.state, "", address);
        fields.onchange(key);
      });
    }
    controls.find.addEventListener("keydown", (event) => {
      if (event.key === "Enter") fields.onenter();
    });
    return { fields, status };
  }
})();
