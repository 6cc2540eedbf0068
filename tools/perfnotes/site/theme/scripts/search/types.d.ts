// The values that the modules of the search hand to each other. No browser loads this file.
import type { Search } from "./search.js";

export type Kind = "tag" | "topic" | "lang" | "level" | "type";
export type SlotKind = "word" | "code" | "pair" | "loose" | "char" | "both";

/** A term with its role: "w" a word, "p" a part of one, "j" its end, "u" a single sign. */
export type Term = [term: string, role: string];
export interface Token { text: string; start: number; end: number; terms: Term[] }

/** What a query says. */
export interface Query {
  words: string;
  phrases: string[];
  excluded: string[];
  filters: [kind: Kind, value: string][];
}

/** What is looked up in the index for a part of a query; `at` is its place in the query's key. */
export interface Slot {
  term: string;
  kind: SlotKind;
  at: number;
  parts: string[];
  ends?: string[];
  joined?: string;
  /** Such as UVM, which is no typo of another word. */
  isName?: boolean;
  /** Whether it is an option of a program or a part of one, such as --interleave. */
  isOption?: boolean;
}
/** `signs` are terms of what stands there without letters, such as [[. */
export interface Analysis { slots: Slot[]; key: string; bounds: Set<number>; signs?: string[] }

/** The pages of a slot: the value of each, and the block in which it stands. */
export interface Hits { df: number; pages: Map<number, [value: number, block: number]>; terms: string[] }
export interface Row { slot: Slot; hits: Hits }
export interface Scored {
  value: number;
  blocks: Map<number, number>;
  covered?: number;
  /** The symptom of a note that answers. */
  symptom?: number;
}
/**
 * What a query weighs: all of it, and the words that no note has; and its number of slots. `rival` is the
 * best score of a subject that no note is about.
 */
export interface Asked {
  total: number; unknown: number; slots: number; rival: number; hasCode: boolean; foreign: number;
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
  /** The first document of what no note is about. */
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

/** A part of a text; `mark` says that it was asked for. */
export interface Part { text: string; mark: boolean }
/** The other place of a note at which the answer may stand; its top has no heading. */
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
  results: Result[];
  total: number;
  facets: Record<string, Record<string, number>>;
  expanded: string[];
  corrected: [typed: string, word: string][];
  suggestions: { text: string; kind?: string }[];
  missing: string[];
  query: string;
  terms?: string[];
  /** Whether probably no page answers: the results are what is near. */
  isWeak?: boolean;
  /** Whether no page has the phrases of the query: the results have their words. */
  isLoose?: boolean;
  /** First results; the others follow. */
  partial?: boolean;
  /** From memory; the answer of the engine follows. */
  soon?: boolean;
  /** The site's index has a format that this script cannot read. */
  isOther?: boolean;
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

/** What shows the answers; `shown` is what stands there. */
export interface Screen {
  readonly shown: { text: string; answer: Answer | null };
  asked(text: string): void;
  show(text: string, answer: Answer): void;
  empty(text: string): void;
  wait(): void;
  painted(): Promise<unknown>;
}

/** What the buttons of the search do. */
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

/** The result that was opened from a list, so that it is found again. */
export interface Pick { page?: string; most?: number }
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
  /** Said before the other place of a result; `top` is what a note's top is called there. */
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

/** What the page's other scripts and the search share. */
export interface Shared {
  root: URL;
  /** Where a reader asks for a note: a form of the code host, and by language a page of the site. */
  ask?: { form: string; how: Record<string, string> };
  isOpen?: boolean;
  asFile(address: string | URL): string;
  /** The data of shards that have loaded and that no engine has taken yet. */
  arrived: Map<string, unknown>;
  /** Fulfilled when the root that the page has loaded beside the script is there, or has failed. */
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
