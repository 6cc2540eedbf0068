// If a reader comes from the search, a small card shows the other place of the page at which the answer may
// stand. If the page opens at a section, this is the note's answer; if it opens at the top, it is the
// beginning of the section with most of the query. The card lies in the margin, or without a margin at the
// bottom of the window, over the page, so nothing moves. Only visits from the search load this script.
import { takeVisit } from "../search/visit.js";
import { ofSection, ofTop } from "./excerpt.js";

const LEAST = 160; // px: the least height for a card in the margin
const GAP = 12;
const { say, made } = pnPage;
const broad = matchMedia("(min-width: 76.25em)");

/** @param {string} fragment */
function placeAt(fragment) {
  try {
    return document.getElementById(decodeURIComponent(fragment));
  } catch {
    return null; // the address has a stray %
  }
}

/**
 * Makes the card of a place.
 * @param {HTMLElement} heading
 * @param {Element[]} parts
 * @param {boolean} isTop
 */
function cardOf(heading, parts, isTop) {
  const card = made("aside", "pn-other");
  const words = /** @type {HTMLElement} */ (heading.cloneNode(true));
  words.querySelector(".pn-anchor")?.remove();
  const label = made("p", "pn-other-label", isTop ? say("This note in short", "本文要点") : say("Also on this page", "本页另一处"));
  const link = made("a", "pn-other-link", isTop ? say("To the top of the note", "到本文开头") : words.textContent?.trim());
  link.href = `#${encodeURIComponent(heading.id)}`;
  const text = made("div", "pn-other-text");
  text.append(...parts);
  const close = made("button", "pn-other-close", "×");
  close.setAttribute("aria-label", say("Close", "关闭"));
  card.setAttribute("aria-label", label.textContent ?? "");
  if (isTop) card.append(label, close, text, link);
  else card.append(label, close, link, text);
  return { card, text, close };
}

/**
 * Keeps a card in the margin above what is wider than the text; without room there, it goes to the bottom
 * of the window.
 * @param {HTMLElement} card
 * @param {HTMLElement} article
 */
function place(card, article) {
  card.classList.remove("pn-other-low");
  card.style.maxHeight = "";
  if (!broad.matches) return;
  const { top, left } = card.getBoundingClientRect();
  const wide = [...article.children].map((each) => ({ each, box: each.getBoundingClientRect() }))
    .filter(({ each, box }) => each !== card && !each.matches("h1, .pn-title, .pn-margin") && box.height && box.right > left && box.bottom > top + GAP)
    .map(({ box }) => box.top);
  const room = Math.min(innerHeight - Math.max(top, 0), ...wide.map((at) => at - top)) - GAP;
  if (room < LEAST) card.classList.add("pn-other-low");
  else card.style.maxHeight = `${room}px`;
}

/** @param {import("../search/visit.js").Visit} visit */
function show({ other, query }) {
  const article = /** @type {HTMLElement} */ (document.querySelector("article"));
  const title = article.querySelector("h1");
  const heading = other ? placeAt(other) : title;
  const opened = placeAt(location.hash.slice(1));
  const parts = heading && (other ? ofSection(heading) : ofTop(article, query));
  if (!heading || !parts?.length) return;
  const { card, text, close } = cardOf(heading, parts, !other);
  const remove = () => {
    removeEventListener("scroll", passed);
    broad.removeEventListener("change", settle);
    card.remove();
  };
  // After the card is closed, the Tab key goes on from the place at which the page opened.
  const leave = () => {
    const start = opened ?? title;
    remove();
    start?.setAttribute("tabindex", "-1");
    start?.focus({ preventScroll: true });
  };
  // At the bottom of the window, the card would cover the text while the reader scrolls on. The distance is that
  // from the place at which the page opens, since the browser may scroll to this place after the card is made.
  const passed = () => {
    const isLow = !broad.matches || card.matches(".pn-other-low");
    const away = (opened ?? title ?? article).getBoundingClientRect().top;
    if (isLow && Math.abs(away) > innerHeight && !card.contains(document.activeElement)) remove();
  };
  const settle = () => {
    place(card, article);
    const scrolls = text.scrollHeight > text.clientHeight;
    if (scrolls) text.tabIndex = 0;
    else text.removeAttribute("tabindex");
  };
  close.addEventListener("click", leave);
  card.addEventListener("click", ({ target }) => /** @type {Element} */ (target).closest("a") && setTimeout(remove));
  card.addEventListener("keydown", ({ key }) => key === "Escape" && leave());
  broad.addEventListener("change", settle);
  addEventListener("scroll", passed, { passive: true });
  if (opened && article.contains(opened)) opened.after(card);
  else article.prepend(card);
  settle();
}

pnPage.showOther = () => {
  const visit = takeVisit(location.pathname);
  if (visit) show(visit);
};
