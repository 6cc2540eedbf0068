// The picture: its layers, and what of the graph they show.
import { relations, say } from "./data.js";
import { svg } from "./elements.js";

/** @import { Seen } from "./types.d.ts" */

export const picture = svg("svg", { role: "group", "aria-label": say("Graph of notes, papers and terms", "笔记、文献与术语的图") });
export const world = svg("g");
export const lines = relations.map((_, i) => svg("path", { class: `pn-edge pn-edge-${i}` }));
export const marked = svg("path", { class: "pn-edge pn-edge-marked" });
export const regions = svg("g", { class: "pn-graph-regions", "aria-hidden": "true" });
export const layer = svg("g");
world.append(...lines, marked, regions, layer);
picture.append(world);

/** @type {Seen} */
export const seen = { nodes: [], current: null, topics: [], topic: "", k: 1, x: 0, y: 0 };
