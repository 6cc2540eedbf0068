// Which parts of a line of commands run in copies of the shell, and where a variable stays set. Nothing
// is run.
"use strict";

pnPage.typed("subshells", (() => {
  const { refuse, cut } = pnPage;
  /**
   * @typedef {{ kind: string, text: string, body: Pipeline[], inner: Substitution[],
   *   redirected: Substitution[], sets: boolean, words: string[], redirects: boolean, readsFile: boolean }} Command
   * @typedef {{ parts: Command[], background: boolean }} Pipeline
   * @typedef {{ kind: string, body: Pipeline[] }} Substitution
   * @typedef {{ kind: string, part: number, commands: Command[], children: Process[] }} Process
   */
  const MOST = 16;
  const MOST_NESTED = 6;
  const BUILTINS = ": true false echo printf read mapfile readarray cd wait test [ pwd shopt set".split(" ");
  const PROGRAMS = "awk cat cut date find grep head ls sed seq sleep sort tail tee tr uniq wc xargs".split(" ");
  const UNKNOWN = "if case until select function time ! [[ coproc".split(" ");
  const ENDS = ["}", "do", "done"];

  /** @type {(kind: string, more?: Partial<Command>) => Command} */
  const command = (kind, more) => ({
    kind, text: "", body: [], inner: [], redirected: [], sets: false, words: [], redirects: false, readsFile: false,
    ...more,
  });

  // Reads a line from left to right.
  /** @type {(line: string) => Pipeline[]} */
  function read(line) {
    let [at, nested] = [0, 0];
    const starts = (/** @type {string} */ text, from = at) => line.startsWith(text, from);
    const unexpected = () => (at >= line.length ? refuse("incomplete") : refuse("unexpected", cut(line.slice(at))));
    const blanks = () => {
      while (line[at] === " " || line[at] === "\t") at++;
    };
    const keyword = () => /^[^ \t;&|<>()$`'"\\]*/.exec(line.slice(at))?.[0] ?? "";
    const endOf = (/** @type {string[]} */ ends) =>
      ends.find((end) =>
        end === "" ? at >= line.length : end === ")" ? starts(")") : ENDS.includes(end) && keyword() === end);

    /** @type {(ends: string[]) => Pipeline[]} */
    function list(ends) {
      if (++nested > MOST_NESTED) refuse("too-many");
      /** @type {Pipeline[]} */
      const found = [];
      for (;;) {
        blanks();
        const end = endOf(ends);
        if (end !== undefined) {
          if (!found.length) unexpected();
          at += end.length;
          nested--;
          return found;
        }
        if (at >= line.length) refuse("missing", ends[0]);
        const next = pipeline();
        found.push(next);
        blanks();
        if (starts("&&") || starts("||")) refuse("and-or", line.slice(at, at + 2));
        if (starts("&>")) refuse("not-known", "&>");
        if (starts("&") || (starts(";") && !starts(";;"))) {
          next.background = starts("&");
          at++;
        // Without a separator only ")" or the end of the line may follow, and only if it ends this list.
        } else if (endOf([")", ""]) === undefined || endOf(ends) === undefined) unexpected();
      }
    }
    /** @type {() => Pipeline} */
    function pipeline() {
      const parts = [oneCommand()];
      blanks();
      while (starts("|") && !starts("||")) {
        if (starts("|&")) refuse("not-known", "|&");
        at++;
        blanks();
        parts.push(oneCommand());
        blanks();
      }
      return { parts, background: false };
    }
    function oneCommand() {
      const word = keyword();
      if (UNKNOWN.includes(word) || starts("((")) refuse("not-known", word || "((");
      if (ENDS.includes(word) || word === "in") unexpected();
      if (starts("(")) {
        at++;
        return redirections(command("paren", { body: list([")"]) }));
      }
      if (word === "{") {
        at++;
        return redirections(command("group", { body: list(["}"]) }));
      }
      if (word === "while" || word === "for") {
        at += word.length;
        return word === "while" ? whileLoop() : forLoop();
      }
      return simple();
    }
    function whileLoop() {
      const condition = list(["do"]);
      const [first] = condition[0].parts;
      if (condition.length > 1 || condition[0].parts.length > 1 || condition[0].background ||
        first.kind !== "builtin" || first.inner.length || first.redirected.length) refuse("condition", first.text);
      return redirections(command("loop", { body: [{ parts: [first], background: false }, ...list(["done"])] }));
    }
    function forLoop() {
      blanks();
      const begin = at;
      const head = command("builtin", { sets: true });
      const name = keyword();
      at += name.length;
      blanks();
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || keyword() !== "in") refuse("not-known", "for");
      at += "in".length;
      while (nextWord(head, head.inner));
      head.text = `for ${line.slice(begin, at).replace(/[ \t]+$/, "")}`;
      if (!starts(";")) unexpected();
      at++;
      blanks();
      if (keyword() !== "do") unexpected();
      at += "do".length;
      return redirections(command("loop", { body: [{ parts: [head], background: false }, ...list(["done"])] }));
    }
    /** @type {(made: Command) => Command} */
    function redirections(made) {
      blanks();
      while (redirection(made)) blanks();
      if (at < line.length && !";&|)".includes(line[at])) unexpected();
      return made;
    }
    /** @type {(made: Command) => boolean} */
    function redirection(made) {
      const number = /^[0-9]+(?=[<>])/.exec(line.slice(at))?.[0] ?? "";
      const start = at + number.length;
      const operator = ["<<<", ">>", ">&", "<", ">"].find((each) => starts(each, start)) ?? "";
      if (!operator || starts("<(", start) || starts(">(", start)) return false;
      if (operator !== "<<<" && ["<<", "<&", "<>", ">|"].some((each) => starts(each, start))) {
        refuse("not-known", line.slice(start, start + 2));
      }
      at = start + operator.length;
      if (!nextWord(made, made.redirected, true)) unexpected();
      made.redirects = true;
      made.readsFile = operator === "<" && !number;
      return true;
    }
    function simple() {
      const made = command("builtin");
      const begin = at;
      let [count, end] = [0, begin];
      for (;;) {
        blanks();
        if (redirection(made)) count++;
        else if (!nextWord(made, made.inner)) break;
        end = at;
      }
      made.text = line.slice(begin, end);
      if (!made.text) unexpected();
      const first = made.words.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word));
      made.readsFile &&= !made.words.length && count === 1;
      if (first < 0) {
        made.sets = made.words.length > 0;
        return made;
      }
      const rest = made.words.slice(first);
      const [name] = rest;
      if (!BUILTINS.includes(name) && !PROGRAMS.includes(name)) refuse("unknown-command", cut(name));
      made.kind = BUILTINS.includes(name) ? "builtin" : "program";
      made.sets = ["read", "mapfile", "readarray", "cd"].includes(name) || (name === "printf" && rest[1] === "-v");
      made.words = rest;
      return made;
    }
    /** @type {(made: Command, into: Substitution[], target?: boolean) => boolean} */
    function nextWord(made, into, target = false) {
      blanks();
      const begin = at;
      while (at < line.length) {
        const c = line[at];
        if (starts("<(") || starts(">(")) {
          at += 2;
          into.push({ kind: "process", body: list([")"]) });
        } else if (" \t;&|<>)".includes(c)) break;
        else if (c === "(") refuse("not-known", cut(line.slice(begin, at + 1)));
        else if (c === "#" && at === begin) refuse("not-known", "#");
        else piece(into);
      }
      const word = line.slice(begin, at);
      if (word && !target) made.words.push(word);
      return word !== "";
    }
    /** @type {(into: Substitution[]) => void} */
    function piece(into) {
      if (line[at] === "'") upto("'", at + 1);
      else if (line[at] === '"') {
        const begin = at++;
        while (!starts('"')) {
          if (at >= line.length) refuse("open", cut(line.slice(begin)));
          inner(into);
        }
        at++;
      } else if (starts("$'") || starts('$"')) refuse("not-known", line.slice(at, at + 2));
      else inner(into);
    }
    /** @type {(into: Substitution[]) => void} */
    function inner(into) {
      if (starts("`")) refuse("not-known", "`");
      if (starts("\\")) {
        if (at + 1 >= line.length) refuse("open", "\\");
        at += 2;
      } else if (starts("$((")) upto("))", at + 3, /[^A-Za-z0-9_ +*/%=$-]/);
      else if (starts("$(")) {
        at += 2;
        into.push({ kind: "dollar", body: list([")"]) });
      } else if (starts("${")) upto("}", at + 2);
      else at++;
    }
    /** @type {(closing: string, begin: number, unknown?: RegExp) => void} */
    function upto(closing, begin, unknown = /[$`'"\\(){}]/) {
      const end = line.indexOf(closing, begin);
      if (end < 0) refuse("open", cut(line.slice(at)));
      if (closing !== "'" && unknown.test(line.slice(begin, end))) {
        refuse("not-known", cut(line.slice(at, end + closing.length)));
      }
      at = end + closing.length;
    }
    return list([""]);
  }

  // Walks through the commands and notes where each would run.
  /** @type {(commands: Pipeline[]) => Process} */
  function walk(commands) {
    /** @type {(kind: string, part?: number) => Process} */
    const process = (kind, part = 0) => ({ kind, part, commands: [], children: [] });
    const main = process("shell");
    let [lastpipe, jobs, count] = [false, false, 0];

    /** @type {(parent: Process, kind: string, part?: number) => Process} */
    const started = (parent, kind, part = 0) => {
      if (++count > MOST) refuse("too-many");
      const made = process(kind, part);
      parent.children.push(made);
      return made;
    };
    /** @type {(all: Pipeline[], shell: Process, ends?: string) => void} */
    const list = (all, shell, ends = "") => {
      const forks = ends === "dollar" || (ends === "paren" && all.length > 1);
      all.forEach((each, i) => {
        const behind = i > 0 && all[i - 1].background;
        const last = ends !== "" && i === all.length - 1 && !behind && !(forks && each.parts[0].redirects);
        pipeline(each, shell, last);
      });
    };
    /** @type {(all: Pipeline, shell: Process, last: boolean) => void} */
    const pipeline = ({ parts, background }, shell, last) => {
      if (parts.length === 1) {
        if (background) copied(parts[0], started(shell, "background"));
        else run(parts[0], shell, last);
        return;
      }
      parts.forEach((part, i) => {
        if (lastpipe && jobs && shell !== main) refuse("not-known", "set -m");
        if (lastpipe && !jobs && !background && i === parts.length - 1) run(part, shell, false);
        else copied(part, started(shell, "part", i + 1));
      });
    };
    /** @type {(each: Command, copy: Process) => void} */
    const copied = (each, copy) => {
      if (each.kind === "paren") parenthesis(each, copy);
      else run(each, copy, each.kind === "program");
    };
    /** @type {(each: Command, copy: Process) => void} */
    const parenthesis = (each, copy) => {
      substitutions(each.redirected, copy);
      const { body } = each;
      const [only] = body[0].parts;
      const alone = body.length === 1 && body[0].parts.length === 1 && !body[0].background;
      if (alone && only.kind === "paren") parenthesis(only, copy);
      else list(body, copy, "paren");
    };
    /** @type {(each: Command, shell: Process, last: boolean) => void} */
    const run = (each, shell, last) => {
      if (each.kind === "paren") parenthesis(each, started(shell, "paren"));
      else if (each.kind === "group" || each.kind === "loop") {
        substitutions(each.redirected, shell);
        list(each.body, shell);
      } else if (each.kind === "program") {
        substitutions(each.inner, shell);
        const own = last ? shell : started(shell, "program");
        own.commands.push(each);
        substitutions(each.redirected, own);
      } else {
        settings(each, shell);
        substitutions([...each.inner, ...each.redirected], shell);
        shell.commands.push(each);
      }
    };
    /** @type {(each: Command, shell: Process) => void} */
    const settings = (each, shell) => {
      if (each.words[0] !== "shopt" && each.words[0] !== "set") return;
      const text = each.words.join(" ");
      const known = ["shopt -s lastpipe", "shopt -u lastpipe", "set -m", "set +m"].indexOf(text);
      if (known < 0 || shell !== main) refuse("not-known", text);
      if (known < 2) lastpipe = known === 0;
      else jobs = known === 2;
    };
    /** @type {(found: Substitution[], shell: Process) => void} */
    const substitutions = (found, shell) => {
      for (const { kind, body } of found) {
        const [first] = body[0].parts;
        const alone = body.length === 1 && body[0].parts.length === 1 && !body[0].background;
        // $(< file) is read by the shell itself.
        if (kind === "dollar" && alone && first.readsFile && !first.redirected.length) continue;
        list(body, started(shell, kind), kind);
      }
    };
    list(commands, main);
    return main;
  }

  /** @type {(process: Process, depth: number) => TypedRow[]} */
  function rows(process, depth) {
    const setHere = process.kind === "shell" ? "kept" : "lost";
    const words = process.commands.map(({ text, sets }) =>
      /** @type {TypedWord} */ ([[text, sets ? setHere : ""]]));
    /** @type {Record<string, string>} */
    const gaps = process.part ? { part: String(process.part) } : {};
    const below = process.children.flatMap((child) => rows(child, depth + 1));
    return [{ name: process.kind, words, gaps, depth, same: false }, ...below];
  }
  /** @type {(process: Process) => string[]} */
  const setIn = ({ commands }) => commands.filter(({ sets }) => sets).map(({ text }) => text);
  /** @type {(process: Process) => string[]} */
  const lostIn = ({ children }) => children.flatMap((child) => [...setIn(child), ...lostIn(child)]);

  /** @type {TypedThing} */
  function reply(line) {
    if (/^[ \t]*$/.test(line)) refuse("nothing");
    const shell = walk(read(line));
    const shown = rows(shell, 0);
    const [kept, lost] = [setIn(shell), lostIn(shell)];
    /** @type {Record<string, string>} */
    const gaps = { count: String(shown.length - 1) };
    if (kept.length) gaps.kept = kept.join(", ");
    if (lost.length) gaps.lost = lost.join(", ");
    const said = kept.length && lost.length ? "both" : kept.length ? "kept" : lost.length ? "lost" : "none";
    return { said, gaps, rows: shown };
  }
  return reply;
})());
