// The small things that need a script on every page: the drawer and the language list for the
// keyboard, and tabs named in the address. Without it every page still reads and links.
"use strict";

// The drawer opens by a checkbox of Material's; a button clicks it and tells. The focus goes into
// what opened, and comes back when it closes.
const sidebar = document.querySelector(".md-sidebar--primary");
const button = document.querySelector("[data-pn-toggle]");
const drawer = document.getElementById(button.dataset.pnToggle);
button.addEventListener("click", () => drawer.click());
drawer.addEventListener("change", () => {
  button.setAttribute("aria-expanded", String(drawer.checked));
  if (drawer.checked) sidebar.querySelector("a").focus();
  else if (document.activeElement === document.body) button.focus();
});
sidebar.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !drawer.checked) return;
  drawer.click();
  button.focus();
});
document.addEventListener("focusin", (event) => {
  if (drawer.checked && !sidebar.contains(event.target)) drawer.click();
});

// The list of languages opens when it has the focus; Escape leaves it.
for (const select of document.querySelectorAll("[data-pn-select]")) {
  const opener = select.querySelector("button");
  const tell = () => opener.setAttribute("aria-expanded", String(select.matches(":focus-within")));
  tell();
  select.addEventListener("focusin", tell);
  select.addEventListener("focusout", () => requestAnimationFrame(tell));
  select.addEventListener("keydown", (event) => {
    if (event.key === "Escape") document.activeElement.blur();
  });
}

// What scrolls in itself can be reached and scrolled by the keyboard.
const SCROLLERS =
  ".pn-math, :is(p, li):has(> math, > span > math), .md-typeset pre > code, .md-typeset__scrollwrap";
const reachable = () => {
  for (const box of document.querySelectorAll(SCROLLERS)) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
addEventListener("load", reachable);
addEventListener("resize", reachable);

// Material makes the button that copies a code block a landmark of its own, without a name.
const article = document.querySelector("article");
const calm = () => {
  for (const nav of article.querySelectorAll("nav.md-code__nav:not([role])")) {
    nav.setAttribute("role", "presentation");
  }
};
new MutationObserver(calm).observe(article, { childList: true, subtree: true });

// A tab that the address names is opened.
const named = document.querySelector(`input[name^=__tabbed_][id="${CSS.escape(location.hash.slice(1))}"]`);
if (named) named.checked = true;
