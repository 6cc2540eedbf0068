// Cards over links: a bound number says where it comes from (its row in the list at the page's end),
// a citation what it cites (its line among the references), a term what it means, and a link to
// another page the title and description of that page. Cards open on hover, focus and tap, stay while
// the pointer is on them, and Escape closes them. Without this script, the links lead to the same
// information.
//
// A number is one stop of the Tab key, whatever its card holds: a table may have dozens of them. Enter goes
// into the card, whose first link leads where the number does; Escape leaves it.
"use strict";
(() => {
  const { say, made, copier } = pnPage;
  const HOVER = 150; // ms until a card opens, so that a passing pointer opens none
  const PREVIEW = 350; // ms until the page behind a link is asked for
  const LINGER = 280; // ms in which the pointer may go from the link to the card
  const EDGE = 8; // px between the card and the window
  const GAP = 6; // px between the card and its number
  const LEAST = 160; // px of height below which a card covers its number rather than shrinks
  const FIELD = 300; // characters that fill a field of a report: browsers and hosts limit the length of its address

  /** @type {HTMLElement | null} */
  let card = null;
  /** @type {HTMLAnchorElement | null} */
  let owner = null; // the link that the card belongs to
  let timer = 0;
  let entered = false; // true once the focus was in the card, whose links are stops of the Tab key since
  let silent = false; // true while Escape gives the focus back, which must not open a card
  /** @type {Map<string, Promise<Document | null>>} */
  const pages = new Map(); // by address

  /** @type {NodeListOf<HTMLAnchorElement>} */
  const titled = document.querySelectorAll("article a:is(.pn-cite, .pn-term)[title]");
  for (const link of titled) {
    link.dataset.tip = link.title; // otherwise the browser shows the title over the card
    link.removeAttribute("title");
  }

  // Makes a part of a card: an element of this class with a copy of what `from` contains.
  /** @type {(name: string, from: Element | null) => HTMLElement} */
  const part = (name, from) => {
    const element = made("div", name);
    for (const node of from?.childNodes ?? []) element.append(node.cloneNode(true));
    return element;
  };
  /** @type {(name: string, ...parts: HTMLElement[]) => HTMLElement} */
  const dialog = (name, ...parts) => {
    const box = made("div", "pn-card");
    box.setAttribute("role", "dialog");
    box.setAttribute("aria-label", name);
    box.append(...parts);
    return box;
  };
  /** @param {HTMLElement[]} parts */
  const tooltip = (...parts) => {
    const box = made("div", "pn-card pn-preview");
    box.setAttribute("role", "tooltip");
    box.append(...parts);
    return box;
  };

  // The list's link for reporting a number, with its form filled in from this row.
  /** @type {(number: string, row: HTMLElement) => HTMLElement[]} */
  function report(number, row) {
    /** @type {HTMLAnchorElement | null} */
    const form = document.querySelector("a.pn-report");
    if (!form) return [];
    const binding = row.dataset.of;
    const recorded = row.querySelector(".pn-value")?.textContent;
    const machine = /** @type {HTMLElement | null} */ (row.closest(".pn-set"))?.dataset.machine;
    const said = { title: `${number} (${binding})`, number, binding, recorded, machine };
    const url = new URL(form.href);
    for (const [name, text] of Object.entries(said)) {
      if (text) url.searchParams.set(name, text.slice(0, FIELD));
    }
    const own = made("a", "", say("Report this number", "报告这个数字"));
    own.href = url.href;
    const line = made("div", "pn-card-report");
    line.append(own);
    return [line];
  }

  // The number as the text shows it, what it means, how it came to be, its spread, and what applies to
  // all numbers of that lab: the machine, the command, the versions.
  /** @param {HTMLAnchorElement} link */
  function ofNumber(link) {
    const row = /** @type {HTMLTableRowElement | null} */ (document.getElementById(`pn-n${link.dataset.n}`));
    if (!row) return null;
    const number = part("pn-card-number", row.cells[0]);
    /** @type {HTMLElement} */ (number.querySelector("a")).textContent = link.textContent;
    const how = part("pn-card-how", row.cells[2]);
    const dots = how.querySelector(".pn-dots");
    const mean = dots?.matches(".pn-dots-mean");
    dots?.after(made("div", "pn-card-key", dots.matches(".pn-dots-made")
      ? say("A dot is one of these values; equal ones lie on each other. The line marks the number shown.",
        "每个点是其中一个数值，相同的点重叠；竖线标出所示的数字。")
      : say(`A dot is a measurement; equal ones lie on each other. The line marks the ${mean ? "mean" : "median"}.`,
        `每个点是一次测量，相同的点重叠；竖线标出${mean ? "平均值" : "中位数"}。`)));
    const parts = [number, part("pn-card-what", row.cells[1]), how];
    const set = row.closest(".pn-measured");
    if (set) {
      const origin = part("pn-card-origin", set.querySelector(".pn-origin"));
      const again = origin.querySelector(".pn-again");
      again?.append(" ", copier("pn-card-copy", again.querySelector("code")?.textContent ?? ""));
      origin.querySelector(".pn-versions")?.addEventListener("toggle", place);
      parts.push(origin);
    }
    parts.push(...report(link.textContent ?? "", row));
    return dialog(say("Where this number comes from", "这个数字的来历"), ...parts);
  }

  /** @param {HTMLAnchorElement} link */
  function ofCitation(link) {
    /** @type {NodeListOf<HTMLAnchorElement>} */
    const references = document.querySelectorAll(".pn-references > li a.pn-ref");
    const reference = [...references].find((each) => each.href === link.href);
    const line = reference?.closest(".pn-references > li");
    if (!reference || !line) return null;
    const what = made("div", "pn-card-what pn-card-cited");
    what.append(reference.cloneNode(true));
    const parts = [what];
    const at = pnPage.locator(link);
    if (at) parts.unshift(made("div", "pn-card-at", at));
    const where = made("div", "pn-card-origin");
    where.append(...[...line.querySelectorAll(".pn-out, .pn-cited-in")].flatMap((each) => [each.cloneNode(true), " "]));
    if (where.childElementCount) parts.push(where);
    return dialog(say("What is cited here", "此处引用的文献"), ...parts);
  }

  /** @param {HTMLAnchorElement} link */
  function ofTerm(link) {
    const tip = link.dataset.tip ?? "";
    const [, name, about] = /^(.*?)(?:: |：)(.*)$/s.exec(tip) ?? ["", tip, ""];
    const [own, other] = name.split(" · ");
    const what = made("div", "pn-card-what", own);
    if (other) {
      const foreign = made("span", "", other);
      foreign.lang = say("zh", "en");
      what.append(" · ", foreign);
    }
    return tooltip(what, made("div", "", about));
  }

  // The title, level and description of the page that a link leads to; each page is fetched once. For
  // a link into this page, the section.
  /** @param {HTMLAnchorElement} link */
  async function ofPage(link) {
    const url = new URL(link.href);
    const [address] = url.href.split("#");
    if (!pages.has(address)) {
      pages.set(address, fetch(address).then(async (answer) => {
        if (!answer.ok || !answer.headers.get("content-type")?.includes("html")) return null;
        return new DOMParser().parseFromString(await answer.text(), "text/html");
      }).catch(() => null));
    }
    const page = await pages.get(address);
    const title = page?.querySelector("h1")?.textContent;
    if (!page || !title) return null;
    const parts = [made("div", "pn-card-what", title)];
    const section = url.hash && page.getElementById(decodeURIComponent(url.hash.slice(1)));
    if (section && /^H[2-6]$/.test(section.tagName)) parts.push(made("div", "pn-card-section", section.textContent ?? ""));
    const level = page.querySelector(".pn-title .pn-level");
    if (level) {
      const facts = [level, level.nextElementSibling].map((each) => each?.textContent ?? "").join(" · ");
      parts.push(made("div", `pn-card-facts ${level.className}`, facts));
    }
    /** @type {HTMLMetaElement | null} */
    const description = page.querySelector("meta[name=description]");
    const words = description?.content;
    if (words) parts.push(made("div", "", words));
    const box = tooltip(...parts);
    box.lang = page.documentElement.lang;
    const { lang } = page.querySelector("h1") ?? box;
    if (lang) parts[0].lang = lang;
    return box;
  }

  /** @param {HTMLAnchorElement} link */
  const isPage = (link) => {
    const url = new URL(link.href);
    const here = url.origin === location.origin && url.protocol.startsWith("http");
    const other = url.pathname !== location.pathname;
    return here && other && url.pathname.endsWith("/") && link.matches("article :is(p, li, td, dd, dt) a");
  };
  /** @param {HTMLAnchorElement} link */
  const kindOf = (link) => {
    if (link.matches("a.pn-n[data-n]")) return ofNumber;
    if (link.matches("a.pn-cite")) return ofCitation;
    if (link.matches("a.pn-term[data-tip]")) return ofTerm;
    return isPage(link) ? ofPage : null;
  };
  /** @type {(node: EventTarget | null) => HTMLAnchorElement | null} */
  const linkAt = (node) => {
    // A link in an SVG drawing gets no card, because its `href` is no string.
    const link = node instanceof Element ? node.closest("article a[href]") : null;
    return link instanceof HTMLAnchorElement && !link.closest(".pn-card, .pn-numbers") && kindOf(link) ? link : null;
  };
  /** @param {HTMLAnchorElement} link */
  const delayOf = (link) => (kindOf(link) === ofPage ? PREVIEW : HOVER);

  function place() {
    if (!card || !owner) return;
    const at = owner.getClientRects()[0];
    if (!at) return close();
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const whole = card.scrollHeight + card.offsetHeight - card.clientHeight;
    const below = height - at.bottom - GAP - EDGE;
    const above = at.top - GAP - EDGE;
    // A card that fits on neither side scrolls on the larger one, so the number stays in sight.
    const isBelow = whole <= below || (whole > above && below >= above);
    const most = Math.max(isBelow ? below : above, LEAST);
    const tall = Math.min(whole, most);
    // A card that fits gets no limit. Heights are rounded, and a card that is limited by a fraction of a pixel
    // too much would scroll, and so be a stop of the Tab key.
    card.style.maxHeight = whole > most ? `${most}px` : "";
    const wanted = isBelow ? at.bottom + GAP : at.top - GAP - tall;
    const top = Math.max(EDGE, Math.min(wanted, height - tall - EDGE));
    const left = Math.max(EDGE, Math.min(at.left - 12, width - card.offsetWidth - EDGE));
    card.style.top = `${top}px`;
    card.style.left = `${left}px`;
  }

  /** @type {HTMLAnchorElement | null} */
  let asked = null; // the link whose page is being fetched for its card
  /** @param {HTMLAnchorElement} link */
  async function open(link) {
    clearTimeout(timer);
    if (owner === link) return;
    asked = link;
    const kind = kindOf(link);
    const box = kind === ofPage
      ? await ofPage(link)
      : /** @type {HTMLElement | null | undefined} */ (kind?.(link));
    if (asked !== link || owner === link || !box) return;
    close();
    owner = link;
    if (kind === ofNumber) pnPage.known();
    card = box;
    box.id = "__pn_card";
    const what = box.querySelector(".pn-card-what");
    if (what) what.id = "__pn_card_what";
    link.after(box); // so the Tab key goes on from the card to what follows the link
    entered = false;
    for (const each of stops()) each.tabIndex = -1;
    if (box.role === "dialog" && link.matches(":focus-visible")) {
      box.append(made("div", "pn-card-keys", say("Enter goes into this card, Escape closes it.", "按 Enter 进入卡片，按 Esc 关闭。")));
    }
    if (link.hasAttribute("aria-expanded")) link.setAttribute("aria-expanded", "true");
    link.setAttribute("aria-describedby", box.role === "tooltip" ? "__pn_card" : "__pn_card_what");
    if (box.showPopover) {
      box.popover = "manual";
      box.showPopover();
    }
    place();
  }

  // What may be a stop of the Tab key: the card, because one that scrolls may be, and all in it that can be used.
  /** @returns {HTMLElement[]} */
  const stops = () => (card ? [card, .../** @type {NodeListOf<HTMLElement>} */ (card.querySelectorAll("a[href], button, summary"))] : []);
  function enter() {
    if (entered) return;
    entered = true;
    for (const each of stops()) each.removeAttribute("tabindex");
    card?.querySelector(".pn-card-keys")?.remove();
    place();
  }

  function close() {
    clearTimeout(timer);
    asked = null;
    if (!card || !owner) return;
    if (owner.hasAttribute("aria-expanded")) owner.setAttribute("aria-expanded", "false");
    owner.removeAttribute("aria-describedby");
    card.remove();
    card = owner = null;
  }

  /** @param {EventTarget | null} node */
  const inside = (node) => node instanceof Node && (card?.contains(node) || owner?.contains(node));

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    if (inside(event.target)) return clearTimeout(timer);
    const link = linkAt(event.target);
    if (!link) return;
    clearTimeout(timer);
    timer = setTimeout(open, delayOf(link), link);
  });
  document.addEventListener("pointerout", (event) => {
    if (event.pointerType === "touch" || inside(event.relatedTarget)) return;
    const link = linkAt(event.target);
    if (!inside(event.target) && !link) return;
    clearTimeout(timer);
    if (asked === link) asked = null;
    const focus = document.activeElement;
    const kept = card && inside(focus) && focus?.matches(":focus-visible");
    if (!kept) timer = setTimeout(close, LINGER);
  });
  /** @param {EventTarget | null} target */
  const focused = (target) => {
    if (silent) return;
    if (target instanceof Node && card?.contains(target)) enter();
    if (inside(target)) return;
    const link = linkAt(target);
    close();
    if (!link?.matches(":focus-visible")) return;
    if (kindOf(link) === ofPage) timer = setTimeout(open, PREVIEW, link);
    else open(link);
  };
  // Enter clicks a link too. With a modifier it opens another tab or window.
  /** @param {MouseEvent} event */
  const isKey = (event) => event.detail === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  document.addEventListener("focusin", (event) => focused(event.target));
  document.addEventListener("click", (event) => {
    const link = linkAt(event.target);
    if (link?.matches("[aria-haspopup]") && pnPage.pointer === "touch" && owner !== link) {
      event.preventDefault(); // the first tap shows the card, which links to the same
      open(link);
    } else if (link && link === owner && card?.role === "dialog" && isKey(event)) {
      event.preventDefault();
      enter();
      stops()[1]?.focus();
    } else if (card && !inside(event.target)) close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const back = card?.contains(document.activeElement) ? owner : null;
    close();
    silent = true;
    back?.focus();
    silent = false;
  });
  addEventListener("scroll", ({ target }) => target === card || place(), { passive: true, capture: true });
  addEventListener("resize", place);

  // The link that made this script load gets its card, unless pointer and focus have left it since.
  pnPage.card = (link, touched) => {
    if (touched) open(link);
    else if (document.activeElement === link) focused(link);
    else if (link.matches(":hover") && linkAt(link)) timer = setTimeout(open, delayOf(link), link);
  };
})();
