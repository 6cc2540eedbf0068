// The search engine in the reader's browser; its twin is tools/perfnotes/search/query.py, and a
// test holds their results together. docs/search.md says how ranking works. An engine reads one
// index, whose root it has loaded first; deployed.js takes another where the site has a new index.
//
//   const search = pnSearch.create({ base: "../search/", lang: "en" });
//   search.preload();                       // fetches the root, as soon as a search is likely
//   const answer = await search.query(text, { limit: 10, expand: true, onPartial: show });
//
// answer = { results: [{ id, url, title, section, sectionUrl, lang, type, titleParts, sectionParts,
//                        snippet: [{ text, mark }], score, page }],
//            total, facets: { topic, tag, lang, level, type },  // value → number of pages
//            expanded: [words], corrected: [[typed, word]], suggestions: [{ text, kind }],
//            missing: [shards that failed], query }
// A root of another format than this engine reads is missing, and search.isOther is true.
// It is null where a later query has overtaken this one. url and sectionUrl are relative to the
// site's root. onPartial gets an answer with the first results and no counts, as soon as there are
// any; nothing more is fetched until the promise that it may give is kept. Nothing here touches the
// page but for the scripts that bring the shards; all strings are plain text: show them as text,
// never as HTML. Call tokens.js first.
"use strict";
(() => {
  const T = pnSearch.tokenizer;
  const ALPHABET = Array.from({ length: 92 }, (_, i) => String.fromCharCode(33 + i))
    .filter((c) => c !== '"' && c !== "\\").join("");
  const VALUE = new Map(Array.from(ALPHABET, (c, i) => [c, i]));
  const END = "\uffff", BLOCKS = 6, FIRST_SHARDS = 2, LIGHTER = 0.8, MOST_EXPANSIONS = 6;
  const EXACT = 100, NUMBER = 95, FORM = 75, WIDE = 45, MOST_FORMS = 60;
  const NAMED = 1e6, LEAST = 0.3, MORE = 0.05, MOST = 0.5, FEW = 3, RARITY = 0.7, RARER = 2;
  const WEIGHTS = { word: 100, code: 120, pair: 60, loose: 15, char: 60, both: 60 };
  const LONGEST = 400, MOST_SLOTS = 24, MOST_PHRASE = 30;
  const KINDS = ["topic", "lang", "level", "type"];
  const FORMAT = 2, GROUP = 32, LENGTH = 6; // of the index's files, and of the digests in their names

  // shards arrive as scripts
  const arrived = new Map();
  pnSearch.shard = (name, data) => arrived.set(name, data);

  // codec
  function read(text, at) {
    const first = VALUE.get(text[at]);
    if (first < 60) return [first, at + 1];
    if (first < 89) return [60 + (first - 60) * 90 + VALUE.get(text[at + 1]), at + 2];
    const [a, b, c] = [1, 2, 3].map((i) => VALUE.get(text[at + i]));
    return [2670 + (a * 90 + b) * 90 + c, at + 4];
  }
  function numbers(text) {
    const found = [];
    for (let at = 0, value; at < text.length;) {
      [value, at] = read(text, at);
      found.push(value);
    }
    return found;
  }
  function decode(text) { // [page, impact, block, page, impact, block, …]
    const found = [];
    for (let at = 0, page = -1, gap, block; at < text.length;) {
      [gap, at] = read(text, at);
      page += gap + 1;
      let impact = VALUE.get(text[at++]);
      block = 0;
      if (impact >= 30) {
        impact -= 30;
        [block, at] = read(text, at);
      }
      found.push(page, impact, block);
    }
    return found;
  }
  function unpack(text) {
    let before = "";
    return text ? text.split(" ").map((part) =>
      (before = before.slice(0, VALUE.get(part[0])) + part.slice(1))) : [];
  }
  function bisect(list, value, right) {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (right ? value < list[middle] : list[middle] >= value) high = middle;
      else low = middle + 1;
    }
    return low;
  }
  const shardAt = (bounds, term) => Math.max(0, bisect(bounds, term, true) - 1);
  const unique = (list) => Array.from(new Set(list));

  // what is asked
  const OPTION = /^(?:--|-[A-Z]|-[A-Za-z]?[0-9]|-[A-Za-z]{1,2}$|-[^-]+[-=]|-[fm](?:no)?[a-z0-9]+$)/;
  function parse(text) {
    const PART = new RegExp("((?<!\\S)-)?[\"“”]([^\"“”]*)[\"“”]" +
      "|(?<!\\S)(tag|topic|lang|level|type)[:：]([^\\s\"“”]+)|(?<!\\S)(-[^\\s\"“”]+)", "g");
    text = Array.from(text).slice(0, LONGEST).join("");
    const query = { words: "", phrases: [], excluded: [], filters: [] };
    const words = [];
    let at = 0;
    for (const m of text.matchAll(PART)) {
      const phrase = (m[2] || "").trim();
      words.push(text.slice(at, m.index));
      at = m.index + m[0].length;
      if (m[3]) query.filters.push([m[3], m[4].toLowerCase()]);
      else if (m[5]) {
        const before = words.join("").trim() || query.phrases.length;
        if (before && !OPTION.test(m[5])) query.excluded.push(m[5].slice(1));
        else words.push(` ${m[5]} `);
      } else if (phrase && m[1]) query.excluded.push(phrase);
      else if (phrase) {
        query.phrases.push(phrase);
        words.push(` ${phrase} `);
      }
    }
    words.push(text.slice(at));
    query.words = words.join("").replace(/["“”]/g, " ").trim();
    return query;
  }

  const STOP = new Set(("a an the of to in on at by for from with without and or is are was were " +
    "be been do does did how what why when where which who can could should would i my me you " +
    "your we our it its this that these those there s t not as into than then if so vs via use " +
    "using get").split(" "));
  const STOP_ZH = new RegExp("为什么|什么时候|怎么样|怎么|怎样|什么|如何|为何|哪些|哪个|哪里|多少|" +
    "是否|可以|能否|以及|还是|一个|[的了吗呢吧么]");
  const LONELY = new Set("有用是在和与及或把被不也都就要让会能个这那之于对从到以为其比中里上下");

  const LOOSE = new Set("和与及或是在有把被比");

  function runsOf(text, alone) {
    const parts = text.split(STOP_ZH).filter(Boolean);
    const said = parts.filter((part) => Array.from(part).length > 1 || !LONELY.has(part));
    return said.length ? said : alone || Array.from(text).length === 1 ? [text] : [];
  }
  function analyse(text) {
    const all = T.tokens(text);
    if (!all.length) { // signs such as <<<, which nothing but names can have
      const sign = T.fold(text).replace(/\s+/g, "").slice(0, 64);
      const only = { term: `?${sign}?`, kind: "pair", at: 0, parts: [] };
      return { slots: sign ? [only] : [], key: sign, bounds: new Set([0, sign.length]) };
    }
    const mixed = all.some((t) => T.isCjk(t.text));
    let kept = all.filter((t) => T.isCjk(t.text) || !STOP.has(t.terms[0][0]) ||
      (mixed && t.terms[0][0].length === 1));
    if (!kept.length) kept = all;
    const slots = [], bounds = new Set([0]);
    const alone = kept.length === 1 && T.isCjk(kept[0].text);
    let key = "";
    for (const token of kept) {
      if (T.isCjk(token.text)) {
        for (const run of runsOf(token.text, alone)) {
          const chars = Array.from(run);
          if (chars.length === 1) slots.push({ term: run, kind: "char", at: key.length, parts: [] });
          let at = key.length;
          for (let i = 0; i < chars.length; i++) {
            bounds.add(at);
            if (i + 1 < chars.length) {
              const loose = chars.length > 2 && (LOOSE.has(chars[i]) || LOOSE.has(chars[i + 1]));
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
    return { slots: slots.slice(0, MOST_SLOTS), key, bounds };
  }
  function addWord(token, at, slots) {
    const whole = token.terms[0][0];
    const parts = token.terms.slice(1).filter((t) => t[1] === "p").map((t) => t[0]);
    const ends = token.terms.slice(1).filter((t) => t[1] === "j").map((t) => t[0]);
    if (parts.length && !ends.length && token.text.replace(/^-+/, "").includes("-")) {
      parts.forEach((part, i) => slots.push({
        term: part, kind: "word", at: at + whole.indexOf(part), parts: [], joined: i ? "" : whole,
      }));
    } else slots.push({ term: whole, kind: parts.length ? "code" : "word", at, parts, ends: ends.slice(0, 3) });
  }

  // spelling
  const allowed = (word) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);
  function distance(typed, word, most, prefix) {
    if (!prefix && Math.abs(typed.length - word.length) > most) return most + 1;
    word = word.slice(0, typed.length + most);
    let before = [], last = Array.from({ length: word.length + 1 }, (_, i) => i);
    for (let i = 1; i <= typed.length; i++) {
      const row = [i];
      for (let j = 1; j <= word.length; j++) {
        const same = typed[i - 1] === word[j - 1];
        let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
        if (i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1]) {
          cost = Math.min(cost, before[j - 2] + 1);
        }
        row.push(cost);
      }
      if (Math.min(...row) > most) return most + 1;
      before = last;
      last = row;
    }
    return prefix ? Math.min(...last) : last[word.length];
  }
  function nearest(typed, words, prefix, most) {
    const found = [];
    for (const [word, common] of words) {
      let slips = distance(typed, word, most, false), rank = slips;
      if (prefix && slips > 1 && word.length > typed.length) {
        const begun = distance(typed, word, most, true);
        if (begun + 0.5 < rank) [slips, rank] = [begun, begun + 0.5];
      }
      if (slips <= most) found.push([rank, -common, word, slips]);
    }
    found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0));
    return found.slice(0, 3).filter((f) => f[0] <= found[0][0] + 0.5).map((f) => [f[2], f[3]]);
  }

  // Pairs that are much rarer than those before and behind them join two words: they count less.
  function loosened(rows) {
    const isPair = ({ kind }) => kind === "pair" || kind === "loose";
    const next = ({ at, term }) => at + Array.from(term)[0].length;
    const pairs = rows.filter((row) => isPair(row.slot));
    const starts = new Map(pairs.map((row) => [row.slot.at, row.hits.df]));
    const ends = new Map(pairs.map((row) => [next(row.slot), row.hits.df]));
    return rows.map(({ slot, hits }) => {
      if (slot.kind !== "pair") return { slot, hits };
      const around = Math.min(ends.get(slot.at) || 0, starts.get(next(slot)) || 0);
      return { slot: hits.df * RARER <= around ? { ...slot, kind: "loose" } : slot, hits };
    });
  }

  // scoring; scores: page → { value, blocks: Map }
  function score(rows, idf) {
    const scores = new Map();
    const slots = rows.filter(({ slot }) => slot.kind !== "both").length;
    const least = Math.min(MOST, LEAST + MORE * Math.max(0, slots - FEW));
    let total = 0;
    for (const { slot, hits } of rows) {
      const weight = idf(hits.df) * WEIGHTS[slot.kind];
      const covers = slot.kind === "both" ? 0 : weight;
      total += covers;
      for (const [page, [value, block]] of hits.pages) {
        let mine = scores.get(page);
        if (!mine) scores.set(page, (mine = { value: 0, covered: 0, blocks: new Map() }));
        const said = weight * value;
        mine.value += said;
        mine.covered += covers;
        mine.blocks.set(block, (mine.blocks.get(block) || 0) + said);
      }
    }
    for (const mine of scores.values()) {
      const share = total ? mine.covered / total : 1;
      mine.value = (mine.value / 3e7) * (least + (1 - least) * share * share);
    }
    return scores;
  }
  function take(scores, other, weight) {
    for (const [page, scored] of other) {
      const value = scored.value * weight, mine = scores.get(page);
      if (!mine || value > mine.value) scores.set(page, { value, blocks: scored.blocks });
    }
    return other.size > 0;
  }
  function bestBlock(scored) {
    let best = 0, most = -1;
    for (const [block, said] of scored ? scored.blocks : []) {
      if (said > most || (said === most && block < best)) [best, most] = [block, said];
    }
    return best;
  }
  const plain = (text) => T.fold(text).toLowerCase().split(/\s+/).filter(Boolean).join(" ");

  class Search {
    // `again` ends every address, so that a browser does not take what it has kept; `onMissing` is
    // called where a shard does not come.
    constructor({ base, lang, again = "", onMissing = () => {} }) {
      this.base = base;
      this.lang = lang || "en";
      this.again = again;
      this.onMissing = onMissing;
      this.isOther = false; // whether the root is that of an index of another format
      this.promises = new Map();
      this.parsed = new Map();
      this.begun = new Set(); // shards that were fetched ahead of the first results
      this.turn = 0;
    }

    // One shard; null where it is missing or broken, which a later query tries again.
    load(name) {
      let promise = this.promises.get(name);
      if (!promise) {
        promise = new Promise((done) => {
          const element = document.createElement("script");
          const end = () => {
            element.remove();
            const data = arrived.get(name);
            arrived.delete(name);
            if (data === undefined) {
              this.missing.add(name);
              this.promises.delete(name);
              this.onMissing(name);
              done(null);
            } else done(data);
          };
          element.onload = end;
          element.onerror = end;
          element.async = true;
          element.src = this.address(name);
          document.head.append(element);
        });
        this.promises.set(name, promise);
      }
      return promise;
    }

    // Where a shard lies: its name, and the digest of what it holds, which the root lists. Pages of
    // one group share a digest.
    address(name) {
      const [kind, rest] = name.split("/"), number = parseInt(rest, 10) || 0;
      const at = LENGTH * (kind === "d" ? Math.floor(number / GROUP) : number);
      const digest = this.root ? `.${(this.root.files[kind] || "").slice(at, at + LENGTH)}` : "";
      return `${this.base}${name}${digest}.js${this.again}`;
    }

    missing = new Set();

    async preload() {
      if (this.root) return true;
      const data = await this.load("root");
      if (!data || this.root) return !!this.root;
      this.isOther = data.format !== FORMAT;
      if (this.isOther) {
        this.promises.delete("root");
        this.missing.add("root");
        return false;
      }
      this.root = data;
      this.bounds = unpack(data.t);
      this.words = unpack(data.w);
      this.tails = unpack(data.x);
      this.twins = new Set();
      let page = 0;
      for (const gap of numbers(data.twins)) this.twins.add((page += gap));
      return true;
    }

    // Gives no answers from now on: a query under way comes to nothing.
    leave() {
      this.turn++;
      this.painted = true;
    }

    async terms(number) {
      const name = `t/${number}`;
      if (this.parsed.has(name)) return;
      const data = await this.load(name);
      if (!data) return;
      this.parsed.set(name, {
        terms: unpack(data[0]), postings: data[1].split(" "), long: data[2], names: data[3],
        decoded: new Map(),
      });
    }

    needs(numbers) {
      return Promise.all(unique(numbers).map((n) => this.terms(n)));
    }

    at(term) { return shardAt(this.bounds, term); }

    idf = (df) => {
      const n = this.root.n, many = Math.min(Math.max(df, 1), n);
      const rarity = Math.log(1 + (n - many + 0.5) / (many + 0.5));
      return Math.max(20, Math.round(100 * rarity ** RARITY));
    };

    span(slot, prefix) {
      const base = slot.kind === "word" ? T.stem(slot.term) : slot.term;
      const ends = prefix || slot.kind === "word";
      return [base, ends ? base + END : slot.term];
    }

    shards(slot, prefix) {
      const at = this.at(slot.term);
      if (slot.kind === "pair" || slot.kind === "loose") return [at];
      const [low, high] = this.span(slot, prefix).map((term) => this.at(term));
      if (high - low <= 1) return high > low ? [low, high] : [low];
      return prefix ? unique([at, this.at(slot.term + "*")]).sort((a, b) => a - b) : [at];
    }

    decoded(shard, i) {
      if (!shard.decoded.has(i)) shard.decoded.set(i, decode(shard.postings[i]));
      return shard.decoded.get(i);
    }

    df(shard, i) { return shard.long[i] || this.decoded(shard, i).length / 3; }

    match(slot, prefix, only) {
      const [low, high] = this.span(slot, prefix);
      const base = slot.kind === "word" ? T.stem(slot.term) : "";
      let found = [];
      const wide = [];
      for (const number of this.shards(slot, prefix)) {
        const shard = this.parsed.get(`t/${number}`);
        if (!shard || (only && !only.has(number))) continue;
        const end = bisect(shard.terms, high, true);
        for (let i = bisect(shard.terms, low, false); i < end; i++) {
          const term = shard.terms[i];
          let weight = 0;
          if (term.endsWith("*")) {
            if (prefix && term === slot.term + "*") {
              wide.push({ weight: WIDE, df: this.df(shard, i), term, shard, i });
            }
            continue;
          }
          if (term === slot.term) weight = EXACT;
          else if (slot.kind === "word" && T.stem(term) === base) {
            weight = term === `${slot.term}s` || `${term}s` === slot.term ? NUMBER : FORM;
          }
          else if (prefix && term.startsWith(slot.term)) {
            const more = Array.from(term).length - Array.from(slot.term).length;
            weight = slot.kind === "code" ? Math.max(40, 85 - 2 * more)
              : Math.max(30, 72 - 4 * more);
          }
          if (weight) found.push({ weight, df: this.df(shard, i), term, shard, i });
        }
      }
      if (wide.length) found = found.filter((row) => row.weight >= FORM).concat(wide);
      if (slot.kind === "word" && found.some((row) => row.weight === EXACT)) {
        for (const row of found) { // complete as it was typed: endings count less
          if (row.weight < FORM) row.weight = Math.floor((row.weight * 2) / 5);
        }
      }
      found.sort((a, b) => b.weight - a.weight || b.df - a.df ||
        (a.term < b.term ? -1 : a.term > b.term ? 1 : 0));
      return this.merge(found.slice(0, MOST_FORMS));
    }

    merge(rows) {
      const sum = (list) => list.reduce((all, row) => all + row.df, 0);
      const df = Math.min(this.root.n, sum(rows.filter((r) => r.weight >= FORM)) || sum(rows));
      const pages = new Map(), terms = [];
      for (const { weight, term, shard, i } of rows) {
        terms.push(term);
        const list = this.decoded(shard, i);
        for (let k = 0; k < list.length; k += 3) {
          const value = weight * (list[k + 1] + 1), mine = pages.get(list[k]);
          if (!mine || value > mine[0]) pages.set(list[k], [value, list[k + 2]]);
        }
      }
      return { df, pages, terms };
    }

    names(term) {
      const shard = this.parsed.get(`t/${this.at(term)}`);
      const found = shard && Object.hasOwn(shard.names, term) ? shard.names[term] : [];
      return found.map(([key, pages, spellings]) => ({
        key,
        pages: new Map(numbers(pages).map((n) => [Math.floor(n / 2), n % 2])),
        spellings: spellings || [],
      }));
    }

    isPrefix(slot, found) {
      return slot.kind === "code" || slot.kind === "char" ||
        slot === found.slots[found.slots.length - 1];
    }

    slotShards(found) {
      return found.slots.map((slot) => this.shards(slot, this.isPrefix(slot, found)));
    }

    firstSlots(found) {
      const rank = { code: 20, word: 0, pair: 5, loose: 0, char: 0 };
      const needed = this.slotShards(found);
      const guess = found.slots.map((s) => rank[s.kind] +
        (s.kind === "pair" || s.kind === "loose" ? (s.at + 1) % 2 : Array.from(s.term).length));
      const order = guess.map((_, i) => i).sort((a, b) => guess[b] - guess[a] || a - b);
      let names = new Set(needed.flat().filter((n) => this.begun.has(n)));
      const room = Math.min(FIRST_SHARDS, FIRST_SHARDS + 1 - (this.begun.size - names.size));
      for (const i of order) {
        const more = new Set([...names, ...needed[i]]);
        if (more.size <= room) names = more;
      }
      const slots = found.slots.filter((_, i) => needed[i].every((n) => names.has(n)));
      const rest = order.map((i) => found.slots[i]).filter((slot) => !slots.includes(slot));
      for (const { at, parts, ends } of found.slots) {
        rest.push(...(ends || []).slice(0, 1).map((term) => ({ term, kind: "code", at, parts: [] })));
        rest.push(...parts.map((term) => ({ term, kind: "word", at, parts: [] })));
      }
      return [slots, ...rest.map((slot) => [slot])];
    }

    // While the first query is typed: fetches the shards that its first results will need however it
    // goes on, so that a pause waits for a page alone. These are those of words that are complete,
    // of what begins the last word, and of the first pairs of characters; not of a short word that
    // comes first, which may not be what the query is about.
    begin(text) {
      const query = parse(text), found = analyse(query.words), last = found.slots[found.slots.length - 1];
      const simple = !query.filters.length && !query.phrases.length && !query.excluded.length;
      if (!this.root || this.painted || !simple) return;
      for (const slot of this.firstSlots(found)[0]) {
        const isWord = slot.kind === "word" || slot.kind === "code";
        const isLikely = isWord ? slot.term.length >= (this.begun.size ? 3 : 5)
          : slot.kind === "pair" && (slot.at === 0 || slot.at === 2);
        const needed = isWord ? this.span(slot, true).map((term) => this.at(term)) : [this.at(slot.term)];
        const more = unique(needed).filter((n) => !this.begun.has(n));
        const isSure = needed[needed.length - 1] - needed[0] <= (slot === last ? 0 : 1);
        if (!isLikely || !isSure || this.begun.size + more.length > FIRST_SHARDS) continue;
        for (const n of more) {
          this.begun.add(n);
          this.terms(n);
        }
      }
    }

    // Rows of slots with their hits; with corrections where asked for. What stands in for slots
    // without any is painted as soon as it is there.
    async rows(found, corrected, early = async () => {}) {
      await this.needs(this.slotShards(found).flat());
      const rows = [], last = found.slots[found.slots.length - 1];
      for (const slot of found.slots) {
        const prefix = this.isPrefix(slot, found), hits = this.match(slot, prefix);
        if (hits.pages.size) {
          rows.push({ slot, hits });
          continue;
        }
        const ended = await this.ended(slot);
        const near = ended ? null
          : await this.correct(slot, corrected, slot.kind !== "code" && prefix, early);
        if (ended || slot.kind !== "code" || near.pages.size) {
          rows.push(ended || { slot, hits: near });
        } else {
          for (const part of slot.parts) {
            const small = { term: part, kind: "word", at: slot.at, parts: [] };
            const ends = slot === last && part === slot.parts[slot.parts.length - 1];
            await this.needs(this.shards(small, ends));
            let own = this.match(small, ends);
            if (!own.pages.size) own = await this.correct(small, corrected, ends, early);
            rows.push({ slot: small, hits: own });
            await early(rows.slice(-1));
          }
        }
        await early(rows.slice(-1));
      }
      const all = loosened(rows);
      const there = new Set(this.slotShards(found).flat());
      found.slots.slice(1).forEach((b, i) => { // two words that stand together in names
        const a = found.slots[i];
        if (a.kind !== "word" || b.kind !== "word" || a.at + a.term.length !== b.at) return;
        const term = a.term + b.term, slot = { term, kind: "word", at: a.at, parts: [] };
        all.push({ slot: { ...slot, kind: "both" }, hits: this.match(slot, b === last, there) });
      });
      return all.filter((row) => row.hits.pages.size);
    }

    // A compound without its beginning: nthelement for std::nth_element.
    async ended(slot) {
      for (const term of slot.ends || []) {
        const shorter = { term, kind: "code", at: slot.at, parts: [] };
        await this.needs(this.shards(shorter, true));
        const hits = this.match(shorter, true);
        if (hits.pages.size) return { slot: shorter, hits };
      }
      return null;
    }

    async correct(slot, corrected, prefix, early) {
      const most = allowed(slot.term), none = { df: 0, pages: new Map(), terms: [] };
      if (!corrected || !most || /[^\x00-\x7f]/.test(slot.term)) return none;
      const found = await this.nearest(slot.term, prefix, most);
      if (found.length) corrected.push([slot.term, found[0][0]]);
      const rows = [];
      for (const [term, slips] of found) {
        if (rows.length === 1) await early([{ slot, hits: this.merge(rows) }]);
        await this.needs((rows.length ? found : found.slice(0, 1)).map(([word]) => this.at(word)));
        const shard = this.parsed.get(`t/${this.at(term)}`);
        const i = shard ? bisect(shard.terms, term, false) : 0;
        if (shard && shard.terms[i] === term) {
          rows.push({ weight: 90 - 20 * slips, df: this.df(shard, i), term, shard, i });
        }
      }
      return this.merge(rows);
    }

    async nearest(typed, prefix, most) {
      for await (const words of this.spelled(typed)) {
        const found = nearest(typed, words, prefix, most);
        if (found.length) return found;
      }
      return nearest(typed, await this.respelled(typed), prefix, most);
    }

    // Words from which this one differs by its first letter.
    async respelled(typed) {
      const found = [];
      if (typed[1] !== typed[0]) {
        const swapped = typed[1] + typed[0] + typed.slice(2);
        const rows = new Map((await this.spelled(swapped).next()).value || []);
        for (const w of [swapped, typed.slice(1)]) if (rows.has(w)) found.push([w, rows.get(w)]);
      }
      for (const tail of [typed, typed.slice(1)]) {
        if (!this.tails.length) break;
        const data = await this.load(`v/${shardAt(this.tails, tail)}`);
        if (!data) continue;
        const firsts = data[1].split(" ");
        unpack(data[0]).forEach((w, i) => w === tail && found.push([firsts[i] + tail, 1]));
      }
      return found;
    }

    // The words near this one, then others with its first letter if they are not many.
    async *spelled(typed) {
      if (!this.words.length) return;
      const [near, low, high] = [typed, typed[0], typed[0] + END].map((w) => shardAt(this.words, w));
      const others = high - low === 1 ? [low, high].filter((i) => i !== near) : [];
      for (const i of [near, ...others]) {
        const data = await this.load(`w/${i}`);
        if (!data) continue;
        const common = data[1].split(" ");
        yield unpack(data[0]).map((word, k) => [word, Number(common[k])]);
      }
    }

    addNames(found, scores) {
      const stands = (key, at) => found.key.startsWith(key, at) && found.bounds.has(at + key.length);
      const groups = [], seen = new Set();
      found.slots.forEach((slot, i) => {
        for (const { key, pages, spellings } of this.names(slot.term)) {
          if (key === found.key && i === 0) {
            for (const [page, rank] of pages) {
              if (!scores.has(page)) scores.set(page, { value: 0, blocks: new Map() });
              scores.get(page).value += NAMED * (2 - rank);
            }
          } else if (stands(key, slot.at)) {
            for (const page of pages.keys()) {
              const mine = scores.get(page);
              if (mine && mine.value < NAMED) mine.value *= 1 + 0.3 * (key.length / found.key.length);
            }
          }
          if (spellings.length && stands(key, slot.at)) {
            for (const spelling of spellings) {
              const other = analyse(spelling);
              if (!seen.has(other.key) && !found.key.includes(other.key)) {
                seen.add(other.key);
                groups.push({ start: slot.at, end: slot.at + key.length, spelling, other });
              }
            }
          }
        }
      });
      return groups.slice(0, MOST_EXPANSIONS);
    }

    async rank(found, answer, expand, stale, paint) {
      const early = (some) => paint(
        score(some.filter((row) => row.hits.pages.size), this.idf), some.flatMap((row) => row.hits.terms));
      const rows = await this.rows(found, answer.corrected, early);
      const scores = score(rows, this.idf);
      answer.terms = rows.flatMap((row) => row.hits.terms);
      const groups = this.addNames(found, scores);
      await paint(scores, answer.terms);
      if (!expand || stale()) return scores;
      const variants = groups.map((group) => ({ ...group, slots: group.other.slots }));
      for (const s of found.slots) {
        if (s.joined) {
          const slots = [{ term: s.joined, kind: "word", at: s.at, parts: [] }];
          variants.push({ start: s.at, end: s.at + s.joined.length, slots });
        }
      }
      await Promise.all(variants.map((v) => {
        const mine = found.slots.filter((s) => s.at < v.start || s.at >= v.end);
        v.all = { slots: mine.concat(v.slots) };
        return this.needs(this.slotShards(v.all).flat());
      }));
      for (const v of variants) {
        const more = await this.rows(v.all, null);
        const anything = take(scores, score(more, this.idf), v.spelling ? LIGHTER : 1);
        if (anything) answer.terms.push(...more.flatMap((row) => row.hits.terms));
        if (anything && v.spelling) answer.expanded.push(v.spelling);
      }
      return scores;
    }

    async facetsOf() {
      if (this.facets) return this.facets;
      const data = await this.load("m");
      if (!data) return null;
      const values = {}, tags = {};
      for (const kind of KINDS) {
        const list = [], runs = numbers(data.runs[kind]);
        for (let i = 0; i < runs.length; i += 2) {
          for (let k = 0; k < runs[i + 1]; k++) list.push(data.names[kind][runs[i]]);
        }
        values[kind] = list;
      }
      for (const [tag, gaps] of Object.entries(data.tags)) {
        let page = 0;
        tags[tag] = new Set(numbers(gaps).map((gap) => (page += gap)));
      }
      return (this.facets = { values, tags });
    }

    async allowedBy(kind, value) {
      const facets = await this.facetsOf(), pages = new Set();
      if (!facets) return pages;
      if (kind === "tag") {
        for (const [tag, list] of Object.entries(facets.tags)) {
          if (tag.toLowerCase() === value) for (const page of list) pages.add(page);
        }
        return pages;
      }
      facets.values[kind].forEach((has, page) => {
        const lower = has.toLowerCase();
        if (lower === value || (kind === "topic" && lower.startsWith(`${value}/`))) pages.add(page);
      });
      return pages;
    }

    async restrict(query, scores) {
      const keep = (test) => {
        for (const page of [...scores.keys()]) if (!test(page)) scores.delete(page);
      };
      for (const [kind, value] of query.filters) {
        const pages = await this.allowedBy(kind, value);
        keep((page) => pages.has(page));
      }
      for (const words of query.phrases) keep(await this.hasAll(words));
      for (const words of query.excluded) {
        const test = await this.hasAll(words);
        keep((page) => !test(page));
      }
    }

    // Whether every word stands on a page.
    async hasAll(words) {
      const slots = analyse(words).slots;
      await this.needs(slots.flatMap((slot) => this.shards(slot, false)));
      const hits = slots.map((slot) => this.match(slot, false).pages);
      return (page) => hits.length > 0 && hits.every((pages) => pages.has(page));
    }

    order(scores, lang = this.lang) {
      const best = new Map();
      for (const [page, { value }] of scores) {
        const original = this.twins.has(page) ? page - 1 : page;
        best.set(original, Math.max(best.get(original) || 0, value));
      }
      const rounded = [...best].map(([page, value]) => [page, Math.round(value * 1e6)]);
      rounded.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
      return rounded.map(([page]) =>
        (lang !== "en" && this.twins.has(page + 1) ? page + 1 : page));
    }

    async text(page) {
      const parts = [];
      for (let i = 0, many = 1; i < many; i++) {
        const data = await this.load(i ? `d/${page}-${i}` : `d/${page}`);
        if (!data) break;
        if (!i) parts.push(data[2]);
        for (const [, heading, text] of data[5]) parts.push(`${heading}\n${text}`);
        many = data[6] || 1;
      }
      return plain(parts.join("\n"));
    }

    async withPhrases(order, phrases) {
      const wanted = phrases.map(plain), looked = order.slice(0, MOST_PHRASE);
      const texts = await Promise.all(looked.map((page) => this.text(page)));
      return looked.filter((_, i) => wanted.every((phrase) => texts[i].includes(phrase)));
    }

    async result(page, scores, terms) {
      const scored = scores.get(page), at = bestBlock(scored), file = Math.floor(at / BLOCKS);
      const data = await this.load(file ? `d/${page}-${file}` : `d/${page}`);
      if (!data) return null;
      const [id, url, title, lang, type, blocks] = data;
      const [anchor, section, text] = blocks[at % BLOCKS] || ["", "", ""];
      const plainUrl = url.split("#")[0];
      return {
        id, url, title, section, lang, type, page, score: scored ? scored.value : 0,
        titleParts: marked(title, terms), sectionParts: marked(section, terms),
        sectionUrl: anchor ? `${plainUrl}#${encodeURIComponent(anchor)}` : url,
        snippet: snippet(text, terms),
      };
    }

    async results(order, limit, scores, terms) {
      const found = await Promise.all(
        order.slice(0, limit).map((page) => this.result(page, scores, terms)));
      return found.filter(Boolean);
    }

    async suggest(found) {
      const said = [];
      for (const { kind, term } of found.slots) {
        if ((kind === "word" || kind === "code") && /^[\x00-\x7f]{3,}$/.test(term)) {
          const rows = await this.nearest(term, true, 3);
          said.push(...rows.map(([word]) => ({ text: word, kind: "word" })));
        }
      }
      const facets = await this.facetsOf();
      const tags = Object.keys((facets && facets.tags) || {}).map((tag) => [tag, 1]);
      for (const { term } of found.slots) {
        for (const [tag] of nearest(term, tags, true, 2)) said.push({ text: tag, kind: "tag" });
      }
      const seen = new Set();
      return said.filter((s) => !seen.has(s.kind + s.text) && seen.add(s.kind + s.text)).slice(0, 8);
    }

    async query(text, { limit = 10, expand = true, facets = true, onPartial = null } = {}) {
      const turn = ++this.turn, stale = () => turn !== this.turn;
      this.latest = text;
      this.missing = new Set();
      const answer = {
        results: [], total: 0, expanded: [], corrected: [], suggestions: [], missing: [],
        facets: { topic: {}, tag: {}, lang: {}, level: {}, type: {} }, query: text,
      };
      const failed = () => ({ ...answer, missing: [...this.missing] });
      if (!(await this.preload())) return failed();
      // One query at a time fetches what first results need: those overtaken meanwhile fetch nothing.
      const before = this.gate;
      let open;
      this.gate = new Promise((done) => (open = done));
      await before;
      if (stale()) return open(), null;
      const query = parse(text), found = analyse(query.words);
      const simple = !query.filters.length && !query.phrases.length && !query.excluded.length;
      let painted = false;
      // The very first results may be those of a query that is being typed on.
      const late = () => stale() && (this.painted || !this.latest.startsWith(text));
      const paint = async (scores, terms) => {
        if (!onPartial || !simple || painted || late()) return;
        const results = await this.results(this.order(scores), 1, scores, terms);
        if (late() || !results.length) return;
        painted = this.painted = true;
        this.begun.clear();
        await onPartial({ ...answer, results, partial: true });
      };
      try {
        if (onPartial && simple && found.slots.length) {
          for (const slots of this.firstSlots(found)) {
            await this.needs(slots.flatMap((slot) => this.shards(slot, this.isPrefix(slot, found))));
            const rows = slots.map((slot) =>
              ({ slot, hits: this.match(slot, this.isPrefix(slot, found)) }));
            const direct = rows.filter((row) => row.hits.pages.size);
            await paint(score(direct, this.idf), direct.flatMap((row) => row.hits.terms));
            if (direct.length || stale()) break;
          }
        }
      } finally {
        open();
      }
      if (stale()) return null;
      let scores = await this.rank(found, answer, expand, stale, paint);
      if (stale()) return null;
      if (!found.slots.length && query.filters.length) {
        scores = new Map(Array.from({ length: this.root.n }, (_, page) =>
          [page, { value: 1, blocks: new Map() }]));
      }
      await this.restrict(query, scores);
      const wanted = query.filters.filter(([kind]) => kind === "lang").pop();
      let order = this.order(scores, wanted ? wanted[1] : this.lang);
      const phrases = query.phrases.filter((phrase) => { // one plain word needs no look at texts
        const [slot, ...more] = analyse(phrase).slots;
        return !(slot && !more.length && slot.kind === "word" && slot.term === phrase.toLowerCase());
      });
      if (phrases.length) order = await this.withPhrases(order, phrases);
      if (stale()) return null;
      answer.total = order.length;
      if (onPartial && !painted && order.length) {
        const results = await this.results(order, 1, scores, answer.terms);
        if (stale()) return null;
        onPartial({ ...answer, results, partial: true });
      }
      const [results, data] = await Promise.all([
        this.results(order, limit, scores, answer.terms), facets && order.length ? this.facetsOf() : null,
      ]);
      answer.results = results;
      if (data) answer.facets = counts(data, order);
      if (!order.length && text.trim()) answer.suggestions = await this.suggest(found);
      delete answer.terms;
      return stale() ? null : failed();
    }
  }

  function counts({ values, tags }, order) {
    const found = { tag: Object.create(null) };
    for (const kind of KINDS) {
      found[kind] = Object.create(null);
      for (const page of order) {
        const value = values[kind][page];
        if (value) found[kind][value] = (found[kind][value] || 0) + 1;
      }
    }
    for (const [tag, pages] of Object.entries(tags)) {
      const many = order.reduce((n, page) => n + (pages.has(page) ? 1 : 0), 0);
      if (many) found.tag[tag] = many;
    }
    return found;
  }

  // Where the terms of an answer stand in a text: [from, to, term].
  function marksIn(text, terms) {
    const wanted = new Set(terms), wide = terms.filter((t) => t.endsWith("*"));
    const starts = wide.map((t) => t.slice(0, -1));
    const isWanted = (term) => wanted.has(term) || starts.some((s) => term.startsWith(s));
    const marks = [];
    for (const match of text.matchAll(T.TOKEN)) {
      let at = match.index;
      if (T.isCjk(match[0])) {
        const chars = Array.from(match[0]);
        chars.forEach((char, i) => {
          const pair = i + 1 < chars.length ? char + chars[i + 1] : "";
          if (pair && isWanted(pair)) marks.push([at, at + pair.length, pair]);
          else if (wanted.has(char)) marks.push([at, at + char.length, char]);
          at += char.length;
        });
        continue;
      }
      const hit = T.termsOf(T.fold(match[0])).find(([term]) => isWanted(term));
      if (hit) marks.push([at, at + match[0].length, hit[0]]);
    }
    return marks;
  }

  // A range of a text as [{text, mark}].
  function parts(text, marks, start, end) {
    const found = [];
    let at = start;
    const add = (to, mark) => {
      const last = found[found.length - 1];
      if (to > at && mark && last && last.mark) last.text += text.slice(at, to);
      else if (to > at) found.push({ text: text.slice(at, to), mark });
      at = Math.max(at, to);
    };
    for (const [from, to] of marks) {
      if (to <= at || from >= end) continue;
      add(Math.max(from, at), false);
      add(Math.min(to, end), true);
    }
    add(end, false);
    return found;
  }
  const marked = (text, terms) => parts(text, marksIn(text, terms), 0, text.length);

  // The part of a block with most of the words asked for.
  function snippet(text, terms) {
    const marks = marksIn(text, terms);
    const length = text.charCodeAt(0) > 0x2fff || /[\u4e00-\u9fff]{8}/.test(text) ? 110 : 220;
    let start = 0, most = 0;
    marks.forEach(([from], i) => {
      const inside = new Set();
      for (let k = i; k < marks.length && marks[k][1] <= from + length - 30; k++) inside.add(marks[k][2]);
      if (inside.size > most) [start, most] = [Math.max(0, from - 30), inside.size];
    });
    if (start) {
      const space = text.indexOf(" ", start);
      if (space >= 0 && space - start < 20) start = space + 1;
    }
    let end = Math.min(text.length, start + length);
    const word = text.lastIndexOf(" ", end);
    if (end < text.length && end - word < 20) end = word; // no half a word
    const found = parts(text, marks, start, end);
    if (start) found.unshift({ text: "… ", mark: false });
    if (end < text.length) found.push({ text: " …", mark: false });
    return found;
  }

  pnSearch.create = (options) => new Search(options);
  pnSearch.parse = parse;
  pnSearch.analyse = analyse;
})();
