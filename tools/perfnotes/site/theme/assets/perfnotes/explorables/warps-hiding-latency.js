// Warps that take turns at one scheduler: others issue while one waits for a load.
"use strict";

pnPage.explore("warps-hiding-latency", (() => {
  const [MOST, CYCLES] = [12, 66];
  const [LEFT, CYCLE] = [16, 5];
  const [SCHEDULER, TALL] = [20, 9];
  const [WARPS, ROW] = [54, 11];

  // For each cycle the warp that issues, or -1. The warp that issued last goes on while it is ready;
  // otherwise the one that has been ready longest issues.
  /** @param {Numbers} n */
  const issuingWarps = ({ warps, work, latency }) => {
    const [ready, done] = [Array(warps).fill(0), Array(warps).fill(0)];
    let last = 0;
    return Array.from({ length: CYCLES }, (_, cycle) => {
      if (ready[last] > cycle) last = ready.indexOf(Math.min(...ready));
      if (ready[last] > cycle) return -1;
      done[last]++;
      ready[last] = cycle + 1 + (done[last] % work === 0 ? latency : 0);
      return last;
    });
  };

  // The attribute `d` of a box for each run of cycles.
  /** @type {(turns: boolean[], y: number) => string} */
  const boxes = (turns, y) => {
    let [d, start] = ["", -1];
    [...turns, false].forEach((on, cycle) => {
      if (on && start < 0) start = cycle;
      if (!on && start >= 0) {
        const wide = CYCLE * (cycle - start) - 1;
        d += `M${LEFT + CYCLE * start} ${y}h${wide}v${TALL}h${-wide}z`;
        start = -1;
      }
    });
    return d || `M${LEFT} ${y}`;
  };

  /** @type {Explorable["compute"]} */
  const compute = ({ warps, work, latency }) => {
    const period = work + latency;
    return {
      share: 100 * Math.min(1, warps * work / period),
      needed: Math.ceil(period / work),
      case: Number(warps * work >= period),
    };
  };

  /** @type {Explorable["draw"]} */
  const draw = (n) => {
    const turns = issuingWarps(n);
    return [
      { d: boxes(turns.map((turn) => turn >= 0), SCHEDULER) },
      ...Array.from({ length: MOST }, (_, warp) => [
        { class: warp < n.warps ? "pn-x-grid" : "pn-x-none" },
        { d: boxes(turns.map((turn) => turn === warp), WARPS + ROW * warp) },
      ]).flat(),
    ];
  };
  return { compute, draw };
})());
