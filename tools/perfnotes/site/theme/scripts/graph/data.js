// The nodes of the site's data.js with their links, and the names of kinds and relations.
export const { say, made } = pnPage;

/** The language of a name: titles stand in their own language. @param {string} text */
export const languageOf = (text) => (/[\u3400-\u9fff]/.test(text) ? "zh" : "en");

export const NOTE = 0, PAPER = 1, TERM = 2;
export const kindNames = [say("Note", "笔记"), say("Paper", "文献"), say("Term", "术语")];
// The names of each relation, from the node where it begins and from the node where it ends.
export const relations = [
  [say("Builds on", "需先读"), say("Leads on to", "后续笔记")],
  [say("Links to", "链接到"), say("Linked from", "被链接自")],
  [say("Cites", "引用"), say("Cited in", "引用它的笔记")],
  [say("Terms", "术语"), say("Used in", "出现于")],
];

/** @param {GraphData} data */
export function nodesOf(data) {
  const nodes = data.nodes.map(/** @type {(row: NodeRow, i: number) => GraphNode} */ ([kind, name, href, x, y, topic, first, title = ""], i) =>
    ({ kind, name, href, x, y, topic, home: data.homes[i], first: first === 1, title, out: [], into: [], near: [], words: "", element: null }));
  for (let i = 0; i < data.edges.length; i += 3) {
    const [a, b, relation] = data.edges.slice(i, i + 3);
    nodes[a].out.push([nodes[b], relation]);
    nodes[b].into.push([nodes[a], relation]);
  }
  for (const node of nodes) {
    node.near = [...node.out, ...node.into].map(([other]) => other);
    node.words = `${node.name} ${node.title}`.toLowerCase();
  }
  return nodes;
}
