// Writes numbers as the page does: whole ones in full, others with four significant digits. Calculators
// and things to try use it.
"use strict";

(() => {
  const GAP = "\u00a0";
  /** @param {number} n */
  const raised = (n) => String(n).replace(/[-\d]/g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
  /** @param {string} text */
  const parted = (text) => text.replace(/\d(?=(?:\d{3})+(?!\d))(?<!\.\d*)/g, "$&,");

  /** @type {PageTools["figure"]} */
  pnPage.figure = (given, significant = 4) => {
    const value = Number(given.toPrecision(15));
    const size = Math.abs(value);
    if (Number.isInteger(value) && size < 1e15) {
      return size >= 10000 ? parted(String(value)) : String(value || 0);
    }
    // The rounded number tells how many decimals there are: 99.996 becomes 100.0.
    const exponent = Number(size.toExponential(significant - 1).split("e")[1]);
    if (exponent < -4 || exponent >= 15) {
      return `${value.toExponential(significant - 1).split("e")[0]}${GAP}×${GAP}10${raised(exponent)}`;
    }
    const text = value.toFixed(Math.max(0, significant - 1 - exponent));
    return Math.abs(Number(text)) >= 10000 ? parted(text) : text; // 9999.5 becomes 10,000
  };

  /** @type {PageTools["withUnit"]} */
  pnPage.withUnit = (text, unit) => (unit && unit !== "×" ? `${text}${GAP}${unit}` : `${text}${unit}`);
})();
