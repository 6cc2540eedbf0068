"""The graph of notes, papers and terms, as an interactive picture and as a list.

The positions of the nodes are computed during the build. The page holds the list, and ``graph.js``
draws the picture. The nodes are in a script of their own, ``data.js``, and not in JSON, because a
browser loads scripts also for a site in a folder on disk.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from perfnotes.graph.address import markdown_file, relative
from perfnotes.graph.knowledge import KINDS, NOTE, PAPER, RELATIONS, Knowledge, Node
from perfnotes.graph.site import Site
from perfnotes.site.layout.cards import Point, cards, homes
from perfnotes.site.page import Page, block
from perfnotes.site.pages._parts import count, note_link
from perfnotes.site.pages._section import Section
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.markup import escape, escape_markdown, escape_staged
from perfnotes.site.strings import add_words, label_language, string
from perfnotes.source.bib.citestyle import label
from perfnotes.text.joining import joins

WORDS = {
    "graph_lead": (
        "Notes, papers and terms, and what leads from one to another.",
        "笔记、文献与术语，以及它们之间的联系。",
    ),
    "graph_left_out": (
        "{n} nodes with the fewest links are left out of the picture.",
        "图中略去了联系最少的 {n} 个节点。",
    ),
    "graph_list": ("The same as a list", "同一内容的列表"),
    "graph_list_lead": (
        "Every note with what it requires, links to and cites.",
        "每篇笔记及其先读、链接与引用的内容。",
    ),
    "graph_list_many": (
        "There are too many notes to list here. The page of a topic lists its notes, and the page "
        "of a note what it links to and cites.",
        "笔记太多，无法在此列出。主题页列出其中的笔记，笔记页列出它的链接与引用。",
    ),
    "graph_script": (
        "The picture needs JavaScript; the list below says the same.",
        "图形需要 JavaScript，下面的列表内容相同。",
    ),
}
add_words(WORDS)

SECTION = Section(
    "graph",
    ("Graph", "知识图谱"),
    exists=lambda site: site.has_knowledge,
    place=80,
    lead="graph_lead",
    names=(("knowledge graph",), ("图谱",)),
)

GRAPH_LIST = "pn-list"  # the id of the list of all notes
_MOST_LISTED = 500  # notes; if there are more, the page lists only the topics
_SCALE = 26  # the distance between two notes of a topic, in the picture's units


SHOWS = FILES_SHOW = frozenset({"note", "links", "terms", "term", "reference"})


def pages(site: Site, lang: str) -> Iterator[Page]:
    graph = site.knowledge
    if not graph.edges:
        return
    label_lang = label_language(site, lang)
    url = SECTION.url(site, lang)
    title, lead = SECTION.title_in(label_lang), string("graph_lead", label_lang)
    left_out = string("graph_left_out", label_lang, n=graph.left_out) if graph.left_out else ""
    listed, markdown = _list(site, graph, url, lang)
    yield Page(
        url=url,
        lang=label_lang,
        title=title,
        description=lead,
        body=f"{lead} {left_out}\n"
        + block(f'<div class="pn-graph"><p>{escape(string("graph_script", label_lang))}</p></div>')
        + f"## {string('graph_list', label_lang)} {{#{GRAPH_LIST}}}\n\n{listed}",
        markdown=f"# {title}\n\n{lead}\n\n{markdown}",
        kind="graph",
        section=SECTION.name,
        alternates=SECTION.alternates(site),
        styles=("graph",),
        scripts=("graph",),
    )


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    if site.knowledge.edges:
        for lang in site.library.languages:
            yield f"{SECTION.url(site, lang)}data.js", _data(site, lang)


def _data(site: Site, lang: str) -> bytes:
    """Return the script with the nodes and edges.

    A node is a list: number of its kind, name, address, x, y, number of its topic or -1, 1 if it is
    shown at first, and for a paper its title. ``homes`` are the topics at which the nodes stand.
    Edges are one flat list of node, node and relation.
    """
    graph = site.knowledge
    url = SECTION.url(site, lang)
    topics = {id: i for i, id in enumerate(graph.topics)}
    nodes = []
    for i, (node, (x, y)) in enumerate(zip(graph.nodes, site.derived(_positions), strict=True)):
        name, address, more = _name(site, node, lang)
        row: list[object] = [KINDS.index(node.kind), name, relative(url, address)]
        row += [round(x * _SCALE), round(y * _SCALE)]
        row += [topics.get(node.topic, -1) if node.kind == NOTE else -1, int(i in graph.first)]
        nodes.append([*row, more] if more else row)
    data = {
        "topics": [_topic_title(site, id, lang) for id in graph.topics],
        "nodes": nodes,
        "homes": site.derived(_homes),
        "edges": [n for a, b, relation in graph.edges for n in (a, b, RELATIONS.index(relation))],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"var pnGraph = {text};\n".encode()


def _topic_title(site: Site, id: str, lang: str) -> str:
    topic = site.library.topics.get(id)
    return topic.title[lang] if topic else site.settings.name


def _name(site: Site, node: Node, lang: str) -> tuple[str, str, str]:
    """Return a node's name, its address and, for a paper, its title."""
    library = site.library
    if node.kind == NOTE:
        note = library.notes[node.id]
        return site.title(note, lang), site.addresses.note(note, lang), ""
    if node.kind == PAPER:
        reference = library.references[node.id]
        address = site.addresses.reference(node.id, lang)
        return label(reference, lang), address, reference.title
    return library.terms[node.id].title(lang), site.addresses.term(node.id, lang), ""


