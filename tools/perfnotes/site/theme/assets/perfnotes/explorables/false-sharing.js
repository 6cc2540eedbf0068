// Two counters that slide into one cache line, and the writes that have to wait for it.
"use strict";

pnPage.explore("false-sharing", (() => {
  const { at } = pnPage;
  const [LINE, WORD, TURNS] = [64, 8, 8];
  const [LEFT, CELL, GAP] = [6, 14, 6];
  /** @param {Numbers} n */
  const linesOf = ({ offset, distance }) => [offset, offset + distance].map((byte) => Math.floor(byte / LINE));

  /** @param {Numbers} n */
  const waitsOf = (n) => {
    const lines = linesOf(n);
    const owner = new Map();
    return Array.from({ length: TURNS }, (_, turn) => {
      const core = turn % 2;
      const waits = owner.get(lines[core]) !== core;
      owner.set(lines[core], core);
      return waits;
    });
  };

  /** @type {Explorable["compute"]} */
  const compute = (n) => {
    const [first, second] = linesOf(n);
    return {
      first: first + 1, second: second + 1, waiting: waitsOf(n).filter(Boolean).length,
      case: Number(first !== second),
    };
  };

  /** @param {number} byte */
  const x = (byte) =>
    LEFT + Math.floor(byte / LINE) * (CELL * LINE / WORD + GAP) + Math.floor(byte % LINE / WORD) * CELL;

  /** @type {Explorable["draw"]} */
  const draw = (n) => {
    const places = [x(n.offset), x(n.offset + n.distance)];
    return [
      ...places.map((each) => ({ x: at(each) })),
      ...places.map((each) => ({ x: at(each + CELL / 2) })),
      ...waitsOf(n).flatMap((waits) => [{ class: waits ? "pn-x-waits" : "pn-x-owns" }, { text: waits ? "✕" : "✓" }]),
    ];
  };
  return { compute, draw };
})());
