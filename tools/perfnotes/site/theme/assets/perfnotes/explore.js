// Things to try: sliders and choices that change a picture and the sentence below it. Each thing has a
// script of its own in explorables/, which computes and draws; this script does what all have in common.
"use strict";

(() => {
  const { figure, withUnit, made } = pnPage;
  const AFTER = 600; // milliseconds without a change until the sentence is read aloud
  const WIDTH = 360;
  const DIGITS = 3;

  /** @param {number} value */
  const at = (value) => Math.round(value * 10) / 10;
  Object.assign(pnPage, {
    at,
    /** @param {[number, number][]} points */
    path: (points) => `M${points.map(([x, y]) => `${at(x)} ${at(y)}`).join("L")}`,
    /** @type {ExploreTools["logPlace"]} */
    logPlace: (value, low, high, start, end) =>
      start + (Math.log2(value / low) / Math.log2(high / low)) * (end - start),
  });

  /** @type {(value: number, unit?: string) => string} */
  const amount = (value, unit = "") =>
    unit === "KiB" && value >= 1024 ? amount(value / 1024, "MiB") : withUnit(figure(value, DIGITS), unit);

  /** @type {(control: ControlData, position: number) => number} */
  const valueOf = ({ step, doubling }, position) => step * (doubling ? 2 ** position : position);

  /** @type {(box: HTMLElement, thing: Explorable) => void} */
  function start(box, thing) {
    /** @type {ExplorableData} */
    const { name, constants, controls, says, drag } = JSON.parse(box.dataset.explore ?? "");
    const positions = controls.map((control) => control.start);
    const picture = /** @type {SVGElement} */ (box.querySelector("svg"));
    const moving = picture.lastElementChild?.children ?? [];
    const said = /** @type {HTMLElement} */ (box.querySelector(".pn-explore-said"));
    const status = made("p", "pn-explore-status");
    status.setAttribute("role", "status");
    box.append(status);
    // For each slider a function that shows its position and value.
    /** @type {(() => void)[]} */
    const shown = [];
    let waiting = 0;

    const numbers = (/** @type {number[]} */ at) => {
      const n = { ...constants };
      controls.forEach((control, i) => (n[control.id] = valueOf(control, at[i])));
      return Object.assign(n, thing.compute(n));
    };
    const update = () => {
      const n = numbers(positions);
      thing.draw(n).forEach((attributes, i) => {
        for (const [key, value] of Object.entries(attributes)) {
          if (key === "text") moving[i].textContent = String(value);
          else moving[i].setAttribute(key, String(value));
        }
      });
      for (const show of shown) show();
      said.textContent = (says[n.case] ?? says[0]).replace(/\{([\w-]+)\}/g, (_, id) =>
        amount(n[id], controls.find((control) => control.id === id)?.unit));
      clearTimeout(waiting);
      waiting = setTimeout(() => (status.textContent = said.textContent), AFTER);
    };
    /** @type {(i: number, position: number) => void} */
    const move = (i, position) => {
      if (positions[i] === position) return;
      positions[i] = position;
      update();
    };

    box.querySelectorAll(".pn-explore-slider, .pn-explore-choice").forEach((row, i) => {
      const { least, most, unit } = controls[i];
      const words = /** @type {HTMLElement} */ (row.firstElementChild);
      const id = `explore-${name}-${i}`;
      if (row.matches(".pn-explore-choice")) {
        row.setAttribute("role", "radiogroup");
        words.id = id;
        row.setAttribute("aria-labelledby", id);
        row.querySelectorAll("li").forEach((item, position) => {
          const choice = Object.assign(document.createElement("input"), {
            type: "radio", name: id, checked: position === positions[i],
          });
          choice.addEventListener("change", () => move(i, position));
          const label = document.createElement("label");
          label.append(choice, item.textContent ?? "");
          item.replaceChildren(label);
        });
        return;
      }
      const slider = Object.assign(document.createElement("input"), {
        type: "range", id, min: String(least), max: String(most), value: String(positions[i]),
      });
      const label = document.createElement("label");
      label.htmlFor = id;
      label.append(...words.childNodes);
      words.append(label);
      row.append(slider);
      slider.addEventListener("input", () => move(i, slider.valueAsNumber));
      shown.push(() => {
        const text = amount(valueOf(controls[i], positions[i]), unit);
        slider.value = String(positions[i]);
        slider.setAttribute("aria-valuetext", text);
        const value = row.querySelector("b");
        if (value) value.textContent = text;
      });
    });
    for (const show of shown) show();

    // The first control follows the pointer: it takes the position at which the last moving element is
    // nearest.
    if (!drag) return;
    const { least, most } = controls[0];
    /** @param {PointerEvent} event */
    const follow = (event) => {
      const { left, width } = picture.getBoundingClientRect();
      const x = ((event.clientX - left) / width) * WIDTH;
      const away = (/** @type {number} */ position) =>
        Math.abs(Number(thing.draw(numbers(positions.with(0, position))).at(-1)?.cx) - x);
      let nearest = least;
      for (let each = least; each <= most; each++) if (away(each) < away(nearest)) nearest = each;
      move(0, nearest);
    };
    picture.classList.add("pn-explore-drag");
    picture.addEventListener("pointerdown", (event) => {
      picture.setPointerCapture(event.pointerId);
      follow(event);
    });
    picture.addEventListener("pointermove", (event) => {
      if (picture.hasPointerCapture(event.pointerId)) follow(event);
    });
  }

  pnPage.explore = (name, thing) => {
    const box = document.getElementById(`explore-${name}`);
    if (box) start(box, thing);
  };
})();
