// The types that the scripts of things to try share. No browser loads this file.

/** Every number of a thing to try by its name: constants, values of controls, computed values. */
type Numbers = Record<string, number>;

/** The data of a control on its page; `Control` in Python says what the fields mean. */
interface ControlData {
  id: string;
  least: number;
  most: number;
  start: number;
  step: number;
  doubling: boolean;
  unit: string;
}
interface ExplorableData {
  name: string;
  constants: Numbers;
  controls: ControlData[];
  says: string[];
  drag: boolean;
}

/** The functions of one thing to try: the same as `compute` and `draw` in Python. */
interface Explorable {
  compute(n: Numbers): Numbers;
  draw(n: Numbers): Record<string, string | number | undefined>[];
}

/** A text, and the end of the name of its class; empty if it has no class. */
type TypedPiece = [text: string, kind: string];
type TypedWord = TypedPiece[];
interface TypedRow {
  name: string;
  words: TypedWord[];
  gaps: Record<string, string>;
  depth: number;
  same: boolean;
}
interface TypedAnswer {
  said: string;
  gaps: Record<string, string>;
  rows: TypedRow[];
}
/** The data of a thing to try by typing on its page. */
interface TypedData {
  name: string;
  longest: number;
  says: Record<string, string>;
  names: Record<string, string>;
  same: string;
  empty: string;
}
/** The function of one thing to try by typing: the same as `answer` in Python. */
type TypedThing = (line: string) => TypedAnswer;

interface ExploreTools {
  /** Throws a refusal: `said` is the name of the sentence that says why, `what` the text for its gap. */
  refuse(said: string, what?: string): never;
  /** Returns the beginning of a text, for the gap of a sentence. */
  cut(text: string): string;
  /** Returns the answer of a thing to a line, or the sentence that refuses the line. */
  answer(thing: TypedThing, line: string, longest: number): TypedAnswer;
  /** Registers a thing to try by typing and starts it on the page. */
  typed(name: string, thing: TypedThing): void;
  /** Registers a thing to try and starts it on the page. */
  explore(name: string, thing: Explorable): void;
  figure(value: number, significant?: number): string;
  withUnit(text: string, unit: string): string;
  made(tag: string, name: string, text?: string): HTMLElement;
  /** Rounds a coordinate to a tenth. */
  at(value: number): number;
  /** The attribute `d` of lines through the points. */
  path(points: [x: number, y: number][]): string;
  /** Where a value lies on a logarithmic axis from `low` at `start` to `high` at `end`. */
  logPlace(value: number, low: number, high: number, start: number, end: number): number;
}
declare var pnPage: ExploreTools;
