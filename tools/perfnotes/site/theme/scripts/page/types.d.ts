// What the scripts of pages hand to each other. No browser loads this file.

/** A comment in a block of code, and the item of the list below that it names. */
interface LineNote {
  comment: Element;
  number: string;
  item: Element;
}

interface PageTools {
  /** Returns the words in the language of the page. */
  say(english: string, chinese: string): string;
  /** Makes an element of this class. A button gets the type "button", so it sends no form. */
  made<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag, name: string, text?: string,
  ): HTMLElementTagNameMap[Tag];
  /** Has screen readers read a text aloud. A script that will call this calls it once before, without a text. */
  tell(text: string): void;
  /** Makes a button of this class that copies the text, and says so. */
  copier(name: string, text: string, label?: string): HTMLButtonElement;
  /** Writes a number as the page does; four digits are significant where no number is given. */
  figure(value: number, significant?: number): string;
  /** Puts a unit after a number, with a no-break space between them, but none before "×". */
  withUnit(text: string, unit: string): string;
  /** Returns how many letters wide a text is at most; a Chinese one counts as two. */
  letters(text: string | null): number;
  /** Loads a script of the theme once, with its style sheet if it has one. */
  loadScript(name: string, styled?: boolean): Promise<unknown>;
  /** The place in a source that a citation names, such as "sec. 3.2"; empty if it names none. */
  locator(link: HTMLAnchorElement): string;
  /** Remembers that the reader knows what the links of numbers open. */
  known(): void;
  /** Shows a figure over the page. Exists after `loadScript("figure")`. */
  enlarge(figure: HTMLImageElement, opener: HTMLElement): void;
  /** Turns comments of a block of code into marks. Exists after `loadScript("lines")`. */
  lines(notes: LineNote[], block: number): void;
  /** The kind of pointer that was last pressed, such as "touch". */
  pointer?: string;
  /** Opens the card of a link. Exists after `loadScript("card")`. */
  card?(link: HTMLAnchorElement, touched: boolean): void;
  /** Shows the passages that say most of the query of a visit. Exists after `loadScript("passages")`. */
  showPassages?(): void;
}
declare var pnPage: PageTools;

/** Reads a setting that is stored for this site; null if there is none. */
type ReadSetting = (key: string, storage?: Storage | null, scope?: URL) => unknown;
type WriteSetting = (key: string, value: unknown, storage?: Storage | null, scope?: URL) => void;
declare var __md_scope: URL;
declare var __md_get: ReadSetting;
declare var __md_set: WriteSetting;

/** The data of a calculator on its page; `Calculator` in Python says what the fields mean. */
interface CalculatorData {
  inputs: { id: string; unit: string; value: number; factor: number; least?: number; most?: number }[];
  outputs: { id: string; formula: string; unit: string; factor: number; otherwise?: string }[];
  cases: number[][];
}

/** A node of the graph in `graph-index/data.js`; `GraphNode` is the node as the script uses it. */
type NodeRow = [
  kind: number, name: string, href: string, x: number, y: number, topic: number, first: number,
  title?: string,
];
interface GraphData {
  nodes: NodeRow[];
  /** Three numbers for each edge: its two nodes and its relation. */
  edges: number[];
  topics: string[];
  /** The topic under which each node stands. */
  homes: number[];
}
interface GraphNode {
  kind: number;
  name: string;
  href: string;
  x: number;
  y: number;
  topic: number;
  home: number;
  first: boolean;
  title: string;
  out: [node: GraphNode, relation: number][];
  into: [node: GraphNode, relation: number][];
  near: GraphNode[];
  words: string;
  element: SVGElement | null;
  shown?: boolean;
  /** The name as it was last written, and where. */
  label?: string;
}
/** The interface of the search, once its script has loaded. */
interface SearchBox {
  /** `keys` are those that the reader has typed while the search was loading. */
  open(query?: string, keys?: string[]): void;
  preload(): void;
  show(query: string | null): void;
}
interface PageSearch {
  /** The address of the site. */
  root: URL;
  asFile(address: string | URL): string;
  /** The data of shards that have loaded before the engine. */
  arrived: Map<string, unknown>;
  rootCame?: Promise<unknown>;
  shard(name: string, data: unknown): void;
  ui(options: { page: HTMLElement | null }): SearchBox;
  /** The style sheet of the search, which comes with its script. */
  style: string;
  isOpen?: boolean;
}

interface Window {
  pnGraph: GraphData;
  pnSearch?: PageSearch;
}
interface Navigator {
  /** Some browsers do not have it. */
  connection?: { saveData?: boolean; effectiveType?: string };
}
