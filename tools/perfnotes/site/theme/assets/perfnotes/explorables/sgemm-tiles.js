// The tiles of a matrix product on a GPU: in global memory, in shared memory and in registers.
"use strict";

pnPage.explore("sgemm-tiles", (() => {
  const { at } = pnPage;
  const [STEPS, WARP, MOST_THREADS, VECTOR] = [64, 32, 1024, 4];
  const [SIDE, GLOBAL, RIGHT, UPPER, LOWER] = [52, 6, 64, 30, 88];
  const [SHARED, PER_ELEMENT, DEEP, TOP, GAP, THIN] = [168, 72 / 128, 1, 68, 4, 1.5];
  const square = [0, 1, 2, 3, 4, 5, 6, 7];

  /** @type {Explorable["compute"]} */
  const compute = ({ bm, bn, bk, tm, tn }) => {
    const sums = tm * tn;
    const threads = bm * bn / sums;
    const loads = (bm + bn) / (bm * bn);
    return {
      threads, loads, sums,
      shared: 4 * bk * (bm + bn) / 1024,
      intensity: 2 / (4 * loads),
      values: (tm + tn) / sums,
      lds: (tm / VECTOR + tn / Math.min(tn, VECTOR)) / sums,
      turn: bk * (bm + bn) / threads,
      case: threads > MOST_THREADS ? 1 : threads < WARP ? 2 : 0,
    };
  };

  // A rectangle, at least as wide and high as is still visible.
  /** @param {string} kind @param {number} x @param {number} y @param {number} width @param {number} height */
  const rect = (kind, x, y, width, height) => ({
    class: `pn-x-${kind}`, x: at(x), y: at(y), width: at(Math.max(width, THIN)), height: at(Math.max(height, THIN)),
  });

  /** @type {Explorable["draw"]} */
  const draw = ({ step, size, bm, bn, bk, tm, tn }) => {
    const now = Math.floor(step * (size / bk) / STEPS);
    const k = step % bk;
    const by = SIDE / size;
    const row = LOWER + Math.floor(size / bm / 3) * bm * by;
    const column = RIGHT + Math.floor(size / bn * 2 / 3) * bn * by;
    const along = now * bk * by;
    const [deep, high, wide] = [bk * DEEP, bm * PER_ELEMENT, bn * PER_ELEMENT];
    const [left, upper] = [SHARED - GAP - deep, TOP - GAP - deep];
    const y = TOP + Math.floor(bm / tm / 3) * tm * PER_ELEMENT;
    const x = SHARED + Math.floor(bn / tn / 2) * tn * PER_ELEMENT;
    const [down, across] = [tm * PER_ELEMENT, tn * PER_ELEMENT];
    /** @param {boolean} shown @param {string} kind */
    const cell = (shown, kind) => ({ class: shown ? kind : "pn-x-none" });
    return [
      rect("owns", GLOBAL, row, SIDE, bm * by),
      rect("owns", column, UPPER, bn * by, SIDE),
      rect("waits", column, row, bn * by, bm * by),
      rect("first", GLOBAL + along, row, bk * by, bm * by),
      rect("first", column, UPPER + along, bn * by, bk * by),
      rect("counter", left, TOP, deep, high),
      rect("counter", SHARED, upper, wide, deep),
      rect("mark", SHARED, TOP, wide, high),
      rect("third", left + k * DEEP, y, DEEP, down),
      rect("third", x, upper + k * DEEP, across, DEEP),
      rect("third", x, y, across, down),
      ...square.map((i) => cell(i < tm, "pn-x-third")),
      ...square.map((j) => cell(j < tn, "pn-x-third")),
      ...square.flatMap((i) => square.map((j) => cell(i < tm && j < tn, "pn-x-good"))),
      { text: `${size} × ${size}` },
      { text: `${bm} × ${bk}, ${bk} × ${bn}` },
      { text: `${tm} + ${tn} + ${tm * tn}` },
      { text: `k = ${now * bk} + ${k}` },
    ];
  };
  return { compute, draw };
})());
