// What the modules of the graph hand to each other. No browser loads this file.

/** The part of the graph that the reader sees. */
export interface Seen {
  nodes: GraphNode[];
  /** The node that is chosen. */
  current: GraphNode | null;
  /** The node whose links stand out: that under the pointer, or else the chosen one. */
  pointed: GraphNode | null;
  topics: string[];
  /** The topic to which the nodes are filtered; empty for all. */
  topic: string;
  /** How the world is scaled, and where its origin lies in the picture. */
  k: number;
  x: number;
  y: number;
  /** The size of the picture. */
  w: number;
  h: number;
}
