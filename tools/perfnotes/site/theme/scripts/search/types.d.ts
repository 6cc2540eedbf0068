// The types that the modules of the search share. No browser loads this file.
import type { Search } from "./search.js";

export type Kind = "tag" | "topic" | "lang" | "level" | "type";
export type SlotKind = "word" | "code" | "pair" | "loose" | "char" | "both";

/** A term with its role: "w" a word, "p" a part of a compound, "j" its end, "u" the last character of a run. */
export type Term = [term: string, role: string];
export interface Token { text: string; start: number; end: number; terms: Term[] }

/** A parsed query: the words to look for, phrases, excluded words and filters. */
export interface Query {
  words: string;
  phrases: string[];
  excluded: string[];
  filters: [kind: Kind, value: string][];
}

/** One lookup in the index; `at` is its offset in the query's key. Slot in analysis.py says more. */
export interface Slot {
  term: string;
  kind: SlotKind;
  at: number;
  parts: string[];
  ends?: string[];
  joined?: string;
  /** Whether it is in capitals, such as UVM: it is never corrected as a typo. */
  isName?: boolean;
  /** Whether it is an option of a program or a part of one, such as --interleave. */
  isOption?: boolean;
}
/** `bounds` are offsets in the key at which a name may begin or end; `signs` are terms of signs such as [[. */
export interface Analysis { slots: Slot[]; key: string; bounds: Set<number>; signs?: string[] }

/** The pages of a slot: how well each matches, and the block in which it matches best. */
export interface Hits { df: number; pages: Map<number, [value: number, block: number]>; terms: string[] }
export interface Row { slot: Slot; hits: Hits }
export interface Scored {
  value: number;
  blocks: Map<number, number>;
  /** The symptom of a note that answers. */
  symptom?: number;
}
/** The weights of a query's slots, summed up; QueryWeights in confidence.py says what the fields mean. */
export interface QueryWeights {
  total: number; unknown: number; slots: number; rival: number; hasCode: boolean; foreign: number;
  matches: [weight: number, pages: Map<number, unknown>][];
}
export type Scores = Map<number, Scored>;

/** The first file of an index; docs/search.md says what its fields hold. */
export interface Root {
  format: number;
  v: string;
  n: number;
  files: Record<string, string>;
  /** How many pages each group of pages has. */
  groups: string;
  t: string;
  w: string;
  x: string;
  twins: string;
  symptoms: string;
  /** The first document of a subject without a note. */
  subjects?: number;
  /** The shard of the facets, if it is short. */
  m?: object;
}
export interface Shard {
  terms: string[];
  postings: string[];
  long: Record<number, number>;
  names: Record<string, [key: string, pages: string, spellings?: string[]][]>;
  decoded: Map<number, number[]>;
}
export interface Facets {
  values: Record<string, string[]>;
  tags: Record<string, Set<number>>;
  /** What a topic or tag is called, by kind, value and language. */
  titles: Record<string, Record<string, Record<string, string>>>;
}

export type Block = [anchor: string, heading: string, text: string];
/** A part of a text; `mark` says whether it has a term of the query. */
export interface Part { text: string; mark: boolean }
/** The second place of a note at which the answer may stand; the top of a note has no heading. */
export interface Other { url: string; heading: string }
export interface Result {
  id: string;
  url: string;
  title: string;
  section: string;
  sectionUrl: string;
  /** Whether a symptom answers: then `section` is what a person sees, `snippet` how to confirm it. */
  isSymptom: boolean;
  lang: string;
  type: string;
  page: number;
  score: number;
  titleParts: Part[];
  sectionParts: Part[];
  snippet: Part[];
  other: Other | null;
}
export interface Answer {
  /** The best results, at most as many as were asked for. */
  results: Result[];
  /** The number of all pages that were found. */
  total: number;
  /** The number of these pages by facet (topic, tag, lang, level, type) and value. */
  facets: Record<string, Record<string, number>>;
  /** Other names that were searched too. */
  expanded: string[];
  /** Words that no page has, each with the word that was searched instead. */
  corrected: [typed: string, word: string][];
  /** If no page was found: words and tags that may be meant. */
  suggestions: { text: string; kind?: string }[];
  /** The names of shards that did not load. */
  missing: string[];
  query: string;
  terms?: string[];
  /** Whether probably no page answers: the results are then about similar things. */
  isWeak?: boolean;
  /** Whether no page has the phrases of the query: the results have their words. */
  isLoose?: boolean;
  /** Whether these are only first results, and the others follow. */
  partial?: boolean;
  /** Whether the answer is made of loaded files alone, and the whole answer follows. */
  soon?: boolean;
  /** The site's index has a format that this script cannot read. */
  isOtherFormat?: boolean;
}
export type Paint = (answer: Answer) => unknown;
export interface Choices { limit: number; expand: boolean; facets?: boolean; onPartial?: Paint | null }

