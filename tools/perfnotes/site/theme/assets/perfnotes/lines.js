// Comments such as `// (1)!` in a block of code become marks that lead to the items of the numbered list
// below the block. Pointing at either shows the other.
"use strict";
pnPage.lines = (notes, block) => {
  const { say, made } = pnPage;
  for (const { comment, number, item } of notes) {
    item.id ||= `code-${block}-${number}`;
    const mark = made("a", "pn-line-mark", number);
    mark.href = `#${item.id}`;
    mark.setAttribute("aria-label", say(`Note ${number}`, `说明 ${number}`));
    /** @param {boolean} on */
    const here = (on) => () => {
      for (const each of [mark, item]) each.classList.toggle("pn-line-here", on);
    };
    for (const each of [mark, item]) {
      each.addEventListener("pointerenter", here(true));
      each.addEventListener("pointerleave", here(false));
    }
    comment.replaceWith(mark, comment.textContent?.endsWith("\n") ? "\n" : "");
    item.parentElement?.classList.add("pn-line-notes");
  }
};
