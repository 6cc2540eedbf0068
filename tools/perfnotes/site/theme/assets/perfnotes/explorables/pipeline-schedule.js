// A step of a pipeline: what every stage does when, in the order of GPipe or of 1F1B.
"use strict";

pnPage.explore("pipeline-schedule", (() => {
  const [STAGES, FORWARD, BACKWARD] = [6, 1, 2];
  const [LEFT, TOP, WIDE, ROW, TALL] = [40, 24, 288, 22, 16];
  /** @typedef {[part: number, start: number, takes: number]} Action */

  // The most micro-batches whose activations a stage keeps at once.
  /** @type {(n: Numbers, stage: number) => number} */
  const held = ({ stages, micro, schedule }, stage) =>
    schedule ? Math.min(micro, stages - stage) : micro;

  // The slots that each pass of a stage takes, in the order of the schedule: FORWARD or BACKWARD.
  /** @type {(n: Numbers, stage: number) => number[]} */
  const passesInOrder = (n, stage) => {
    const ahead = held(n, stage);
    const steady = Array(n.micro - ahead).fill([BACKWARD, FORWARD]).flat();
    return [...Array(ahead).fill(FORWARD), ...steady, ...Array(ahead).fill(BACKWARD)];
  };

  // The passes of each stage. A forward pass waits for the stage before, a backward pass for the one after.
  /** @type {(n: Numbers) => Action[][]} */
  const timeline = (n) => {
    const orders = Array.from({ length: n.stages }, (_, stage) => passesInOrder(n, stage));
    /** @type {Action[][]} */
    const rows = orders.map(() => []);
    /** @type {Record<string, number>} */
    const ends = {};
    while (rows.some((row, stage) => row.length < orders[stage].length)) {
      rows.forEach((row, stage) => {
        const takes = orders[stage][row.length];
        if (!takes) return;
        const part = row.filter((done) => done[2] === takes).length;
        const needed = takes === FORWARD ? stage - 1 : stage + 1;
        const ready = rows[needed] ? ends[`${needed} ${takes} ${part}`] : 0;
        if (ready === undefined) return;
        const last = row.at(-1);
        const start = Math.max(ready, last ? last[1] + last[2] : 0);
        ends[`${stage} ${takes} ${part}`] = start + takes;
        row.push([part, start, takes]);
      });
    }
    return rows;
  };

  /** @type {Explorable["compute"]} */
  const compute = (n) => {
    const slots = (FORWARD + BACKWARD) * (n.micro + n.stages - 1);
    const idle = (FORWARD + BACKWARD) * (n.stages - 1);
    return {
      slots,
      idle,
      share: 100 * idle / slots,
      held: held(n, 0),
      last: held(n, n.stages - 1),
      case: n.schedule,
    };
  };

  /** @type {Explorable["draw"]} */
  const draw = (n) => {
    const rows = timeline(n);
    const x = (/** @type {number} */ slot) => Math.round(LEFT + WIDE * slot / n.slots);
    const boxes = (/** @type {number} */ stage, /** @type {number} */ wanted) =>
      rows[stage].filter(([, , takes]) => takes === wanted).map(([, start, takes]) => {
        const wide = x(start + takes) - x(start) - 1;
        return `M${x(start)} ${TOP + ROW * stage}h${wide}v${TALL}h${-wide}z`;
      }).join("");
    return Array.from({ length: STAGES }, (_, stage) =>
      stage < n.stages
        ? [
          { text: String(stage) },
          { d: boxes(stage, FORWARD) },
          { d: boxes(stage, BACKWARD) },
          { text: String(held(n, stage)) },
        ]
        : [{ text: "" }, { d: "M0 0" }, { d: "M0 0" }, { text: "" }]).flat();
  };
  return { compute, draw };
})());
