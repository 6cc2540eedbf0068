// The order of bash's expansions, on a line that the reader types. Nothing is run.
"use strict";

pnPage.typed("expansion-steps", (() => {
  const { refuse, cut } = pnPage;
  /** @typedef {[text: string, mark: string]} Sign */
  /** @typedef {{ values: Map<string, string>, arguments: string[] }} Variables */
  /** @typedef {[kind: string, start: number, end: number]} Unit */
  const LONGEST = 160;
  const MOST_WORDS = 40;
  const LARGEST = 1e9;
  const [TYPED, QUOTED, SIGN, MADE, KEPT, BREAK] = ["typed", "quoted", "sign", "made", "kept", "break"];
  const FILES = ["a.txt", "b.txt", "c d.txt", "notes.md"];
  const ARGUMENTS = ["a b", "", "c"];
  const VALUES = { HOME: "/home/ann", IFS: " \t\n", n: "3", v: " two  words ", g: "*.txt", q: '"a b"' };
  const RESERVED = "if then elif else fi for while until do done case esac select function time coproc { } ! [["
    .split(" ");
  const DECLARES = "alias declare export local readonly typeset command builtin".split(" ");
  const NUMBER = /^-?(?:0|[1-9][0-9]*)$/;

  const stripped = (/** @type {string} */ text) => text.replace(/^[ \t]+|[ \t]+$/g, "");

  // Quotes, forms that begin with $, and where words end.
  /** @type {(s: string, i: number) => number} */
  const nameEnd = (s, i) => i + (/^[A-Za-z_][A-Za-z0-9_]*/.exec(s.slice(i))?.[0].length ?? 0);

  /** @type {(s: string, i: number) => number} */
  const width = (s, i) => (Number(s.codePointAt(i)) > 0xffff ? 2 : 1);

  /** @type {(s: string, i: number) => Unit} */
  function unitAt(s, i) {
    const after = s[i + 1] ?? "";
    switch (s[i]) {
      case "`":
        refuse("backquote", "`");
        break;
      case "\\":
        if (!after) refuse("open-quote", "\\");
        return ["escape", i, i + 1 + width(s, i + 1)];
      case "'":
        return ["single", i, closing(s, i + 1, "'", false)];
      case '"':
        return ["double", i, closing(s, i + 1, '"', true)];
      case "$": {
        if (after === "'") return ["ansi", i, closing(s, i + 2, "'", true)];
        if (after === '"') refuse("unknown-form", '$"');
        const end = dollarEnd(s, i);
        if (end === i + 1) refuse("unknown-form", "$");
        return ["dollar", i, end];
      }
    }
    return ["plain", i, i + width(s, i)];
  }
  /** @param {string} s */
  function* units(s) {
    for (let i = 0; i < s.length;) {
      const unit = unitAt(s, i);
      yield unit;
      i = unit[2];
    }
  }
  /** What stands between double quotes. @type {(s: string) => Unit[]} */
  function innerUnits(s) {
    /** @type {Unit[]} */
    const found = [];
    for (let i = 0; i < s.length;) {
      let [kind, end] = ["plain", i + width(s, i)];
      if (s[i] === "\\" && s[i + 1] && '$`"\\'.includes(s[i + 1])) [kind, end] = ["escape", i + 2];
      else if (s[i] === "$" && dollarEnd(s, i) > i + 1) [kind, end] = ["dollar", dollarEnd(s, i)];
      found.push([kind, i, end]);
      i = end;
    }
    return found;
  }
  /** @type {(s: string, i: number, quote: string, escapes: boolean) => number} */
  function closing(s, i, quote, escapes) {
    const begin = i - 1;
    for (; i < s.length && s[i] !== quote; i++) {
      if (s[i] === "\\" && escapes) i++;
      else if (quote === '"' && s[i] === "`") refuse("backquote", "`");
      else if (quote === '"' && s[i] === "$") i = dollarEnd(s, i) - 1;
    }
    if (i >= s.length) refuse("open-quote", cut(s.slice(begin)));
    return i + 1;
  }
  /** @type {(s: string, i: number) => number} */
  function dollarEnd(s, i) {
    const after = s[i + 1] ?? "";
    if (s.startsWith("((", i + 1)) return arithmeticEnd(s, i);
    if (after === "(") return commandEnd(s, i + 2);
    if (after === "{") return bracedEnd(s, i);
    if (after && "[?!-$0".includes(after)) refuse("unknown-form", s.slice(i, i + 2));
    if (after && "123456789@*#".includes(after)) return i + 2;
    return Math.max(nameEnd(s, i + 1), i + 1);
  }
  /** @type {(s: string, i: number) => number} */
  function arithmeticEnd(s, i) {
    let depth = 0;
    for (let j = i + 3; j < s.length; j++) {
      if (s[j] === "(") depth++;
      else if (s[j] === ")" && depth) depth--;
      else if (s[j] === ")") {
        if (s[j + 1] !== ")") break;
        return j + 2;
      }
    }
    return refuse("open-quote", cut(s.slice(i)));
  }
  /** @type {(s: string, i: number) => number} */
  function bracedEnd(s, i) {
    const end = s.indexOf("}", i);
    if (end < 0) refuse("open-quote", cut(s.slice(i)));
    if (/['"\\`${~<>()&|;]/.test(s.slice(i + 2, end))) refuse("nested-form", cut(s.slice(i, end + 1)));
    return end + 1;
  }
  /** @type {(s: string, i: number) => number} */
  function commandEnd(s, i) {
    const begin = i;
    while (i < s.length) {
      const [kind, , end] = unitAt(s, i);
      if (kind === "plain" && s[i] === ")") return end;
      if (kind === "plain" && "(#;&|<>".includes(s[i])) refuse("only-echo", cut(s.slice(begin)));
      i = end;
    }
    return refuse("open-quote", `$(${cut(s.slice(begin))}`);
  }
  /** The statements of a line, each a list of words. @type {(s: string) => string[][]} */
  function wordsOf(s) {
    /** @type {string[][]} */
    const found = [[]];
    let word = "";
    for (const [kind, start, end] of units(s)) {
      const c = s.slice(start, end);
      const last = found[found.length - 1];
      if (kind === "plain" && " \t;".includes(c)) {
        if (word) last.push(word);
        word = "";
        if (c === ";") {
          if (!last.length) refuse("operator", ";");
          found.push([]);
        }
        continue;
      }
      if (kind === "plain" && "&|<>()".includes(c)) refuse("operator", c);
      if (kind === "plain" && c === "#" && !word) refuse("comment", c);
      word += c;
    }
    if (word) found[found.length - 1].push(word);
    return found[found.length - 1].length || found.length === 1 ? found : found.slice(0, -1);
  }

  // Braces, on the text of a word. `plain` says which characters are neither quoted nor in a $ form.
  /** @type {(text: string) => string[]} */
  function braces(text) {
    const plain = Array(text.length).fill(false);
    for (const [kind, start] of units(text)) plain[start] = kind === "plain";
    return expandBraces(text, plain);
  }
  /** @type {(text: string, plain: boolean[]) => string[]} */
  function expandBraces(text, plain) {
    const part = (/** @type {number} */ a, /** @type {number} */ b) =>
      expandBraces(text.slice(a, b), plain.slice(a, b));
    for (let start = 0; start < text.length; start++) {
      if (text[start] !== "{" || !plain[start] || (start === 0 && text[1] === "}")) continue;
      const [end, commas] = closingBrace(text, plain, start);
      if (end < 0) continue;
      /** @type {string[]} */
      let words = [];
      if (commas.length) {
        [start, ...commas].forEach((from, i) => words.push(...part(from + 1, [...commas, end][i])));
      } else if ([...Array(end - start - 1).keys()].some((i) => plain[start + 1 + i] && text[start + 1 + i] === ",")) {
        words = part(start + 1, end).map((word) => `{${word}}`);
      } else {
        if (plain.slice(start + 1, end).every(Boolean)) words = sequence(text.slice(start + 1, end));
        if (!words.length) words = [text.slice(start, end + 1)];
      }
      const rest = part(end + 1, text.length);
      if (words.length * rest.length > MOST_WORDS) refuse("too-many");
      return words.flatMap((word) => rest.map((after) => text.slice(0, start) + word + after));
    }
    return [text];
  }
  /** @type {(text: string, plain: boolean[], start: number) => [end: number, commas: number[]]} */
  function closingBrace(text, plain, start) {
    let [depth, dots] = [0, false];
    const commas = [];
    for (let i = start + 1; i < text.length; i++) {
      if (!plain[i]) continue;
      if (text[i] === "{") depth++;
      else if (text[i] === "}") {
        if (!depth && (commas.length || dots)) return [i, commas];
        depth = Math.max(depth - 1, 0);
      } else if (text[i] === "," && !depth) commas.push(i);
      else if (text.startsWith("..", i) && text[i + 2] !== "}" && !depth) dots = true;
    }
    return [-1, []];
  }
  /** The words of `1..3` or `a..e`; none if the text is no sequence. @type {(text: string) => string[]} */
  function sequence(text) {
    const found =
      /^(?:(-?[0-9]{1,6})\.\.(-?[0-9]{1,6})|([a-zA-Z])\.\.([a-zA-Z]))(?:\.\.(-?[0-9]{1,6}))?$/.exec(text);
    if (!found) return /[0-9]{7}/.test(text) ? refuse("too-many") : [];
    const [, low, high, first, last, by] = found;
    if (first && /[A-Z]/.test(first) !== /[A-Z]/.test(last)) refuse("mixed-letters", `{${text}}`);
    const [a, b] = first ? [first.charCodeAt(0), last.charCodeAt(0)] : [Number(low), Number(high)];
    const step = Math.abs(Number(by ?? 1)) || 1;
    const more = Math.floor(Math.abs(a - b) / step);
    if (more >= MOST_WORDS) refuse("too-many");
    const values = Array.from({ length: more + 1 }, (_, i) => (a <= b ? a + i * step : a - i * step));
    if (first) return values.map((value) => String.fromCharCode(value));
    const padded = [low, high].some((each) => /^-?0[0-9]/.test(each));
    const width = padded ? Math.max(low.length, high.length) : 0;
    return values.map((value) =>
      value < 0 ? `-${String(-value).padStart(width - 1, "0")}` : String(value || 0).padStart(width, "0"));
  }

  // Arithmetic of $((…)).
  /** @type {(text: string, values: Map<string, string>) => number} */
  function arithmetic(text, values) {
    const wrong = () => refuse("arithmetic", cut(`$((${text}))`));
    const token = /[ \t]*([0-9]+|\$?[A-Za-z_][A-Za-z0-9_]*|\+\+|--|[-+*]=|[-+*/%()=])/y;
    const tokens = /** @type {string[]} */ ([]);
    for (let i = 0; stripped(text.slice(i)); i = token.lastIndex) {
      token.lastIndex = i;
      tokens.push((token.exec(text) ?? wrong())[1]);
    }
    let at = 0;
    const next = (/** @type {string[]} */ ...wanted) =>
      at < tokens.length && (!wanted.length || wanted.includes(tokens[at])) ? tokens[at++] : "";
    const checked = (/** @type {number} */ value) => (Math.abs(value) > LARGEST ? wrong() : value);
    const isName = (/** @type {string} */ name) => /^[A-Za-z_]/.test(name);
    const valueOf = (/** @type {string} */ name) => {
      const held = values.get(name) ?? "";
      if (held && (!NUMBER.test(held) || held.length > 10)) refuse("no-number", name);
      return Number(held);
    };
    const set = (/** @type {string} */ name, /** @type {number} */ value) => {
      if (name === name.toUpperCase()) wrong();
      values.set(name, String(checked(value) || 0));
      return value;
    };
    /** @type {() => number} */
    const sum = () => {
      let value = product();
      for (let sign; (sign = next("+", "-"));) {
        const other = product();
        value = checked(sign === "+" ? value + other : value - other);
      }
      return value;
    };
    const product = () => {
      let value = factor();
      for (let sign; (sign = next("*", "/", "%"));) {
        const other = factor();
        if (sign !== "*" && !other) wrong();
        value = sign === "*" ? checked(value * other) : sign === "/" ? Math.trunc(value / other) : value % other;
      }
      return value;
    };
    /** @type {() => number} */
    const factor = () => {
      const word = next();
      if (word === "-" || word === "+") return word === "-" ? -factor() : factor();
      if (word === "(") {
        const value = sum();
        return next(")") ? value : wrong();
      }
      if (/^[0-9]/.test(word)) return NUMBER.test(word) && word.length <= 10 ? Number(word) : wrong();
      if (word === "++" || word === "--") {
        const name = next();
        return isName(name) ? set(name, valueOf(name) + (word === "++" ? 1 : -1)) : wrong();
      }
      if (word.startsWith("$")) return valueOf(word.slice(1));
      return isName(word) ? named(word) : wrong();
    };
    const named = (/** @type {string} */ name) => {
      const sign = next("=", "+=", "-=", "*=", "++", "--");
      if (!sign) return valueOf(name);
      if (sign === "++" || sign === "--") {
        const value = valueOf(name);
        set(name, value + (sign === "++" ? 1 : -1));
        return value;
      }
      const value = sum();
      if (sign === "=") return set(name, value);
      const before = valueOf(name);
      return set(name, sign === "+=" ? before + value : sign === "-=" ? before - value : before * value);
    };
    const value = tokens.length ? sum() : 0;
    return at < tokens.length ? wrong() : value || 0;
  }

  // Variables, and the tilde and $ expansions of one word.
  /** @type {(variables: Variables, name: string) => string | undefined} */
  function valueOf(variables, name) {
    if (/^[0-9]/.test(name)) return variables.arguments[Number(name) - 1];
    if (name === name.toUpperCase() && !variables.values.has(name)) refuse("unknown-variable", cut(name));
    return variables.values.get(name);
  }
  /** @type {(variables: Variables, name: string, value: string) => void} */
  function assign(variables, name, value) {
    if (name === name.toUpperCase() && name !== "HOME" && name !== "IFS") refuse("unknown-variable", cut(name));
    if (name === "HOME" && !value) refuse("unknown-variable", "HOME=");
    variables.values.set(name, value);
  }
  /** @type {(text: string, mark: string) => Sign[]} */
  const signsOf = (text, mark) => [...text].map((sign) => [sign, mark]);

  /** @type {(word: string) => Sign[]} */
  const asTyped = (word) =>
    [...units(word)].flatMap(([kind, start, end]) => {
      const text = word.slice(start, end);
      if (kind === "plain" || kind === "dollar") return signsOf(text, TYPED);
      if (kind === "escape") return [["\\", SIGN], [text.slice(1), QUOTED]];
      const begin = kind === "ansi" ? 2 : 1;
      const inside = text.slice(begin, -1);
      /** @type {Sign[]} */
      const inner = kind === "double"
        ? innerUnits(inside).flatMap(([part, a, b]) => part === "escape"
          ? [["\\", SIGN], [inside.slice(a + 1, b), QUOTED]]
          : /** @type {Sign[]} */ ([[inside.slice(a, b), QUOTED]]))
        : signsOf(inside, QUOTED);
      return [[text.slice(0, begin), SIGN], ...inner.flatMap(([t, mark]) => signsOf(t, mark)), [text.slice(-1), SIGN]];
    });

  /** @type {(word: string, variables: Variables, assigned: boolean, alike: boolean) => Sign[]} */
  function valued(word, variables, assigned, alike) {
    /** @type {Sign[]} */
    const signs = [];
    const add = (/** @type {string} */ text, /** @type {string} */ mark) => signs.push(...signsOf(text, mark));
    const ansi = /** @type {Record<string, string>} */ ({ n: "\n", t: "\t", "\\": "\\", "'": "'", '"': '"' });

    const braced = (/** @type {string} */ form, /** @type {string} */ mark) => {
      const body = form.slice(2, -1);
      const length = body.startsWith("#");
      const rest = body.slice(Number(length));
      const name = /^(?:[A-Za-z_][A-Za-z0-9_]*|[1-9][0-9]*)/.exec(rest)?.[0] ?? "";
      const after = rest.slice(name.length);
      if (!name || (length && after) || name.length > 40) refuse("unknown-form", cut(form));
      let value = valueOf(variables, name);
      if (length) return add(String([...(value ?? "")].length), mark);
      const operator = after.slice(0, after.startsWith(":") ? 2 : 1);
      if (!["", "-", "=", "+", ":-", ":=", ":+"].includes(operator)) refuse("unknown-form", cut(form));
      const other = after.slice(operator.length);
      const missing = operator.startsWith(":") ? !value : value === undefined;
      if (operator.endsWith("+")) value = missing ? "" : other;
      else if (operator && missing) {
        value = other;
        if (operator.endsWith("=")) {
          if (/^[0-9]/.test(name)) refuse("unknown-form", cut(form));
          assign(variables, name, other);
        }
      }
      add(value ?? "", mark);
    };
    const all = (/** @type {string} */ which, /** @type {boolean} */ quoted) => {
      const ifs = variables.values.get("IFS") ?? "";
      const first = [...ifs][0] ?? "";
      const mark = quoted ? KEPT : MADE;
      if (assigned || (quoted && which === "*")) {
        add(variables.arguments.join(which === "*" ? first : " "), mark);
      } else if (ifs && !quoted) add(variables.arguments.join(first), MADE);
      else {
        variables.arguments.forEach((argument, i) => {
          if (i && quoted) signs.push(['"', SIGN], ["", BREAK], ['"', SIGN]);
          else if (i) signs.push(["", BREAK]);
          add(argument, mark);
        });
      }
    };
    const dollar = (/** @type {string} */ form, /** @type {boolean} */ quoted) => {
      const mark = quoted ? KEPT : MADE;
      if (form.startsWith("$((")) add(String(arithmetic(form.slice(3, -2), variables.values)), mark);
      else if (form.startsWith("$(")) add(echo(form.slice(2, -1), variables), mark);
      else if (form.startsWith("${")) braced(form, mark);
      else if (form === "$@" || form === "$*") all(form[1], quoted);
      else if (form === "$#") add(String(variables.arguments.length), mark);
      else add(valueOf(variables, form.slice(1)) ?? "", mark);
    };
    const inQuotes = (/** @type {string} */ kind, /** @type {string} */ text) => {
      if (kind === "single") return add(text, QUOTED);
      if (kind === "ansi") {
        const inner = [...text];
        for (let i = 0; i < inner.length; i++) {
          if (inner[i] !== "\\") add(inner[i], QUOTED);
          else add(ansi[inner[++i]] ?? refuse("unknown-form", `\\${inner[i]}`), QUOTED);
        }
        return;
      }
      for (const [part, a, b] of innerUnits(text)) {
        if (part === "dollar") dollar(text.slice(a, b), true);
        else if (part === "escape") {
          add("\\", SIGN);
          add(text.slice(a + 1, b), QUOTED);
        } else signs.push([text.slice(a, b), QUOTED]);
      }
    };

    const name = nameEnd(word, 0);
    const from = assigned ? 0 : name + 1 + Number(word.startsWith("+=", name));
    const assignment = assigned || (alike && name > 0 && word[from - 1] === "=");
    for (const [kind, start, end] of units(word)) {
      const text = word.slice(start, end);
      if (text === "~" && kind === "plain") {
        const begins = start === 0 ||
          (assignment && (start === from || word[start - 1] === ":") && start >= from);
        const after = word[start + 1];
        if (begins && (after === undefined || after === "/" || (assignment && after === ":"))) {
          add(variables.values.get("HOME") ?? "", KEPT);
          continue;
        }
        if (begins && ["plain", "dollar"].includes(unitAt(word, start + 1)[0])) {
          refuse("other-home", cut(word.slice(start)));
        }
      }
      if (kind === "plain") add(text, TYPED);
      else if (kind === "escape") signs.push(["\\", SIGN], [text.slice(1), QUOTED]);
      else if (kind === "dollar") dollar(text, false);
      else {
        const begin = kind === "ansi" ? 2 : 1;
        signs.push([text.slice(0, begin), SIGN]);
        inQuotes(kind, text.slice(begin, -1));
        signs.push([text.slice(-1), SIGN]);
      }
    }
    return signs;
  }

  // Fields and file names.
  /** @type {(signs: Sign[], ifs: string) => Sign[][]} */
  function fields(signs, ifs) {
    /** @type {Sign[][]} */
    const found = [];
    /** @type {Sign[]} */
    let field = [];
    let afterWhite = false;
    const emit = () => {
      found.push(field);
      field = [];
    };
    for (const [text, mark] of signs) {
      if (mark === BREAK) {
        if (field.length) emit();
        afterWhite = false;
      } else if (mark !== MADE || !ifs.includes(text)) {
        field.push([text, mark]);
        afterWhite = false;
      } else if (" \t\n".includes(text)) {
        if (field.length) {
          emit();
          afterWhite = true;
        }
      } else {
        if (field.length || !afterWhite) emit();
        afterWhite = false;
      }
    }
    if (field.length) emit();
    return found;
  }
  /** @typedef {{ sign: string, bare: boolean }} Letter */
  const is = (/** @type {Letter | undefined} */ letter, /** @type {string} */ sign) =>
    letter !== undefined && letter.bare && letter.sign === sign;

  /** @type {(field: Sign[]) => Sign[][]} */
  function matched(field) {
    const letters = field.filter(([, mark]) => mark !== SIGN)
      .map(([sign, mark]) => ({ sign, bare: mark === TYPED || mark === MADE }));
    const text = letters.map(({ sign }) => sign).join("");
    if (!isPattern(letters)) return [field];
    if (letters.some((letter) => is(letter, "\\"))) refuse("pattern", cut(text));
    const before = text.startsWith("./") ? "./" : "";
    const pattern = letters.slice(before.length);
    if (pattern.some(({ sign }) => sign === "/") || pattern[0]?.sign === ".") refuse("pattern", cut(text));
    const names = FILES.filter((name) => matches(pattern, name, text)).map((name) => signsOf(before + name, MADE));
    return names.length ? names : [field];
  }
  /** @type {(letters: Letter[]) => boolean} */
  function isPattern(letters) {
    let bracket = false;
    for (const letter of letters) {
      if (is(letter, "*") || is(letter, "?") || (bracket && is(letter, "]"))) return true;
      bracket ||= is(letter, "[");
    }
    return false;
  }
  /** @type {(pattern: Letter[], name: string, shown: string) => boolean} */
  function matches(pattern, name, shown) {
    if (!pattern.length) return !name;
    const [first, ...rest] = pattern;
    if (is(first, "*")) {
      if (is(rest[0], "*")) return matches(rest, name, shown);
      return [...name, ""].some((_, i) => matches(rest, name.slice(i), shown));
    }
    if (is(first, "[")) {
      const begin = is(pattern[1], "!") || is(pattern[1], "^") ? 2 : 1;
      const end = pattern.findIndex((letter, i) => i > begin && is(letter, "]"));
      if (end > 0) {
        const within = inside(pattern.slice(1, end), shown, name.slice(0, 1));
        return name !== "" && within && matches(pattern.slice(end + 1), name.slice(1), shown);
      }
    }
    return name !== "" && (is(first, "?") || first.sign === name[0]) && matches(rest, name.slice(1), shown);
  }
  /** @type {(bracket: Letter[], shown: string, sign: string) => boolean} */
  function inside(bracket, shown, sign) {
    const negated = is(bracket[0], "!") || is(bracket[0], "^");
    const rest = negated ? bracket.slice(1) : bracket;
    const kind = (/** @type {string} */ c) => [/[0-9]/, /[a-z]/, /[A-Z]/].findIndex((each) => each.test(c));
    let found = false;
    for (let i = 0; i < rest.length; i++) {
      const c = rest[i].sign;
      if (c === "[" || Number(c.codePointAt(0)) > 126) refuse("pattern", cut(shown));
      if (i + 2 < rest.length && is(rest[i + 1], "-")) {
        const last = rest[i + 2].sign;
        if (kind(c) < 0 || kind(c) !== kind(last) || last.length > 1) refuse("pattern", cut(shown));
        found ||= c <= sign && sign <= last;
        i += 2;
      } else found ||= c === sign;
    }
    return found !== negated;
  }

  // All steps of a line.
  /** @type {(word: string) => [name: string, value: string] | null} */
  function assignmentOf(word) {
    const end = nameEnd(word, 0);
    if (!end) return null;
    if (word[end] === "=") return [word.slice(0, end), word.slice(end + 1)];
    if (word[end] === "[" || word.startsWith("+=", end)) refuse("unknown-form", cut(word.slice(0, end + 2)));
    return null;
  }
  const bare = (/** @type {Sign[]} */ signs) => signs.filter(([, mark]) => mark !== SIGN);
  const plain = (/** @type {Sign[]} */ signs) => bare(signs).map(([text]) => text).join("");
  const visible = (/** @type {string} */ text) => text.replaceAll("\n", "↵").replaceAll("\t", "⇥");

  /** `$(echo …)` runs in a copy of the shell, so it changes nothing. @type {(text: string, variables: Variables) => string} */
  function echo(text, variables) {
    const statements = wordsOf(text);
    if (statements.length !== 1 || statements[0][0] !== "echo") refuse("only-echo", cut(stripped(text)));
    const copy = { values: new Map(variables.values), arguments: variables.arguments };
    const words = stepsOf(statements[0].slice(1), copy)[5].map(plain);
    if (words[0]?.startsWith("-")) refuse("only-echo", cut(stripped(text)));
    return words.join(" ").replace(/\n+$/, "");
  }
  /** @type {(steps: Sign[][][]) => Sign[][][]} */
  function checked(steps) {
    const large = (/** @type {Sign[][]} */ step) =>
      step.length > MOST_WORDS || step.some((word) => word.length > LONGEST);
    return steps.some(large) ? refuse("too-many") : steps;
  }
  /** @type {(words: string[], variables: Variables) => Sign[][][]} */
  function stepsOf(words, variables) {
    const expanded = words.flatMap((word) => braces(word).map((made) => ({ made, alike: made === word })));
    /** @type {Sign[][]} */
    const values = [];
    /** @type {Sign[][]} */
    const split = [];
    for (const { made, alike } of expanded) {
      const signs = valued(made, variables, false, alike);
      values.push(signs);
      split.push(...fields(signs, variables.values.get("IFS") ?? ""));
    }
    const names = split.flatMap(matched);
    return checked([words.map(asTyped), expanded.map(({ made }) => asTyped(made)), values, split, names, names.map(bare)]);
  }
  /** @type {(word: string, variables: Variables) => Sign[][][]} */
  function assigned(word, variables) {
    const [name, typed] = assignmentOf(word) ?? ["", ""];
    const signs = valued(typed, variables, true, true);
    const steps = checked([[asTyped(typed)], [signs], [bare(signs)]]);
    assign(variables, name, plain(signs));
    return steps;
  }
  /** @type {(words: Sign[][]) => TypedWord[]} */
  function boxes(words) {
    const kinds = /** @type {Record<string, string>} */ ({ [MADE]: "made", [KEPT]: "made", [SIGN]: "quote" });
    return words.flatMap((word) => {
      /** @type {TypedWord[]} */
      const found = [[]];
      for (const [text, mark] of word) {
        const box = found[found.length - 1];
        const kind = kinds[mark] ?? "";
        if (mark === BREAK) found.push([]);
        else if (box.length && box[box.length - 1][1] === kind) box[box.length - 1][0] += visible(text);
        else box.push([visible(text), kind]);
      }
      return found;
    });
  }
  /** @type {(names: string[], steps: Sign[][][]) => TypedRow[]} */
  function rows(names, steps) {
    const texts = steps.map((step) => JSON.stringify(step.map((word) => word.map(([text]) => text))));
    return names.map((name, i) => {
      const same = i > 0 && texts[i] === texts[i - 1];
      return { name, words: same ? [] : boxes(steps[i]), gaps: {}, depth: 0, same };
    });
  }
  /** @type {TypedThing} */
  function reply(line) {
    const statements = wordsOf(line);
    if (!statements[0].length) refuse("nothing");
    const variables = { values: new Map(Object.entries(VALUES)), arguments: ARGUMENTS };
    for (const [number, words] of statements.entries()) {
      const last = number === statements.length - 1;
      const found = words.findIndex((word) => !assignmentOf(word));
      const first = found < 0 ? words.length : found;
      const command = words.slice(first);
      const before = words.slice(0, first);
      if (command.length && [...RESERVED, ...DECLARES].includes(command[0])) refuse("not-simple", command[0]);
      if (!command.length) {
        const all = before.map((word) => assigned(word, variables));
        if (!last) continue;
        const steps = all[all.length - 1];
        const [name] = before[before.length - 1].split("=");
        const gaps = { name, value: visible(plain(steps[2][0])) };
        return { said: "assigned", gaps, rows: rows(["typed", "values", "quotes"], steps) };
      }
      if (!last) refuse("one-command", cut(command[0]));
      const steps = stepsOf(command, variables);
      for (const word of before) assigned(word, variables);
      const count = steps[5].length;
      return {
        said: !count ? "nothing-left" : before.length ? "late" : "words",
        gaps: { typed: String(command.length), count: String(count) },
        rows: rows(["typed", "braces", "values", "splitting", "names", "quotes"], steps),
      };
    }
    return refuse("nothing");
  }
  return reply;
})());
