// A tensor over its storage: which cells it visits, in which order, and whether view(-1) works.
"use strict";

pnPage.explore("tensor-storage", (() => {
  const { at, path } = pnPage;
  const SHAPES = [[4, 6], [2, 12], [2, 3, 4]];
  const [CELLS, MOST, LEFT, PITCH, FIRST, LOW, STEP] = [24, 36, 12, 14, 116, 122, 8];
  const times = (/** @type {number[]} */ sizes) => sizes.reduce((all, each) => all * each, 1);
  const tuple = (/** @type {number[]} */ of) => `(${of.join(", ")}${of.length === 1 ? "," : ""})`;

  // The tensor that the controls make of the 24 numbers, and the expression that makes it.
  /** @param {Numbers} n */
  const tensorOf = ({ shape, begin: asked, step, then }) => {
    const given = SHAPES[shape];
    const size = [...given];
    const stride = size.map((_, i) => times(size.slice(i + 1)));
    const begin = Math.min(asked, size[0] - 1);
    const last = size.length - 1;
    const offset = begin * stride[0];
    size[0] -= begin;
    size[last] = Math.ceil(size[last] / step);
    stride[last] *= step;
    for (const each of [size, stride]) {
      if (then === 1) each.splice(0, 2, each[1], each[0]);
      if (then === 2) each.shift();
      if (then === 3) each.pop();
      if (then === 4) each[0] = each === size ? 3 : 0;
    }
    const parts = [begin ? `${begin}:` : ":"];
    if (step > 1) parts.push(...Array(last - 1).fill(":"), `::${step}`);
    const cut = begin || step > 1 ? `[${parts.join(", ")}]` : "";
    const ends = ["", ".transpose(0, 1)", ".select(0, 0)", ".select(-1, 0)", `[0].expand(3${", -1".repeat(last)})`];
    const indexOf = (/** @type {number} */ element) =>
      size.map((each, i) => Math.floor(element / times(size.slice(i + 1))) % each);
    const order = Array.from({ length: times(size) }, (_, element) =>
      indexOf(element).reduce((cell, i, d) => cell + i * stride[d], offset));
    return { size, stride, offset, order, indexOf, text: `x.view${tuple(given)}${cut}${ends[then]}` };
  };

  /** @param {ReturnType<typeof tensorOf>} tensor */
  const isContiguous = ({ size, stride }) =>
    size.every((each, d) => each === 1 || stride[d] === times(size.slice(d + 1)));

  // The stride of view(-1), or null if that raises an error.
  /** @param {ReturnType<typeof tensorOf>} tensor */
  const flatOf = ({ size, stride }) => {
    const kept = size.flatMap((each, d) => each === 1 ? [] : [[each, stride[d]]]);
    const joins = kept.slice(1).every(([each, step], i) => kept[i][1] === each * step);
    return joins ? kept.at(-1)?.[1] ?? stride[stride.length - 1] : null;
  };

  /** @type {Explorable["compute"]} */
  const compute = (n) => {
    const tensor = tensorOf(n);
    const count = tensor.order.length;
    const cells = new Set(tensor.order).size;
    const flat = flatOf(tensor);
    const now = Math.min(n.element, count - 1);
    return {
      count, cells, now, cell: tensor.order[now], flat: flat ?? 0,
      case: isContiguous(tensor) ? 0 : cells < count ? 3 : flat === null ? 2 : 1,
    };
  };

  const x = (/** @type {number} */ cell) => LEFT + PITCH * (cell + 0.5);

  /** @type {Explorable["draw"]} */
  const draw = (n) => {
    const tensor = tensorOf(n);
    const { size, stride, offset, order, text } = tensor;
    const flat = flatOf(tensor);
    const index = tensor.indexOf(n.now);
    const terms = index.map((i, d) => ` + ${i} × ${stride[d]}`).join("");
    const down = Math.min(STEP, LOW / Math.max(order.length - 1, 1));
    const [cx, cy] = [at(x(n.cell)), at(FIRST + down * n.now)];
    return [
      { text },
      { text: `size ${tuple(size)}` },
      { text: `stride ${tuple(stride)}` },
      { text: `offset ${offset}` },
      { text: `is_contiguous() ${isContiguous(tensor) ? "True" : "False"}` },
      { text: `view(-1) ${flat === null ? "RuntimeError" : `stride (${flat},)`}` },
      { text: `[${index.join(", ")}]: ${offset}${terms} = ${n.cell}` },
      ...Array.from({ length: CELLS }, (_, cell) => (
        { class: `pn-x-${cell === n.cell ? "hot" : order.includes(cell) ? "first" : "cell"}` })),
      { d: path(order.map((cell, i) => [x(cell), FIRST + down * i])) },
      ...Array.from({ length: MOST }, (_, i) => i < order.length
        ? { class: "pn-x-dot-2", cx: at(x(order[i])), cy: at(FIRST + down * i) }
        : { class: "pn-x-none", cx: 0, cy: 0 }),
      { x1: cx, x2: cx, y2: cy },
      { cx, cy },
    ];
  };
  return { compute, draw };
})());
