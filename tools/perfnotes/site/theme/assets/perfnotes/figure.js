// Shows a figure over the whole window, as large as it fits. Its button, Escape or a click outside of
// the figure closes it.
"use strict";
pnPage.enlarge = (figure, opener) => {
  const { say, made } = pnPage;
  const box = made("dialog", "pn-large");
  const name = figure.alt;
  box.setAttribute("aria-label", name || say("Figure", "图"));
  const close = made("button", "pn-large-close", say("Close", "关闭"));
  close.autofocus = true;
  const copy = /** @type {HTMLImageElement} */ (figure.cloneNode(true));
  copy.removeAttribute("id");
  copy.removeAttribute("loading");
  const frame = made("div", "pn-large-frame");
  frame.append(copy);
  box.append(close, frame, made("p", "pn-large-name", name));
  close.addEventListener("click", () => box.close());
  box.addEventListener("click", (event) => {
    if (event.target === box || event.target === frame) box.close();
  });
  box.addEventListener("close", () => {
    box.remove();
    opener.focus();
  });
  document.querySelector("article")?.append(box);
  box.showModal();
};
