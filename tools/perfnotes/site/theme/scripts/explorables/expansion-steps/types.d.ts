// What the modules of this thing to try hand to each other. No browser loads this file.

/** A part of a word: plain, an escape, a kind of quotes or a form with $; and where it is. */
export type Unit = [kind: string, start: number, end: number];

/** A character, or a text without one, and where it comes from; values.js says the marks. */
export type Sign = [text: string, mark: string];

export interface Variables {
  values: Map<string, string>;
  arguments: string[];
  /** What a command in $(…) writes. */
  echo(text: string, variables: Variables): string;
}

/** A sign of a pattern; a bare one may mean more than itself. */
export interface Letter {
  sign: string;
  bare: boolean;
}
