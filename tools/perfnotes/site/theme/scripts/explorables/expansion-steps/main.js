// The order of bash's expansions, on a line that the reader types. Nothing is run.
import { braces, MOST_WORDS } from "./braces.js";
import { fields, matched } from "./fields.js";
import { cut, nameEnd, refuse, stripped, wordsOf } from "./text.js";
import { asTyped, assign, BREAK, KEPT, MADE, SIGN, valued } from "./values.js";

/** @import { Sign, Variables } from "./types.d.ts" */

const LONGEST = 160;
const ARGUMENTS = ["a b", "", "c"];
const VALUES = { HOME: "/home/ann", IFS: " \t\n", n: "3", v: " two  words ", g: "*.txt", q: '"a b"' };
const RESERVED = "if then elif else fi for while until do done case esac select function time coproc { } ! [["
  .split(" ");
const DECLARES = "alias declare export local readonly typeset command builtin".split(" ");

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
  const copy = { ...variables, values: new Map(variables.values) };
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
  const variables = { values: new Map(Object.entries(VALUES)), arguments: ARGUMENTS, echo };
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

pnPage.typed("expansion-steps", reply);
