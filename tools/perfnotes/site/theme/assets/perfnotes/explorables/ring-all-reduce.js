// An all-reduce in a ring, step by step: the chunks of every rank, and how many ranks are summed.
"use strict";

pnPage.explore("ring-all-reduce", (() => {
  const { at } = pnPage;
  const MOST = 8;
  const [LEFT, TOP, WIDE, HIGH, GAP] = [60, 24, 296, 176, 1];
  const places = Array.from({ length: MOST }, (_, place) => place);

  // The chunk that a rank receives in a step, which counts from 1.
  /** @type {(ranks: number, step: number, rank: number) => number} */
  const received = (ranks, step, rank) => {
    const half = ranks - 1;
    const chunk = step <= half ? rank - step : rank - (step - half) + 1;
    return ((chunk % ranks) + ranks) % ranks;
  };

  // For each rank and chunk, of how many ranks the values are summed in it after step `now`.
  /** @type {(ranks: number, now: number) => number[][]} */
  const summedAfter = (ranks, now) => {
    const summed = places.map(() => Array(MOST).fill(1));
    for (let step = 1; step <= now; step++) {
      for (let rank = 0; rank < ranks; rank++) {
        summed[rank][received(ranks, step, rank)] = Math.min(step + 1, ranks);
      }
    }
    return summed;
  };

  /** @type {Explorable["compute"]} */
  const compute = ({ ranks, step }) => {
    const steps = 2 * (ranks - 1);
    const now = Math.min(step, steps);
    const phase = now <= steps / 2 ? 1 : 2;
    return {
      now,
      steps,
      sent: now / ranks,
      whole: steps / ranks,
      case: now === 0 ? 0 : now === steps ? 3 : phase,
    };
  };

  /** @type {Explorable["draw"]} */
  const draw = ({ ranks, now }) => {
    const [wide, high] = [WIDE / ranks, HIGH / ranks];
    const summed = summedAfter(ranks, now);
    const cell = (/** @type {number} */ rank, /** @type {number} */ chunk) => {
      if (rank >= ranks || chunk >= ranks) return [{ class: "pn-x-none" }, { class: "pn-x-none" }];
      const [x, y] = [at(LEFT + wide * chunk), at(TOP + high * rank)];
      const [width, height] = [at(wide - GAP), at(high - GAP)];
      const full = at(height * summed[rank][chunk] / ranks);
      const isNew = now > 0 && received(ranks, now, rank) === chunk;
      const kind = isNew ? "pn-x-hot" : summed[rank][chunk] === ranks ? "pn-x-good" : "pn-x-first";
      return [
        { class: "pn-x-cell", x, y, width, height },
        { class: kind, x, y: at(y + height - full), width, height: full },
      ];
    };
    return [
      ...places.map((rank) => rank < ranks
        ? { y: at(TOP + high * (rank + 0.5) + 4), text: String(rank) }
        : { y: 0, text: "" }),
      ...places.flatMap((rank) => places.flatMap((chunk) => cell(rank, chunk))),
    ];
  };
  return { compute, draw };
})());