/** The engine over the index that the site has now. */
export interface Deployed {
  readonly index: Search;
  readonly facets: Facets | undefined | null;
  query(text: string, choices: Choices): Promise<Answer | null>;
  preload(): Promise<boolean>;
  begin(text: string): void;
  retry(): void;
}

/** Shows answers; `shown` is the query and the answer that it shows now. */
export interface Screen {
  readonly shown: { text: string; answer: Answer | null };
  asked(text: string): void;
  show(text: string, answer: Answer): void;
  empty(text: string): void;
  wait(): void;
  painted(): Promise<unknown>;
}

/** The actions of the buttons of the search. */
export interface Actions {
  asked(text: string): unknown;
  put(text: string): void;
  focus(): void;
  more(): void;
  retry(): void;
  reload(): unknown;
  setExpand(on: boolean): void;
  submit(text: string): unknown;
  facets(): Facets | undefined | null;
}

/**
 * The result that was opened from a list of `most` results; it is active when the reader comes back. The page of
 * results was `scrolled` so many pixels.
 */
export interface Pick { page?: string; most?: number; scrolled?: number }
/** A filter; `name` is its value as a reader calls it. */
export interface Chip { kind: Kind; value: string; name: string; count: number; on: boolean }
/** The words of the interface; words.js has them in both languages. */
export interface Words {
  search: string;
  placeholder: string;
  close: string;
  clear: string;
  results: string;
  searching: string;
  count(n: number): string;
  all(n: number): string;
  more: string;
  also: string;
  comma: string;
  alsoSwitch: string;
  instead(typed: string, word: string): string;
  none: string;
  unknown(kind: string, value: string): string;
  nearest: string;
  tag: string;
  loose: string;
  looser: string;
  seen: string;
  confirm: string;
  /** The words before the other place of a result; `top` is the name of a note's top there. */
  other: string;
  top: string;
  noNote: string;
  outside: string;
  ask: string;
  near: string;
  noneThere: string;
  /** In place of `none` where the query excludes words. */
  noneLeft: string;
  missing(online: boolean): string;
  failed(online: boolean): string;
  retry: string;
  changed: string;
  reload: string;
  long(n: number): string;
  filters: string;
  remove(name: string): string;
  recent: string;
  forget: string;
  hints: string;
  examples: [query: string, meaning: string][];
  keys: string;
  kinds: Record<string, string>;
  values: Record<string, string>;
}

/** The global object that the page's other scripts and the search share. */
export interface Shared {
  root: URL;
  /** Where a reader asks for a note: a form of the code host, and by language a page of the site. */
  ask?: { form: string; how: Record<string, string> };
  isOpen?: boolean;
  asFile(address: string | URL): string;
  /** The data of shards that have loaded and that no engine has taken yet. */
  arrived: Map<string, unknown>;
  /** Fulfilled when the root, which the page loads beside the script of the search, has loaded or failed. */
  rootCame?: Promise<unknown> | null;
  shard(name: string, data: unknown): void;
  create(options: EngineOptions): Search;
  deployed(options: EngineOptions): Deployed;
  ui(options: { page: HTMLElement | null }): unknown;
}
export interface EngineOptions {
  base: string;
  lang?: string;
  again?: string;
  onMissing?: (name: string) => void;
}

declare global {
  var pnSearch: Shared;
  var __md_get: (key: string, storage?: Storage | null, scope?: URL) => unknown;
  var __md_set: (key: string, value: unknown, storage?: Storage | null, scope?: URL) => void;
}
