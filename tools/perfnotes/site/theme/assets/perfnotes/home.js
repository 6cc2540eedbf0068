// The field on the home page opens the search, as the button in the header does.
"use strict";

for (const field of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pn-find a"))) {
  const button = /** @type {HTMLElement | null} */ (document.querySelector("[data-pn-search]"));
  /** @param {MouseEvent} event */
  const open = (event) => {
    if (!button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    button.click();
  };
  field.addEventListener("click", open);
  field.addEventListener("pointerenter", () => button?.dispatchEvent(new Event("pointerenter")), { once: true });
  field.addEventListener("focus", () => button?.dispatchEvent(new Event("focus")), { once: true });
}
