// The picture: its layers, and the state of what they show.
import { relations, say } from "./data.js";
import { svg } from "./elements.js";

/** @import { Seen } from "./types.d.ts" */

export const picture = svg("svg", { role: "group", "aria-label": say("Graph of notes, papers and terms", "笔记、文献与术语的图") });
export const world = svg("g");
export const lines = relations.map((_, i) => svg("path", { class: `pn-edge pn-edge-${i}` }));
export const marked = svg("path", { class: "pn-edge pn-edge-marked" });
// The names of topics and the plate lie above the world and are not scaled with it.
export const regions = svg("g", { class: "pn-graph-regions" });
export const plate = svg("g", { class: "pn-graph-plate" });
const above = svg("svg", { "aria-hidden": "true" });
export const layer = svg("g");
world.append(...lines, marked, layer);
plate.append(svg("rect", { rx: "3" }), svg("text"));
above.append(regions, plate);
picture.append(world, above);

/** @type {Seen} */
export const seen = { nodes: [], current: null, pointed: null, topics: [], topic: "", k: 1, x: 0, y: 0, w: 0, h: 0 };
/** Where a node lies in the picture. @type {(node: GraphNode) => [x: number, y: number]} */
export const placeOf = (node) => [node.x * seen.k + seen.x, node.y * seen.k + seen.y];
