// Lines at a stride, and the sets of a cache that they fall into.
"use strict";

pnPage.explore("cache-sets", (() => {
  const { at } = pnPage;
  const [SETS, WAYS, LINE, LAPS] = [64, 8, 64, 100];
  const [TOP, BOTTOM, MOST] = [22, 172, 128];

  /** @param {Numbers} n */
  const countsOf = ({ lines, stride }) => {
    const counts = Array(SETS).fill(0);
    for (let i = 0; i < lines; i++) counts[Math.floor(i * stride / LINE) % SETS]++;
    return counts;
  };

  /** @type {Explorable["compute"]} */
  const compute = (n) => {
    const counts = countsOf(n);
    const fullest = Math.max(...counts);
    return {
      fullest,
      used: counts.filter(Boolean).length,
      loads: n.lines * LAPS,
      misses: counts.reduce((sum, count) => sum + (count <= WAYS ? count : count * LAPS), 0),
      case: Number(fullest > WAYS),
    };
  };

  /** @type {Explorable["draw"]} */
  const draw = (n) => countsOf(n).map((count) => {
    const y = at(BOTTOM - Math.log2(1 + count) / Math.log2(1 + MOST) * (BOTTOM - TOP));
    return {
      class: !count ? "pn-x-none" : count > WAYS ? "pn-x-hot" : "pn-x-good", y, height: at(BOTTOM - y),
    };
  });
  return { compute, draw };
})());
