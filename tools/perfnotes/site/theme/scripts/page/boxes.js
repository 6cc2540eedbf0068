// Wide tables, formulas and programs can be scrolled by the keyboard, and figures can be enlarged.
"use strict";
(() => {
  const { say, made, loadScript } = pnPage;
  const article = /** @type {HTMLElement} */ (document.querySelector("article"));

  // A table or picture that is wider than its place scrolls. It can be focused, so that the keyboard can scroll
  // it, and has a name: its own, or the number of the table and the heading above it. Tables of Markdown stand
  // in their box already; those of raw HTML do not.
  for (const table of article.querySelectorAll("table:not([class])")) {
    if (!table.parentElement?.matches(".pn-wide")) {
      const box = made("div", "pn-wide");
      table.before(box);
      box.append(table);
    }
    for (const head of table.querySelectorAll("thead th:empty")) head.replaceWith(made("td", ""));
  }
  const boxes = /** @type {HTMLElement[]} */ ([...article.querySelectorAll(".pn-wide, .pn-scroll")]);
  const names = new Map(boxes.map((box) => [box, box.getAttribute("aria-label")]));
  const nameless = boxes.filter((box) => !names.get(box));
  const headings = [...article.querySelectorAll("h1, h2, h3, h4")];
  /** @param {Element} box */
  const before = (box) =>
    headings.filter((each) => each.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING)
      .at(-1)?.firstChild?.textContent ?? "";
  // A ResizeObserver reports a box after a layout, so measuring the box there causes no further layout. A box
  // in a closed fold is reported when the fold opens.
  const measured = new ResizeObserver((changes) => {
    const wide = changes.map(({ target }) => target.scrollWidth > target.clientWidth);
    for (const [i, { target }] of changes.entries()) {
      const box = /** @type {HTMLElement} */ (target);
      if (wide[i]) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
      const name = names.get(box);
      if (name === undefined) continue;
      if (wide[i]) {
        const number = nameless.indexOf(box) + 1;
        // Two regions of one name could not be told apart in a list of regions.
        const alike = boxes.filter((other) => names.get(other) === name);
        const own = name && alike.length > 1 ? `${name} ${alike.indexOf(box) + 1}` : name;
        box.setAttribute("role", "region");
        box.setAttribute("aria-label", own || `${say("Table", "表")} ${number}${say(", ", "，")}${before(box)}`);
      } else for (const name of ["role", "aria-label"]) box.removeAttribute(name);
    }
  });
  const lines = ".pn-math, :is(p, li):has(> math, > span > math), pre > code";
  for (const box of [...boxes, ...article.querySelectorAll(lines)]) measured.observe(box);
  // Whether a box scrolls is not known as long as the browser has not laid it out, which the style sheets put
  // off until the box comes near. Until then the keyboard can focus all such boxes.
  const broad = matchMedia("(min-width: 76.25em)");
  const inside = ":is(pre > code, .pn-wide, .pn-scroll, .pn-math, li:has(> math, > span > math))";
  const late = `#lab--sources ~ .highlight code${broad.matches ? "" : `, article > h2 ~ :not(details) ${inside}`}`;
  for (const box of article.querySelectorAll(late)) box.setAttribute("tabindex", "0");

  // Each figure that is an image gets a button that shows it over the page. Plots, which are inline SVG, need
  // none: their words are large enough.
  /** @type {NodeListOf<HTMLImageElement>} */
  const figures = article.querySelectorAll("p > img, figure > img");
  for (const figure of figures) {
    const box = made("span", "pn-figure-box");
    const enlarge = made("button", "pn-enlarge", say("Enlarge", "放大"));
    const name = figure.alt;
    enlarge.setAttribute("aria-label", `${enlarge.textContent}${say(": ", "：")}${name}`);
    enlarge.setAttribute("aria-haspopup", "dialog");
    enlarge.addEventListener("click", () => loadScript("figure", true).then(() => pnPage.enlarge(figure, enlarge)));
    figure.before(box);
    box.append(figure, enlarge);
  }
})();
