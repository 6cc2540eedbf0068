// The list of results below the search field. The field keeps the focus and names the active option.

/**
 * Which of `count` options a key makes active: -1 for none, null where the key belongs to the text of
 * the field, undefined where it is no key of the list.
 * @param {string} key
 * @param {number} active
 * @param {number} count
 * @returns {number | null | undefined}
 */
export function optionAfter(key, active, count) {
  if (key === "ArrowDown") return active < count - 1 ? active + 1 : -1;
  if (key === "ArrowUp") return active < 0 ? count - 1 : active - 1;
  if (key === "Home") return active < 0 ? null : 0;
  if (key === "End") return active < 0 ? null : count - 1;
  return undefined;
}

export class Options {
  active = -1;

  /**
   * @param {HTMLElement} list
   * @param {HTMLInputElement} input
   */
  constructor(list, input) {
    this.list = list;
    this.input = input;
  }

  /** @returns {HTMLElement[]} */
  get all() {
    return [...this.list.querySelectorAll("[role=option]")].map((each) => /** @type {HTMLElement} */ (each));
  }

  get chosen() {
    return this.all[this.active];
  }

  /** @param {number} at */
  activate(at) {
    const all = this.all;
    this.active = at >= 0 && at < all.length ? at : -1;
    all.forEach((option, i) => option.setAttribute("aria-selected", String(i === this.active)));
    if (this.active < 0) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", all[this.active].id);
    all[this.active].scrollIntoView({ block: "nearest" });
  }

  /**
   * Show other options. The one of the page that was active stays active, or that of `page`.
   * @param {HTMLElement[]} children
   * @param {string} [page]
   */
  fill(children, page) {
    const chosen = this.chosen?.dataset.page ?? page;
    this.list.replaceChildren(...children);
    const all = this.all;
    this.input.setAttribute("aria-expanded", String(all.length > 0));
    this.list.hidden = !all.length;
    this.activate(chosen ? all.findIndex((option) => option.dataset.page === chosen) : -1);
  }

  /**
   * Let a key of the keyboard move through the list; false where it does not.
   * @param {KeyboardEvent} event
   */
  move(event) {
    const count = this.all.length;
    if (!count || event.ctrlKey || event.metaKey || event.shiftKey) return false;
    const to = optionAfter(event.key, this.active, count);
    if (to === undefined) return false;
    if (to === null) return true;
    event.preventDefault();
    this.activate(to);
    return true;
  }
}
