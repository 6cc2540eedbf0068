// The parts of the picture that marks and names occupy.
const BAND = 16; // px; a box is kept with each band that it touches, so that few boxes are compared

/** @typedef {[left: number, top: number, right: number, bottom: number]} Box */

export class Occupied {
  /** @type {Map<number, Box[]>} */
  #bands = new Map();

  /** @param {Box} box */
  take(box) {
    for (let band = Math.floor(box[1] / BAND); band * BAND < box[3]; band++) {
      const boxes = this.#bands.get(band);
      if (boxes) boxes.push(box);
      else this.#bands.set(band, [box]);
    }
  }
  /**
   * Returns how far a horizontal strip from x to the right (`way` 1) or to the left (-1) is free.
   * @type {(x: number, top: number, bottom: number, way: 1 | -1) => number}
   */
  end(x, top, bottom, way) {
    let end = way * Infinity;
    for (let band = Math.floor(top / BAND); band * BAND < bottom; band++) {
      for (const [left, above, right, below] of this.#bands.get(band) ?? []) {
        if (above >= bottom || below <= top) continue;
        if (way > 0 && right > x) end = Math.min(end, Math.max(left, x));
        if (way < 0 && left < x) end = Math.max(end, Math.min(right, x));
      }
    }
    return end;
  }
}
