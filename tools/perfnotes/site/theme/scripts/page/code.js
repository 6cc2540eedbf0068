// Each block of code has a row above it with its file or language and a button that copies it. From a
// terminal session the button copies the commands, without prompts and output. Where comments such as
// `// (1)!` name the items of a numbered list below the block, the script of such notes is loaded.
"use strict";
(() => {
  const { say, made, copier, loadScript } = pnPage;
  /** @type {Record<string, string>} */
  const NAMES = {
    asm: say("Assembly", "汇编"), bash: "Bash", bibtex: "BibTeX", c: "C", console: say("Terminal", "终端"), cpp: "C++", cuda: "CUDA",
    css: "CSS", diff: "Diff", html: "HTML", ini: "INI", javascript: "JavaScript", js: "JavaScript", json: "JSON",
    make: "Make", markdown: "Markdown", nasm: say("Assembly", "汇编"), pycon: "Python", python: "Python",
    rust: "Rust", sh: "Shell", sql: "SQL", text: "", toml: "TOML", xml: "XML", yaml: "YAML",
  };
  const PROMPT = /^(?:\$|>>>) /;
  const MORE = /^(?:>|\.\.\.)(?: |$)/; // the second prompt, before a further line of a command
  const OPEN = /(?:\||&&|\b(?:do|then|else)|[{(:])\s*$|<<-?\s*['"\w]/; // a line after which a command goes on without a backslash

  // Returns the commands of a session, or all of its text if no line has a prompt.
  /** @param {string} text */
  const typed = (text) => {
    const commands = [];
    let before = ""; // the line before, if it belongs to a command
    let second = false; // whether that line began with the second prompt
    for (const line of text.split("\n")) {
      const first = PROMPT.test(line);
      const goesOn = before.endsWith("\\");
      second = !first && MORE.test(line) && (second || goesOn || OPEN.test(before));
      before = first || second || goesOn ? line : "";
      if (before) commands.push(line.replace(first ? PROMPT : second ? MORE : "", ""));
    }
    return commands.length ? commands.join("\n") : text;
  };

  // The comments that hold nothing but the number of an item of the list below the block.
  const COMMENT = /^(?:\/\/|\/\*|#|--|;|%)\s*\((\d{1,2})\)!?\s*(?:\*\/)?\s*$/;
  /** @type {(box: HTMLElement, code: HTMLElement) => LineNote[]} */
  const notesOf = (box, code) => {
    const list = box.nextElementSibling;
    if (!(list instanceof HTMLOListElement)) return [];
    return [...code.querySelectorAll(":is(.c, .c1, .cm, .cs, .ch)")].flatMap((comment) => {
      const [, number] = COMMENT.exec(comment.textContent ?? "") ?? [];
      const item = number && list.children[Number(number) - (list.start || 1)];
      return item ? [{ comment, number, item }] : [];
    });
  };

  /** @type {NodeListOf<HTMLElement>} */
  const blocks = document.querySelectorAll("article .highlight");
  blocks.forEach((box, index) => {
    /** @type {HTMLElement | null} */
    const code = box.querySelector("pre > code");
    if (!code || box.querySelector(".pn-code-bar")) return;
    const language = /language-(\S+)/.exec(box.className)?.[1] ?? "";
    const session = language === "console" || language === "pycon";
    const file = box.querySelector(":scope > .filename");
    let text = code.textContent ?? "";
    const notes = notesOf(box, code);
    if (notes.length) {
      for (const { comment } of notes) comment.setAttribute("data-note", "");
      const source = /** @type {HTMLElement} */ (code.cloneNode(true));
      for (const each of source.querySelectorAll("[data-note]")) {
        each.textContent = each.textContent?.endsWith("\n") ? "\n" : "";
      }
      text = source.textContent ?? "";
      loadScript("lines", true).then(() => pnPage.lines(notes, index + 1), () => {}); // the numbers stay
    }
    text = text.replace(/[ \t]+$/gm, "").replace(/\n$/, "");
    const copied = session ? typed(text) : text;
    const label = copied === text ? say("Copy", "复制") : say("Copy commands", "复制命令");
    const bar = made("div", file ? "pn-code-bar pn-code-bar-named" : "pn-code-bar");
    bar.append(made("span", "pn-code-language", NAMES[language] ?? language));
    const copy = copier("", copied, label);
    copy.setAttribute("aria-label", `${label}${say(", code ", "，代码 ")}${index + 1}`);
    bar.append(copy);
    // The bar stands after the code: put before it, the browser would style every word of the code again.
    box.append(bar);
  });
})();
