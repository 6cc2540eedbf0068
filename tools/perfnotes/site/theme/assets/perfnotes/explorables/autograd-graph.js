// The backward graph of an expression: what its nodes save, and which changes raise an error.
"use strict";

pnPage.explore("autograd-graph", (() => {
  const [LEFT, TOP, ROW, HIGH, WIDE, LEAF, APART] = [6, 6, 46, 36, 152, 112, 118];
  const TIMES = "Mul self=x,other=w xw";
  // An expression, then its nodes: name, what it saves, leaves.
  const GRAPHS = [
    ["(x * w + b).sigmoid()", "Sigmoid result=h", "Add  b", TIMES],
    ["x.exp()", "Exp result=h x"],
    ["x @ w", "Mm self=x,mat2=w xw"],
    ["(x * w).relu()", "Relu result=h", TIMES],
    ["x ** 2", "Pow self=x x"],
    ["x.exp().add_(1)", "Add", "Exp result=h x"],
  ];
  const ADDED = GRAPHS.length - 1; // changes a saved tensor by itself
  const CHANGED = ["", "x", "w", "b", "h"];

  /** @param {Numbers} n */
  const nodesOf = ({ graph, frozen, change }) => ["Sum", ...GRAPHS[graph].slice(1)].map((node) => {
    const [name, saves = "", leaves = ""] = node.split(" ");
    // A product keeps x for the gradient of w.
    const kept = saves.split(",").filter((each) => each && !(frozen && leaves === "xw" && each.endsWith("=x")));
    const tensors = kept.map((each) => each.slice(-1));
    const stale = tensors.includes(CHANGED[change]) || (graph === ADDED && tensors.includes("h"));
    return { name, leaves, kept, tensors, stale };
  });

  /** @type {Explorable["compute"]} */
  const compute = (n) => {
    const nodes = nodesOf(n);
    const tensors = new Set(nodes.flatMap((node) => node.tensors)).size;
    const each = 4 * n.side ** 2 / 2 ** 20;
    const fails = nodes.some((node) => node.stale);
    return {
      tensors, each, mib: each * tensors,
      case: n.graph === ADDED ? 3 : fails ? 2 : Number(n.change > 0),
    };
  };

  /** @type {Explorable["draw"]} */
  const draw = (n) => {
    const nodes = nodesOf(n);
    const change = CHANGED[n.change];
    const fails = nodes.some((node) => node.stale);
    const leaves = nodes.flatMap(({ leaves }, i) => [...leaves].map((name) => ({ name, i }))).sort((a, b) => b.i - a.i);
    const y = TOP + ROW * nodes.length;
    return [
      { text: `h = ${GRAPHS[n.graph][0]}` },
      { text: "loss = h.sum()" },
      { text: change && "with torch.no_grad():" },
      { text: change && `${change}.add_(1)` },
      { text: `loss.backward()${fails ? "  # RuntimeError" : ""}` },
      ...[0, 1, 2, 3].flatMap((i) => {
        const { name = "", kept = [], stale } = nodes[i] ?? {};
        const y = TOP + ROW * i;
        const kind = !name ? "none" : stale ? "waits" : kept.length ? "counter" : "cell";
        const words = kept.join(", ").replaceAll("=", " = ");
        return [
          { class: `pn-x-${kind}`, y },
          { y: y + 15, text: name && `${name}Backward0` },
          { y: y + 30, text: stale ? `${words} ✕` : words },
          { class: i < nodes.length - 1 ? "pn-x-axis" : "pn-x-none" },
        ];
      }),
      ...[0, 1, 2].flatMap((place) => {
        const { name = "", i = 0 } = leaves[place] ?? {};
        const none = name === "w" && n.frozen;
        const middle = LEFT + APART * place + LEAF / 2;
        const [x1, y1] = name === "b" ? [LEFT + WIDE, HIGH / 2] : [Math.min(middle, LEFT + WIDE - 12), HIGH];
        return [
          { class: `pn-x-${!name ? "none" : none ? "mark" : "cell"}`, y },
          { y: y + 15, text: name && (none ? "None" : "AccumulateGrad") },
          { y: y + 30, text: name && !none ? `${name}.grad` : "" },
          { class: name ? "pn-x-axis" : "pn-x-none", x1, y1: TOP + ROW * i + y1, x2: middle, y2: y },
        ];
      }),
    ];
  };
  return { compute, draw };
})());
