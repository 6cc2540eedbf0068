// The list of results below the search field. The field keeps the focus and names the active option.

/**
 * Returns which of `count` options a key makes active: -1 for none, null if the key moves in the text of the
 * field, undefined if it is no key of the list.
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

// The option that leads to the other place of a result's note. It follows the option of the result.
const OTHER = ".pn-hit-other";

/** The arrows up and down move through the results; the arrow to the right goes to the other place of a result. */
export class Options {
  active = -1;
  isBeside = false; // whether the other place of the active result is active

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
    return [...this.list.querySelectorAll(`[role=option]:not(${OTHER})`)].map((each) => /** @type {HTMLElement} */ (each));
  }

  /** @returns {HTMLElement | undefined} */
  get chosen() {
    const option = this.all[this.active];
    return this.isBeside ? this.other(option) ?? option : option;
  }

  /**
   * Returns the option of the other place of a result, if it has one.
   * @param {HTMLElement | undefined} option
   */
  other(option) {
    const next = option?.nextElementSibling;
    return next?.matches(OTHER) ? /** @type {HTMLElement} */ (next) : undefined;
  }

  /**
   * @param {number} at
   * @param {boolean} [isBeside]
   */
  activate(at, isBeside = false) {
    const all = this.all;
    this.active = at >= 0 && at < all.length ? at : -1;
    this.isBeside = isBeside;
    const { chosen } = this;
    for (const option of this.list.querySelectorAll("[role=option]")) {
      option.setAttribute("aria-selected", String(option === chosen));
    }
    if (!chosen) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", chosen.id);
    chosen.scrollIntoView({ block: "nearest" });
  }

  /**
   * Goes from a result to the other place of its note or back. Returns false if the key does neither.
   * @param {string} key
   */
  turn(key) {
    const { value, selectionStart } = this.input;
    const isThere = key === "ArrowRight" && !this.isBeside && selectionStart === value.length && this.other(this.chosen);
    if (!isThere && !(key === "ArrowLeft" && this.isBeside)) return false;
    this.activate(this.active, !this.isBeside);
    return true;
  }

  /**
   * Shows other options. The option of the page that was active stays active, or else that of `page`.
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
   * Moves through the list if the key is one for that. Returns false for other keys.
   * @param {KeyboardEvent} event
   */
  move(event) {
    const count = this.all.length;
    if (!count || event.ctrlKey || event.metaKey || event.shiftKey) return false;
    if (this.turn(event.key)) {
      event.preventDefault();
      return true;
    }
    const to = optionAfter(event.key, this.active, count);
    if (to === undefined) return false;
    if (to === null) return true;
    event.preventDefault();
    this.activate(to);
    return true;
  }
}