def _list(site: Site, graph: Knowledge, url: str, lang: str) -> tuple[str, str]:
    """Return the graph as a list, in staged form and for the Markdown copy."""
    label_lang = label_language(site, lang)
    notes = sum(1 for n in graph.nodes if n.kind == NOTE)
    if notes > _MOST_LISTED:
        counts = {id: len(site.library.by_topic[id]) for id in graph.topics}
        items = [
            f'<li><a href="{escape(relative(url, site.addresses.topic(id, lang)))}">'
            f"{escape(_topic_title(site, id, lang))}</a> "
            f'<span class="pn-count">{count("count_notes", n, label_lang)}</span></li>'
            for id, n in counts.items()
        ]
        lead = string("graph_list_many", label_lang)
        return f"{lead}\n" + block(["<ul>", *items, "</ul>"]), lead
    parts = [string("graph_list_lead", label_lang) + "\n"]
    markdown = []
    for n, topic in enumerate(graph.topics, start=1):
        heading = f"### {escape_staged(_topic_title(site, topic, lang))} {{#{GRAPH_LIST}-{n}}}\n"
        mine = [i for i, x in enumerate(graph.nodes) if x.kind == NOTE and x.topic == topic]
        items = [_item(site, graph, i, url, lang, label_lang) for i in mine]
        parts.append(heading + block(['<ul class="pn-graph-list">', *items, "</ul>"]))
        for i in mine:
            name, address, _ = _name(site, graph.nodes[i], lang)
            markdown.append(
                f"- [{escape_markdown(name)}]({relative(url, markdown_file(address))})\n"
            )
    return "".join(parts), "".join(markdown)


def _item(site: Site, graph: Knowledge, i: int, url: str, lang: str, label_lang: str) -> str:
    """Return a list item: a note and, by relation, the nodes to which it leads."""
    signs = joins(label_lang)
    names = dict(zip(RELATIONS, ("builds_on", "links_to", "cites", "graph_terms"), strict=True))
    groups = []
    for relation in RELATIONS:
        found = [b for b, each in graph.neighbours.get(i, ()) if each == relation]
        if found:
            links = signs.item.join(_link(site, graph.nodes[b], url, lang) for b in found)
            groups.append(f"<p>{string(names[relation], label_lang)}{signs.colon}{links}</p>")
    note = site.library.notes[graph.nodes[i].id]
    return f"<li>{note_link(site, url, note, lang)}{''.join(groups)}</li>"


def _link(site: Site, node: Node, url: str, lang: str) -> str:
    name, address, _ = _name(site, node, lang)
    own = lang_attribute(name, lang)
    return f'<a href="{escape(relative(url, address))}"{own}>{escape(name)}</a>'


def _positions(site: Site) -> list[Point]:
    """Return the positions of the nodes of ``site.knowledge``, by topic."""
    groups, edges = site.knowledge.shape
    return cards(groups, edges, site.knowledge.first)


def _homes(site: Site) -> list[int]:
    """Return the topic at which each node of ``site.knowledge`` stands."""
    return homes(*site.knowledge.shape)
