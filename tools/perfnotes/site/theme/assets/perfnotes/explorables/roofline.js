// A linear layer under the roofline of a machine, with a batch to drag.
"use strict";

pnPage.explore("roofline", (() => {
  const { at, path, logPlace } = pnPage;
  const [LEFT, RIGHT, TOP, BOTTOM] = [46, 346, 28, 196];
  const [LEAST, LOWEST, WIDTH_MEASURED] = [0.25, 0.1, 8192];
  const x = (/** @type {number} */ intensity) => logPlace(intensity, LEAST, 1024, LEFT, RIGHT);
  const y = (/** @type {number} */ share) => logPlace(Math.max(share, LOWEST), LOWEST, 100, BOTTOM, TOP);

  /** @type {Explorable["compute"]} */
  const compute = (n) => {
    const bytesEach = n.machine ? 2 : 4;
    const peak = n.machine ? n["h100-peak"] : n.peak;
    const bandwidth = n.machine ? n["h100-bandwidth"] : n.bandwidth;
    const { batch, width } = n;
    const intensity = 2 * batch * width * width / (bytesEach * (width * width + batch * width + batch * width));
    const ridge = peak / bandwidth;
    const bound = Math.min(peak, bandwidth * intensity);
    const limit = width / bytesEach;
    return {
      intensity, ridge, bound, limit, share: 100 * bound / peak,
      case: limit < ridge ? 2 : intensity >= ridge ? 1 : 0,
    };
  };

  /** @type {Explorable["draw"]} */
  const draw = (n) => {
    const ridge = at(x(n.ridge));
    const [cx, cy] = [at(x(n.intensity)), at(y(n.share))];
    const shown = !n.machine && n.width === WIDTH_MEASURED;
    return [
      { x1: ridge, x2: ridge },
      { d: path([[LEFT, y(100 * LEAST / n.ridge)], [x(n.ridge), TOP], [RIGHT, TOP]]) },
      ...[1, 2, 4, 8, 16, 32, 64].map((batch) => ({
        class: shown ? "pn-x-ring" : "pn-x-none",
        cx: at(x(compute({ ...n, batch }).intensity)),
        cy: at(y(100 * n[`r${batch}`] / n.peak)),
      })),
      { x1: cx, y1: cy, x2: cx },
      { cx, cy },
    ];
  };
  return { compute, draw };
})());
