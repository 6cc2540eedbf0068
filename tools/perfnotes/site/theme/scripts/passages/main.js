// If a reader comes from the search, a small card shows the parts of the page that say most of the query and
// are not on the first screen. The card lies in the margin, or without a margin at the bottom of the window, over
// the page, so nothing moves. Only visits from the search load this script.
import { takeVisit } from "../search/visit.js";
import { elementsOf } from "./excerpt.js";
import { bestExcerpts, passagesOf, wordsOf } from "./passages.js";

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
 * Makes the card of some excerpts.
 * @param {import("./passages.js").Passage[][]} excerpts
 * @param {HTMLElement} title of the note
 */
function cardOf(excerpts, title) {
  const card = made("aside", "pn-passages");
  const label = made("p", "pn-passages-label", say("Also on this page", "本页另一处"));
  const close = made("button", "pn-passages-close", "×");
  close.setAttribute("aria-label", say("Close", "关闭"));
  const text = made("div", "pn-passages-text");
  for (const passages of excerpts) {
    const { heading } = passages[0], place = heading ?? title;
    const words = heading ? wordsOf(place) : say("At the top of the note", "本文开头");
    const link = made("a", "pn-passages-link", words);
    link.href = `#${encodeURIComponent(place.id)}`;
    text.append(link, ...elementsOf(passages));
  }
  card.setAttribute("aria-label", label.textContent ?? "");
  card.append(label, close, text);
  return { card, text, close };
}

/**
 * Keeps a card in the margin above what is wider than the text; without room there, it goes to the bottom
 * of the window.
 * @param {HTMLElement} card
 * @param {HTMLElement} article
 */
function place(card, article) {
  card.classList.remove("pn-passages-low");
  card.style.maxHeight = "";
  if (!broad.matches) return;
  const { top, left } = card.getBoundingClientRect();
  const wide = [...article.children].map((each) => ({ each, box: each.getBoundingClientRect() }))
    .filter(({ each, box }) => each !== card && !each.matches("h1, .pn-title, .pn-margin") && box.height && box.right > left && box.bottom > top + GAP)
    .map(({ box }) => box.top);
  const room = Math.min(innerHeight - Math.max(top, 0), ...wide.map((at) => at - top)) - GAP;
  if (room < LEAST) card.classList.add("pn-passages-low");
  else card.style.maxHeight = `${room}px`;
}

/**
 * Returns the heading of the section that the page opens at; null for the top of the note.
 * @param {HTMLElement | null} opened
 * @param {HTMLElement} title
 */
const sectionOf = (opened, title) => (opened && opened !== title && opened.matches("h2, h3, h4, h5, h6") ? opened : null);

/** @param {string} query */
function show(query) {
  const article = /** @type {HTMLElement} */ (document.querySelector("article"));
  const title = /** @type {HTMLElement | null} */ (article.querySelector("h1"));
  if (!title) return;
  const opened = placeAt(location.hash.slice(1));
  const excerpts = bestExcerpts(query, [...passagesOf(article)], sectionOf(opened, title));
  if (!excerpts.length) return;
  const { card, text, close } = cardOf(excerpts, title);
  const remove = () => {
    removeEventListener("scroll", passed);
    broad.removeEventListener("change", settle);
    card.remove();
  };
  // After the card is closed, the Tab key goes on from the place at which the page opened.
  const leave = () => {
    const start = opened ?? title;
    remove();
    start.setAttribute("tabindex", "-1");
    start.focus({ preventScroll: true });
  };
  // At the bottom of the window, the card would cover the text while the reader scrolls on. The distance is that
  // from the place at which the page opens, since the browser may scroll to this place after the card is made.
  const passed = () => {
    const isLow = !broad.matches || card.matches(".pn-passages-low");
    const away = (opened ?? title).getBoundingClientRect().top;
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

pnPage.showPassages = () => {
  const visit = takeVisit(location.pathname);
  if (visit) show(visit.query);
};
