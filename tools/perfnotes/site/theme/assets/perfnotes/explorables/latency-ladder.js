// The time of a load against the working set, on the levels of a machine's memory.
"use strict";

pnPage.explore("latency-ladder", (() => {
  const { at, path, logPlace } = pnPage;
  const [LEFT, RIGHT, TOP, BOTTOM] = [46, 346, 34, 196];
  const [SMALLEST, LARGEST, POINTS] = [4, 262144, 64];
  const MEASURED = { "16k": 16, "256k": 256, "4m": 4096, "16m": 16384, "64m": 65536, "256m": 262144 };
  const x = (/** @type {number} */ size) => logPlace(size, SMALLEST, LARGEST, LEFT, RIGHT);
  const y = (/** @type {number} */ time) => logPlace(time, 0.5, 400, BOTTOM, TOP);

  /** @param {Numbers} n */
  const levelsOf = (n) => [
    [n.l1, n["ns-16k"]], [n.l2, n["ns-256k"]], [n.l3, n["ns-4m"]], [Infinity, n["ns-256m"]],
  ];

  /** @type {(n: Numbers, size: number) => number[]} */
  const sharesOf = (n, size) => {
    let before = 0;
    return levelsOf(n).map(([capacity]) => {
      const share = n.walk ? Math.min(1, capacity / size) - before : Number(capacity >= size && !before);
      before += share;
      return share;
    });
  };

  /** @type {(n: Numbers, size: number) => number} */
  const timeOf = (n, size) => {
    const shares = sharesOf(n, size);
    return levelsOf(n).reduce((sum, [, time], k) => sum + shares[k] * time, 0);
  };

  /** @type {Explorable["compute"]} */
  const compute = (n) => {
    const shares = sharesOf(n, n.size);
    const time = timeOf(n, n.size);
    return { time, memory: 100 * shares[3], ratio: time / n["ns-16k"], case: n.walk ? 4 : shares.indexOf(1) };
  };

  /** @type {(n: Numbers) => [number, number][]} */
  const curve = (n) => {
    if (n.walk) {
      const by = (LARGEST / SMALLEST) ** (1 / POINTS);
      return Array.from({ length: POINTS + 1 }, (_, i) => {
        const size = SMALLEST * by ** i;
        return [x(size), y(timeOf(n, size))];
      });
    }
    let start = SMALLEST;
    return levelsOf(n).flatMap(([capacity, time]) => {
      const end = Math.min(capacity, LARGEST);
      const from = start;
      start = end;
      return /** @type {[number, number][]} */ ([[x(from), y(time)], [x(end), y(time)]]);
    });
  };

  /** @type {Explorable["draw"]} */
  const draw = (n) => {
    const [cx, cy] = [at(x(n.size)), at(y(n.time))];
    return [
      { d: path(curve(n)) },
      ...Object.entries(MEASURED).map(([name, size]) => ({ cx: at(x(size)), cy: at(y(n[`ns-${name}`])) })),
      { x1: cx, y1: cy, x2: cx },
      { cx, cy },
    ];
  };
  return { compute, draw };
})());
