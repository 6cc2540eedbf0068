// The types that the modules of this thing to try share. No browser loads this file.

/** A part of a word with its range. `kind` is plain, escape, single, double, ansi (quotes) or dollar. */
export type Unit = [kind: string, start: number, end: number];

/** A character or an empty text, and the mark of its origin (see values.js). */
export type Sign = [text: string, mark: string];

export interface Variables {
  values: Map<string, string>;
  arguments: string[];
  /** Returns what a command in $(…) prints. */
  echo(text: string, variables: Variables): string;
}

/** A character of a pattern. One that is `bare` (not quoted) may be an operator such as *. */
export interface Letter {
  sign: string;
  bare: boolean;
}
