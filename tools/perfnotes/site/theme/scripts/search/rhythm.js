// Tells when a reader who types pauses: after a gap that is a little longer than those between the last keys.
export const LONGEST_PAUSE = 120; // ms, also at the start and after a rest
const SHORTEST_PAUSE = 60;

export class Rhythm {
  /** @type {number[]} */
  gaps = []; // ms between the last keys
  lastKey = 0;

  /**
   * Returns how many ms after the key that was pressed at `now` a pause begins.
   * @param {number} now ms
   */
  pause(now) {
    const gap = now - this.lastKey;
    this.gaps = gap < 2 * LONGEST_PAUSE ? [...this.gaps, gap].slice(-4) : [];
    this.lastKey = now;
    if (this.gaps.length < 2) return LONGEST_PAUSE;
    const longer = 1.03 * Math.max(...this.gaps) + 2;
    return Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, longer));
  }
}
