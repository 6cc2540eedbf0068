// GPU-Util beside SM activity: kernels on a timeline of four multiprocessors.
"use strict";

pnPage.explore("gpu-activity", (() => {
  const { at } = pnPage;
  const [SMS, PERIOD, WARPS] = [4, 10, 64];
  const [TOP, ROW, BAR] = [22, 26, 182];
  const KINDS = ["pn-x-none", "pn-x-first", "pn-x-second", "pn-x-third"];

  // For each SM and unit the kernel, 0 if none runs, and its warps.
  /** @param {Numbers} n */
  const cellsOf = ({ blocks, units, warps }) =>
    Array.from({ length: SMS }, (_, sm) =>
      Array.from({ length: PERIOD }, (_, t) => {
        if (sm < blocks && t < units) return [1, warps];
        if (t === 6 || t === 7) return [2, 32];
        return sm === 2 && t >= 8 ? [3, 8] : [0, 0];
      }));

  /** @type {Explorable["compute"]} */
  const compute = (n) => {
    const cells = cellsOf(n);
    const all = cells.flat();
    const busy = cells[0].filter((_, t) => cells.some((row) => row[t][0])).length;
    const pairs = all.filter(([kernel]) => kernel).length;
    const resident = all.reduce((sum, [, warps]) => sum + warps, 0);
    return {
      busy, pairs,
      util: 100 * busy / PERIOD,
      active: 100 * pairs / (SMS * PERIOD),
      occupancy: 100 * resident / (SMS * PERIOD * WARPS),
    };
  };

  /** @type {Explorable["draw"]} */
  const draw = (n) => [
    ...cellsOf(n).flatMap((row, sm) => row.map(([kernel, warps]) => {
      const height = at(24 * warps / WARPS);
      return { class: KINDS[kernel], y: at(TOP + (sm + 1) * ROW - 1 - height), height };
    })),
    ...[n.util, n.active, n.occupancy].flatMap((share) => [{ width: at(share / 100 * BAR) }, { text: `${at(share)} %` }]),
  ];
  return { compute, draw };
})());
