// The addresses of a warp, as sectors of global memory and as banks of shared memory.
"use strict";

pnPage.explore("warp-addresses", (() => {
  const { at } = pnPage;
  const [LANES, BANKS, WORD, SECTOR] = [32, 32, 4, 32];
  const [CELLS, HIGH, BOTTOM, STEP] = [20, 26, 172, 3];

  // The different words that some lanes want, in their order.
  /** @param {Numbers} n @param {number} first @param {number} end */
  const wordsOf = ({ type, stride, offset }, first, end) => {
    const each = 2 ** type;
    const words = new Set();
    for (let lane = first; lane < end; lane++) {
      for (let word = 0; word < each; word++) words.add(each * (offset + stride * lane) + word);
    }
    return [...words].sort((a, b) => a - b);
  };

  // For each sector that is touched, how many of its bytes are asked for.
  /** @param {Numbers} n */
  const usedOf = (n) => {
    const used = new Map();
    for (const word of wordsOf(n, 0, LANES)) {
      const sector = Math.floor(word * WORD / SECTOR);
      used.set(sector, (used.get(sector) ?? 0) + WORD);
    }
    return [...used.values()];
  };

  // For each part of the warp that is served together, the words wanted of each bank.
  /** @param {Numbers} n */
  const partsOf = (n) => {
    const together = LANES / 2 ** n.type;
    return Array.from({ length: LANES / together }, (_, part) => {
      const counts = Array(BANKS).fill(0);
      for (const word of wordsOf(n, part * together, (part + 1) * together)) counts[word % BANKS]++;
      return counts;
    });
  };

  /** @type {Explorable["compute"]} */
  const compute = (n) => {
    const [used, parts] = [usedOf(n), partsOf(n)];
    const passes = parts.reduce((sum, counts) => sum + Math.max(...counts), 0);
    return {
      passes,
      size: WORD * 2 ** n.type,
      sectors: used.length,
      used: used.reduce((sum, each) => sum + each, 0),
      touched: SECTOR * used.length,
      least: parts.length,
      case: Number(passes > parts.length),
    };
  };

  /** @type {Explorable["draw"]} */
  const draw = (n) => {
    const [used, parts] = [usedOf(n), partsOf(n)];
    return [
      ...Array.from({ length: LANES }, (_, place) => {
        const height = at(HIGH * (used[place] ?? 0) / SECTOR);
        const [cell, fill] = used[place] ? ["pn-x-cell", "pn-x-first"] : ["pn-x-none", "pn-x-none"];
        return [{ class: cell }, { class: fill, y: at(CELLS + HIGH - height), height }];
      }).flat(),
      ...Array.from({ length: BANKS }, (_, bank) => {
        const count = parts.reduce((sum, counts) => sum + counts[bank], 0);
        const over = parts.some((counts) => counts[bank] > 1);
        return {
          class: !count ? "pn-x-none" : over ? "pn-x-hot" : "pn-x-good",
          y: BOTTOM - STEP * count,
          height: STEP * count,
        };
      }),
    ];
  };
  return { compute, draw };
})());
