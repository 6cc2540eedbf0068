// The slots of a query, each of which is one lookup in the index; it does as
// tools/perfnotes/search/analysis.py.
import { LONELY, LONGEST_TERM, LOOSE, MOST_SIGNS, MOST_SLOTS, STOP, STOP_ZH } from "./constants.js";
import { fold, isCjk, signsOf, tokens } from "./tokens.js";

/** @import { Analysis, Slot, Token } from "./types.d.ts" */

export const STOP_WORDS = new Set(STOP.split(" "));
const STOPS_ZH = new RegExp(STOP_ZH);
const LONELY_SET = new Set(LONELY), LOOSE_SET = new Set(LOOSE);

/**
 * @param {string} text
 * @param {boolean} alone
 */
function runsOf(text, alone) {
  const parts = text.split(STOPS_ZH).filter(Boolean);
  const said = parts.filter((part) => Array.from(part).length > 1 || !LONELY_SET.has(part));
  return said.length ? said : alone || Array.from(text).length === 1 ? [text] : [];
}

/**
 * @param {string} text
 * @returns {Analysis}
 */
export function analyse(text) {
  const all = tokens(text), signs = [...new Set(signsOf(text))].slice(0, MOST_SIGNS);
  if (!all.length) { // signs such as <<<: only names can match them
    const sign = Array.from(fold(text).replace(/\s+/g, "")).slice(0, LONGEST_TERM).join("");
    /** @type {Slot} */
    const only = { term: `?${sign}?`, kind: "pair", at: 0, parts: [] };
    return { slots: sign ? [only] : [], key: sign, bounds: new Set([0, sign.length]), signs };
  }
  const mixed = all.some((t) => isCjk(t.text));
  let kept = all.filter((t) => isCjk(t.text) || !STOP_WORDS.has(t.terms[0][0]) ||
    (mixed && t.terms[0][0].length === 1));
  if (!kept.length) kept = all;
  /** @type {Slot[]} */
  const slots = [];
  const bounds = new Set([0]);
  const alone = kept.length === 1 && isCjk(kept[0].text);
  let key = "";
  for (const [i, token] of kept.entries()) {
    const before = i && isFlagOf(kept[i - 1], token) && slots.pop();
    if (before) {
      const flag = token.terms[0][0], term = `${before.term}-${flag}`;
      slots.push({ term, kind: "code", at: before.at, parts: [before.term, flag], ends: [] });
      key += flag;
    } else if (isCjk(token.text)) {
      for (const run of runsOf(token.text, alone)) {
        const chars = Array.from(run);
        if (chars.length === 1) slots.push({ term: run, kind: "char", at: key.length, parts: [] });
        let at = key.length;
        for (let i = 0; i < chars.length; i++) {
          bounds.add(at);
          if (i + 1 < chars.length) {
            const loose = chars.length > 2 && (LOOSE_SET.has(chars[i]) || LOOSE_SET.has(chars[i + 1]));
            const kind = loose ? "loose" : "pair";
            slots.push({ term: chars[i] + chars[i + 1], kind, at, parts: [] });
          }
          at += chars[i].length;
        }
        key += run;
      }
    } else {
      addWord(token, key.length, slots);
      key += token.terms[0][0];
    }
    bounds.add(key.length);
  }
  return { slots: slots.slice(0, MOST_SLOTS), key, bounds, signs };
}

/**
 * Whether a token is a short option, such as -e, of the command before it.
 * @param {Token} command
 * @param {Token} flag
 */
const isFlagOf = (command, flag) => /^-[^-]/.test(flag.text) && Array.from(flag.text).length <= 3 &&
  /^[A-Za-z0-9]+$/.test(command.text);

/**
 * @param {Token} token
 * @param {number} at
 * @param {Slot[]} slots
 */
function addWord(token, at, slots) {
  const whole = token.terms[0][0];
  const parts = token.terms.slice(1).filter((t) => t[1] === "p").map((t) => t[0]);
  const ends = token.terms.slice(1).filter((t) => t[1] === "j").map((t) => t[0]);
  const isOption = token.text.startsWith("-");
  if (parts.length && !ends.length && token.text.replace(/^-+/, "").includes("-")) {
    parts.forEach((part, i) => slots.push({
      term: part, kind: "word", at: at + whole.indexOf(part), parts: [], joined: i ? "" : whole, isOption,
    }));
  } else {
    const isName = /^\P{Ll}{2,}$/u.test(token.text) && /\p{Lu}/u.test(token.text);
    slots.push({ term: whole, kind: parts.length ? "code" : "word", at, parts, ends: ends.slice(0, 3), isName, isOption });
  }
}
