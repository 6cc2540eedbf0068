// The script of every page: the drawer and the list of languages work by keyboard, and the table of contents
// marks the section that is being read. Scripts that only some readers need are loaded at their first use:
// cards, side notes, things to try. Without this script, every page can still be read, and all links work.
"use strict";
/** @type {PageTools} */
var pnPage = /** @type {PageTools} */ ({});

(() => {
  const folder = new URL("./", /** @type {HTMLScriptElement} */ (document.currentScript).src);
  const chinese = document.documentElement.lang.startsWith("zh");
  /** @type {PageTools["say"]} */
  const say = (english, other) => (chinese ? other : english);
  const article = /** @type {HTMLElement} */ (document.querySelector("article"));
  /** @type {PageTools["made"]} */
  const made = (tag, name, text = "") => {
    const element = document.createElement(tag);
    element.className = name;
    element.textContent = text;
    if (element instanceof HTMLButtonElement) element.type = "button";
    return element;
  };

  // Loads a script of the theme once, with its style sheet if it has one.
  /** @type {Map<string, Promise<unknown>>} */
  const loads = new Map();
  /** @type {PageTools["loadScript"]} */
  const loadScript = (name, styled = false) => {
    const before = loads.get(name);
    if (before) return before;
    /** @type {(tag: "script" | "link", set: object) => Promise<unknown>} */
    const loadElement = (tag, set) => new Promise((done, failed) => {
      const element = Object.assign(document.createElement(tag), set);
      element.onload = done;
      element.onerror = failed;
      document.head.append(element);
    });
    const parts = [loadElement("script", { src: new URL(`${name}.js`, folder).href })];
    if (styled) parts.push(loadElement("link", { rel: "stylesheet", href: new URL(`${name}.css`, folder).href }));
    const loading = Promise.all(parts).catch((problem) => {
      loads.delete(name); // the next call tries again
      throw problem;
    });
    loads.set(name, loading);
    return loading;
  };

  // Screen readers read this hidden line aloud when its text changes, if the line was there before.
  /** @type {HTMLElement | undefined} */
  let told;
  /** @type {PageTools["tell"]} */
  const tell = (text) => {
    if (!told) {
      told = made("p", "pn-hidden");
      told.setAttribute("role", "status");
      document.body.append(told);
    }
    told.textContent = text;
  };
  /** @type {PageTools["copier"]} */
  const copier = (name, text, label = say("Copy", "复制")) => {
    tell("");
    const copy = made("button", name, label);
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text);
      tell(copy.textContent = say("Copied", "已复制"));
      setTimeout(() => (tell(""), (copy.textContent = label)), 2000);
    });
    return copy;
  };
  Object.assign(pnPage, { say, made, loadScript, tell, copier });

  // A checkbox of Material's opens the drawer. Two buttons click it, and say whether the drawer is open:
  // one shows its beginning, the other the contents of this page. The focus moves into the drawer, and
  // back to the button when it closes.
  const sidebar = /** @type {HTMLElement} */ (document.querySelector(".md-sidebar--primary"));
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll("[data-pn-toggle]");
  const drawer = /** @type {HTMLInputElement} */ (document.getElementById(buttons[0].dataset.pnToggle ?? ""));
  drawer.checked = false; // Firefox remembers what was checked before a reload
  let [button] = buttons;
  for (const each of buttons) {
    each.addEventListener("click", () => {
      button = each;
      drawer.click();
    });
  }
  drawer.addEventListener("change", () => {
    button.setAttribute("aria-expanded", String(drawer.checked));
    if (drawer.checked) {
      const contents = button.matches("[data-pn-contents]") ? sidebar.querySelector(".pn-toc") : null;
      (contents ?? sidebar).querySelector("a")?.focus();
      if (contents) contents.scrollIntoView({ block: "start" });
    } else if (document.activeElement === document.body) button.focus();
  });
  sidebar.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !drawer.checked) return;
    drawer.click();
    button.focus();
  });
  sidebar.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a[href^='#']");
    if (drawer.checked && link) drawer.click();
  });
  document.addEventListener("focusin", (event) => {
    if (drawer.checked && !sidebar.contains(/** @type {Node} */ (event.target))) drawer.click();
  });

  // The list of languages is open while it has the focus. Escape closes it and leaves the focus on its button.
  /** @type {NodeListOf<HTMLElement>} */
  const selects = document.querySelectorAll("[data-pn-select]");
  for (const select of selects) {
    const opener = select.querySelector("button");
    /** @param {boolean} shut */
    const show = (shut) => {
      select.classList.toggle("pn-shut", shut);
      opener?.setAttribute("aria-expanded", String(!shut && select.matches(":focus-within")));
    };
    show(false);
    for (const kind of ["focusin", "click"]) select.addEventListener(kind, () => show(false));
    select.addEventListener("focusout", () => requestAnimationFrame(() => show(select.matches(".pn-shut:focus-within"))));
    select.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      opener?.focus();
      show(true);
    });
    // The page in the other language opens at the section that is being read.
    select.addEventListener("click", (event) => {
      /** @type {HTMLAnchorElement | null} */
      const link = /** @type {Element} */ (event.target).closest("a[hreflang]");
      if (!link) return;
      link.hash = section();
      if (document.getElementById("pn-search-page")) link.search = location.search;
    });
  }

  // Each heading gets a link to its section for the pointer. The link is hidden from the keyboard and from
  // screen readers, because the table of contents has the same links.
  for (const heading of article.querySelectorAll(":is(h2, h3, h4)[id]")) {
    const link = made("a", "pn-anchor", "#");
    link.href = `#${heading.id}`;
    link.title = say("Link to this section", "本节链接");
    link.tabIndex = -1;
    link.setAttribute("aria-hidden", "true");
    heading.append(" ", link);
  }

  // The table of contents marks the section being read: the last one whose heading has passed the upper
  // third of the window.
  const scroller = /** @type {HTMLElement} */ (sidebar.querySelector(".md-sidebar__scrollwrap"));
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const entries = document.querySelectorAll(".pn-toc a[href^='#']");
  const places = [...entries].flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return heading ? [{ link, heading }] : [];
  });
  // Scrolls the drawer so that a link in it is in sight.
  /** @param {Element} link */
  const shown = (link) => {
    const box = scroller.getBoundingClientRect();
    const at = link.getBoundingClientRect();
    const over = at.bottom + 40 - box.bottom;
    const under = box.top + 40 - at.top;
    if (over > 0 || under > 0) scroller.scrollTop += over > 0 ? over : -under;
  };
  /** @type {HTMLAnchorElement | undefined} */
  let current;
  // The element that the address names. In an address with a stray % there is none.
  const named = () => {
    try {
      return document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch {
      return null;
    }
  };
  const section = () => {
    const at = named()?.getBoundingClientRect();
    if (at && at.bottom > 0 && at.top < innerHeight) return location.hash;
    return current?.hash ?? "";
  };
  const follow = () => {
    const line = innerHeight / 3;
    const end = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const passed = places.filter(({ heading }) => heading.getBoundingClientRect().top < line);
    const link = (end ? places : passed).at(-1)?.link;
    if (link === current) return;
    current?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "location");
    current = link;
    if (link && scroller.scrollHeight > scroller.clientHeight) shown(link);
  };
  let waiting = false;
  const soon = () => {
    if (!waiting) requestAnimationFrame(() => ((waiting = false), follow()));
    waiting = true;
  };
  if (places.length) addEventListener("scroll", soon, { passive: true });
  const here = sidebar.querySelector("li:has(> .pn-toc) > [aria-current=page]");
  if (here && scroller.scrollHeight > scroller.clientHeight) shown(here);
  follow();

  // A hint below the answer tells new readers that numbers open their evidence. It stays until they close
  // the hint or open a number.
  const hint = article.querySelector(".pn-hint");
  const known = () => __md_set("__numbers", true);
  if (hint) {
    const button = made("button", "", say("Got it", "知道了"));
    button.addEventListener("click", () => (known(), hint.remove()));
    hint.append(" ", button);
  }
  // The place in a source that a citation names. The style sheet hides it in the sentence; the card and
  // the margin show it.
  /** @type {PageTools["locator"]} */
  const locator = (link) => {
    const after = link.nextElementSibling;
    const follows = after?.matches(".pn-locator") && link.nextSibling === after;
    const place = link.querySelector(".pn-locator") ?? (follows ? after : null);
    return place?.textContent?.replace(/^\s*[(（](.*)[)）]$|^[\s,，]+/s, "$1") ?? "";
  };
  /** @param {string | null} text */
  const letters = (text) => (text ?? "").replace(/[^\0-\u02ff]/g, "  ").length;
  Object.assign(pnPage, { known, locator, letters });

  // The script of the cards is loaded when a number, citation, term or link is first pointed at, focused
  // or tapped.
  const CARDS = "article a[href]:is(.pn-n, .pn-cite, .pn-term), article :is(p, li, td, dd) a[href]";
  for (const link of article.querySelectorAll("a.pn-n[data-n], a.pn-cite")) {
    link.setAttribute("aria-haspopup", "dialog");
    link.setAttribute("aria-expanded", "false");
  }
  // This is noted here because the script of the cards may load between a touch and its click.
  document.addEventListener("pointerdown", (event) => {
    pnPage.pointer = event.pointerType;
  });
  /** @param {Event} event */
  const interested = (event) => {
    if (!(event.target instanceof Element)) return;
    /** @type {HTMLAnchorElement | null} */
    const link = event.target.closest(CARDS);
    if (!link || pnPage.card) return;
    const touched = event.type === "click";
    if (touched && !(pnPage.pointer === "touch" && link.matches("[aria-haspopup]"))) return;
    if (touched) event.preventDefault();
    loadScript("card", true).then(
      () => pnPage.card?.(link, touched),
      () => touched && location.assign(link.href),
    );
  };
  for (const kind of ["pointerover", "focusin", "click"]) document.addEventListener(kind, interested);

  // After a visit from the search, a card shows the passages that say most of the query.
  const visits = /** @type {Record<string, unknown> | null} */ (__md_get("search.visit"));
  const card = visits?.[location.pathname] && loadScript("passages", true).then(() => pnPage.showPassages?.(), () => {});

  // Side notes are loaded if the window has a margin for them, after the card, because they leave room for it.
  const broad = matchMedia("(min-width: 76.25em)");
  const margin = async () => {
    await card;
    if (broad.matches && article.querySelector("a.pn-n, a.pn-cite")) loadScript("margin");
  };
  broad.addEventListener("change", margin);
  margin();

  // A fold opens if the address leads into it or to the heading above it, and in print.
  const unfold = () => {
    const target = named();
    if (!target) return;
    const below = target.nextElementSibling;
    const folds = [target.closest("details"), below?.matches(".pn-fold") ? below : null];
    for (const fold of folds) if (fold instanceof HTMLDetailsElement) fold.open = true;
  };
  addEventListener("hashchange", unfold);
  unfold();
  addEventListener("beforeprint", () => {
    /** @type {NodeListOf<HTMLDetailsElement>} */
    const folds = article.querySelectorAll("details:is(.pn-fold, .pn-versions, .pn-explore-how)");
    for (const fold of folds) fold.open = true;
  });

  // The scripts of calculators and of things to try are loaded when the reading comes near one. Until
  // then, and if they do not come, the worked values, the picture or the steps can be read.
  /** @param {Element} box */
  const loadTryout = async (box) => {
    const [, name] = /^explore-([a-z0-9-]+)$/.exec(box.id) ?? [];
    if (box.matches(".pn-explore-typed")) await loadScript("typed");
    else {
      await loadScript("numbers");
      await (name ? loadScript("explore") : loadScript("calc"));
    }
    if (name) await loadScript(`explorables/${name}`);
  };
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      loadTryout(target).catch(() => {}); // the page keeps its worked values, picture or steps
    }
  }, { rootMargin: "100%" });
  for (const box of article.querySelectorAll("[data-calc], [data-explore]")) near.observe(box);

  // On phones and tablets, the browser lays out text far below only when it comes near (note.css). Until then,
  // each paragraph gets the greatest height that it may need: a letter is at most half as wide as it is high, a
  // Chinese one as wide as high. A paragraph with less height than its text would overlap the next one.
  if (!broad.matches) {
    const width = Math.min(innerWidth / 10 - 4, 58);
    /** @type {NodeListOf<HTMLElement>} */
    const parts = article.querySelectorAll("h2 ~ p:not([class], :has(img))");
    for (const part of parts) {
      part.style.containIntrinsicHeight = `auto ${Math.ceil(letters(part.textContent) / width) + 1}lh`;
    }
  }

  // Open the tab that the address names.
  /** @type {HTMLInputElement | null} */
  const tab = document.querySelector(`input[name^=__tabbed_][id="${CSS.escape(location.hash.slice(1))}"]`);
  if (tab) tab.checked = true;
})();
