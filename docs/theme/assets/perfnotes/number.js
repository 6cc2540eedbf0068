// A card over a bound number: what it is and where it comes from, made of its row in the list at the
// page's end. It opens on hover, focus and tap; Escape closes it; without this script the number is
// a link to the same.
"use strict";

const HOVER = 150; // ms until a card opens, so that a passing pointer opens none
const LINGER = 280; // ms in which the pointer may go from the number to the card
const EDGE = 8; // px between the card and the window

const chinese = document.documentElement.lang.startsWith("zh");
let card = null;
let owner = null;
let timer = 0;
let pointer = "mouse";
let silent = false; // while Escape gives the focus back

const numberAt = (node) => node instanceof Element && node.closest("a.pn-n[data-n]");
const rowOf = (link) => document.getElementById(`pn-n${link.dataset.n}`);

function part(name, from) {
  const element = document.createElement("div");
  element.className = name;
  for (const node of from.childNodes) element.append(node.cloneNode(true));
  return element;
}

function made(row) {
  const box = document.createElement("div");
  box.className = "pn-card";
  box.id = "__pn_card";
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-label", chinese ? "这个数字的来历" : "Where this number comes from");
  const what = part("pn-card-what", row.cells[1]);
  what.id = "__pn_card_what";
  box.append(part("pn-card-number", row.cells[0]), what, part("pn-card-how", row.cells[2]));
  const set = row.closest(".pn-measured");
  if (set) box.append(part("pn-card-origin", set.querySelector(".pn-origin")));
  return box;
}

function place() {
  if (!card) return;
  const at = owner.getClientRects()[0];
  if (!at) return close();
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const size = card.getBoundingClientRect();
  const below = at.bottom + 6;
  const above = at.top - size.height - 6;
  const wanted = below + size.height + EDGE <= height || above < EDGE ? below : above;
  const top = Math.max(EDGE, Math.min(wanted, height - size.height - EDGE));
  const left = Math.max(EDGE, Math.min(at.left - 12, width - size.width - EDGE));
  card.style.top = `${top}px`;
  card.style.left = `${left}px`;
}

function open(link) {
  clearTimeout(timer);
  const row = rowOf(link);
  if (!row || owner === link) return;
  close();
  owner = link;
  card = made(row);
  link.after(card); // the next stop of the keyboard is inside of it
  link.setAttribute("aria-expanded", "true");
  link.setAttribute("aria-describedby", "__pn_card_what");
  if (card.showPopover) {
    card.popover = "manual";
    card.showPopover();
  }
  place();
}

function close() {
  clearTimeout(timer);
  if (!card) return;
  owner.setAttribute("aria-expanded", "false");
  owner.removeAttribute("aria-describedby");
  card.remove();
  card = owner = null;
}

const inside = (node) => node instanceof Node && card && (card.contains(node) || owner.contains(node));

for (const link of document.querySelectorAll("a.pn-n[data-n]")) {
  if (!rowOf(link)) continue;
  link.setAttribute("aria-haspopup", "dialog");
  link.setAttribute("aria-expanded", "false");
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch") return;
  if (inside(event.target)) return clearTimeout(timer);
  const link = numberAt(event.target);
  if (!link) return;
  clearTimeout(timer);
  timer = setTimeout(open, HOVER, link);
});
document.addEventListener("pointerout", (event) => {
  if (event.pointerType === "touch" || inside(event.relatedTarget)) return;
  if (!inside(event.target) && !numberAt(event.target)) return;
  clearTimeout(timer);
  const kept = card && inside(document.activeElement) && document.activeElement.matches(":focus-visible");
  if (!kept) timer = setTimeout(close, LINGER);
});
document.addEventListener("focusin", (event) => {
  if (silent || inside(event.target)) return;
  const link = numberAt(event.target);
  if (link && link.matches(":focus-visible")) open(link);
  else if (card) close();
});
document.addEventListener("pointerdown", (event) => {
  pointer = event.pointerType;
});
document.addEventListener("click", (event) => {
  const link = numberAt(event.target);
  if (link && pointer === "touch" && owner !== link && rowOf(link)) {
    event.preventDefault(); // the first tap shows the card, which links to the same
    open(link);
  } else if (card && !inside(event.target)) close();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !card) return;
  const back = card.contains(document.activeElement) ? owner : null;
  close();
  silent = true;
  back?.focus();
  silent = false;
});
addEventListener("scroll", place, { passive: true, capture: true });
addEventListener("resize", place);
