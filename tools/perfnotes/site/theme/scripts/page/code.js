// Each block of code has a row above it with its file or language and a button that copies it. From a
// terminal session the button copies the commands, without prompts and output. Comments such as
// `// (1)!` become marks that lead to the items of the numbered list below the block.
"use strict";
(() => {
  const { say, made } = pnPage;
  /** @type {Record<string, string>} */
  const NAMES = {
    asm: say("Assembly", "汇编"), bash: "Bash", bibtex: "BibTeX", c: "C", console: say("Terminal", "终端"), cpp: "C++", cuda: "CUDA",
    css: "CSS", diff: "Diff", html: "HTML", ini: "INI", javascript: "JavaScript", js: "JavaScript", json: "JSON",
    make: "Make", markdown: "Markdown", nasm: say("Assembly", "汇编"), pycon: "Python", python: "Python",
    rust: "Rust", sh: "Shell", sql: "SQL", text: "", toml: "TOML", xml: "XML", yaml: "YAML",
  };
  const PROMPT = /^(?:\$|>>>) /;
  const MORE = /^(?:>|\.\.\.)(?: |$)/; // the second prompt, of a command that goes on
  const OPEN = /(?:\||&&|\b(?:do|then|else)|[{(:])\s*$|<<-?\s*['"\w]/; // a command that does so without a backslash

  // The commands of a session; all of it if no line has a prompt.
  /** @param {string} text */
  const typed = (text) => {
    const commands = [];
    let before = ""; // the line before, if it is of a command
    let second = false; // whether it began with the second prompt
    for (const line of text.split("\n")) {
      const first = PROMPT.test(line);
      const goesOn = before.endsWith("\\");
      second = !first && MORE.test(line) && (second || goesOn || OPEN.test(before));
      before = first || second || goesOn ? line : "";
      if (before) commands.push(line.replace(first ? PROMPT : second ? MORE : "", ""));
    }
    return commands.length ? commands.join("\n") : text;
  };

  // Replaces the comments that hold nothing but a number by marks, and links them with the list.
  const COMMENT = /^(?:\/\/|\/\*|#|--|;|%)\s*\((\d{1,2})\)!?\s*(?:\*\/)?\s*$/;
  /** @type {(box: HTMLElement, code: HTMLElement, number: number) => void} */
  const annotate = (box, code, number) => {
    const list = box.nextElementSibling;
    if (!(list instanceof HTMLOListElement)) return;
    for (const comment of code.querySelectorAll(":is(.c, .c1, .cm, .cs, .ch)")) {
      const [, n] = COMMENT.exec(comment.textContent ?? "") ?? [];
      const item = n && list.children[Number(n) - (list.start || 1)];
      if (!item) continue;
      item.id ||= `code-${number}-${n}`;
      const mark = made("a", "pn-line-mark", n);
      mark.href = `#${item.id}`;
      mark.setAttribute("aria-label", say(`Note ${n}`, `说明 ${n}`));
      /** @param {boolean} on */
      const here = (on) => () => {
        for (const each of [mark, item]) each.classList.toggle("pn-line-here", on);
      };
      for (const each of [mark, item]) {
        each.addEventListener("pointerenter", here(true));
        each.addEventListener("pointerleave", here(false));
      }
      const end = /\n$/.test(comment.textContent ?? "") ? "\n" : "";
      comment.replaceWith(mark, end);
      list.classList.add("pn-line-notes");
    }
  };

  /** @type {NodeListOf<HTMLElement>} */
  const blocks = document.querySelectorAll("article .highlight");
  blocks.forEach((box, number) => {
    /** @type {HTMLElement | null} */
    const code = box.querySelector("pre > code");
    if (!code || box.querySelector(".pn-code-bar")) return;
    const language = /language-(\S+)/.exec(box.className)?.[1] ?? "";
    const session = language === "console" || language === "pycon";
    const file = box.querySelector(":scope > .filename");
    annotate(box, code, number + 1);
    const source = /** @type {HTMLElement} */ (code.cloneNode(true));
    for (const mark of source.querySelectorAll(".pn-line-mark")) mark.remove();
    const text = (source.textContent ?? "").replace(/[ \t]+$/gm, "").replace(/\n$/, "");
    const copied = session ? typed(text) : text;
    const label = copied === text ? say("Copy", "复制") : say("Copy commands", "复制命令");
    const bar = made("div", file ? "pn-code-bar pn-code-bar-named" : "pn-code-bar");
    bar.append(made("span", "pn-code-language", NAMES[language] ?? language));
    const copy = made("button", "", label);
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(copied);
      copy.textContent = say("Copied", "已复制");
      setTimeout(() => (copy.textContent = label), 2000);
    });
    bar.append(copy);
    // Before the code, it would make the browser style every word of the code again.
    box.append(bar);
  });
})();
