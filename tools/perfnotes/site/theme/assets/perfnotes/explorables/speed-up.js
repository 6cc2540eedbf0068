// The speed-up by Amdahl and by Gustafson, for one number as two different shares.
"use strict";

pnPage.explore("speed-up", (() => {
  const { at, path, logPlace } = pnPage;
  const [LEFT, RIGHT, TOP, BOTTOM, MOST, POINTS] = [46, 346, 20, 196, 1024, 20];
  const x = (/** @type {number} */ n) => logPlace(n, 1, MOST, LEFT, RIGHT);
  const y = (/** @type {number} */ speedUp) => logPlace(speedUp, 1, MOST, BOTTOM, TOP);
  /** @type {(share: number, n: number) => number} */
  const amdahlOf = (share, n) => 1 / (share + (1 - share) / n);
  /** @type {(share: number, n: number) => number} */
  const gustafsonOf = (share, n) => share + (1 - share) * n;

  /** @type {Explorable["compute"]} */
  const compute = ({ share: percent, n }) => {
    const share = percent / 100;
    const amdahl = amdahlOf(share, n);
    return { amdahl, gustafson: gustafsonOf(share, n), limit: 1 / share, q: 100 * share * amdahl };
  };

  /** @type {Explorable["draw"]} */
  const draw = (n) => {
    const share = n.share / 100;
    const bound = at(y(Math.min(n.limit, MOST)));
    /** @param {typeof amdahlOf} law */
    const curve = (law) => path(Array.from({ length: POINTS + 1 }, (_, i) => {
      const size = 2 ** (i * 10 / POINTS);
      return [x(size), y(law(share, size))];
    }));
    const cx = at(x(n.n));
    const cy = at(y(n.gustafson));
    return [
      { y1: bound, y2: bound },
      { d: curve(gustafsonOf) },
      { d: curve(amdahlOf) },
      { y: at(y(amdahlOf(share, MOST)) + 16) },
      { x1: cx, y1: cy, x2: cx },
      { cx, cy },
      { cx, cy: at(y(n.amdahl)) },
    ];
  };
  return { compute, draw };
})());
