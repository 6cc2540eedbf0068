"""The pages that lead in, as they are made: maps, ways to begin, papers, the graph, any folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from perfnotes.graph import knowledge
from perfnotes.graph.graph import link
from perfnotes.graph.knowledge import CITES, LINKS, NOTE, PAPER, REQUIRES, TERM, USES
from perfnotes.graph.site import Settings, Site
from perfnotes.graph.starting_points import beginnings
from perfnotes.model.reference import Reference
from perfnotes.site.pages._timeline import UNDATED, bars, year_of
from perfnotes.site.stage import Stage
from perfnotes.source.read.folder import read_library
from tests.engine_of import engine_of, prepare
from tests.example_evidence import EVIDENCE, FOLDER, ID, LAB
from tests.example_notes import made_pages, read_site, stage_without_index, write_notes

ATTACK = "</svg></text></script><script>alert(1)</script> \" ' &lt; `a` {{x}}"
PAPERS = """\
@article{lam1991cache,
  author = {Lam, Monica}, title = {Blocked Algorithms}, year = {1991}, keywords = {caches}
}
@manual{intel2024manual,
  organization = {Intel}, title = {Manual}, year = {2024}, keywords = {caches}
}
@misc{undated, author = {Nobody, Ann}, title = {No Year}, keywords = {caches}}
@book{hill2001book, author = {Hill, Mark}, title = {Book}, year = {2001}, keywords = {caches, gpu}}
"""
NOTES: Mapping[str, str] = {
    "references.bib": PAPERS,
    "caches/deep.md": (
        "---\ntitle: Deep\nlevel: advanced\nrequires: [caches/rows, gpu/warps]\n---\n"
        "On [@lam1991cache] and [@intel2024manual, p. 3], after [[lines]].\n"
    ),
    "caches/again.md": "Again [@lam1991cache], see [[lines]] and [[warps]].\n",
}


def made(folder: Path, notes: Mapping[str, str]) -> tuple[Site, Stage, dict[str, LexborHTMLParser]]:
    """A site with the example notes and these, staged, and its pages as a browser parses them."""
    site = read_site(write_notes(folder, dict(notes)))
    return site, *staged(site)


def staged(site: Site) -> tuple[Stage, dict[str, LexborHTMLParser]]:
    tree = stage_without_index(site)
    prepared, dangers = prepare(site, tree, engine_of())
    assert dangers == []
    pages = {}
    for path in tree.pages:
        if not path.startswith("checks/"):
            pages[path.removesuffix("index.md")] = LexborHTMLParser(prepared[path].content)
    return tree, pages


Made = tuple[Site, Stage, dict[str, LexborHTMLParser]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return made(tmp_path_factory.mktemp("lead"), NOTES)


def texts(nodes: list[LexborNode]) -> list[str]:
    return [" ".join(node.text().split()) for node in nodes]


def one(page: LexborHTMLParser | LexborNode, selector: str) -> LexborNode:
    found = page.css(selector)
    assert found, selector
    return found[0]


# Topics


def test_a_map_leads_from_note_to_note(site: Made) -> None:
    page = site[2]["caches/"]
    nodes = page.css(".pn-map a")
    assert {n.attributes["href"] for n in nodes} == {
        "lines/", "rows/", "steps/", "deep/", "again/", "../gpu/warps/",
    }  # fmt: skip
    # As many arrows as the topic's notes have requirements.
    edges = page.css(".pn-map-edges path:not(.pn-map-head)")
    assert len(edges) == len(page.css(".pn-map-edges .pn-map-head")) == 4
    [other] = page.css(".pn-map a.pn-map-other")
    assert texts([other]) == ["GPU Warps introductory"]
    assert "Dashed" in one(page, ".pn-map figcaption").text()
    # The level is a word and a number of dots, never a colour alone.
    [deep] = [n for n in nodes if "Deep" in n.text()]
    assert "advanced" in deep.text()
    assert len(deep.css(".pn-map-full")) == 3


def test_the_list_says_what_the_map_says(site: Made) -> None:
    page = site[2]["caches/"]
    items = {one(item, "a").text(): item for item in page.css(".pn-order > li")}
    assert list(items)[:3] == ["Cache lines", "Rows before columns", "Steps along rows and columns"]
    facts = " ".join(one(items["Deep"], ".pn-facts").text().split())
    assert "advanced" in facts
    assert "builds on Rows before columns, Warps" in facts
    assert items["Steps along rows and columns"].css_first("a[href='steps/lab/']") is not None
    assert (
        "100\u00a0% of 2 quantities with evidence" in items["Steps along rows and columns"].text()
    )
    summary = one(page, "p.pn-facts").text()
    assert "5 notes (4 introductory, 1 advanced)" in summary
    assert "one lab" in summary
    assert "quantities with evidence" in summary


def test_a_topic_names_the_papers_that_several_of_its_notes_cite(site: Made) -> None:
    assert texts(site[2]["caches/"].css(".pn-cited a")) == ["Blocked Algorithms"]
    assert site[2]["gpu/"].css_first(".pn-cited") is None


def test_a_topic_whose_notes_build_on_nothing_has_no_map(site: Made) -> None:
    assert site[2]["gpu/"].css_first(".pn-map") is None


def test_a_map_in_chinese_says_which_notes_are_english(site: Made) -> None:
    page = site[2]["zh/caches/"]
    assert "入门" in one(page, ".pn-map").text()
    [rows] = [n for n in page.css(".pn-map a") if "Rows" in n.text()]
    assert "英文" in rows.text()
    assert rows.attributes["href"] == "../../caches/rows/"


@pytest.mark.slow
def test_of_many_notes_the_map_shows_those_that_most_others_require(tmp_path: Path) -> None:
    notes = {
        f"caches/n{i:03d}.md": f"---\nrequires: [caches/n{i // 10:03d}]\n---\nText.\n"
        for i in range(1, 200)
    } | {"caches/n000.md": "Text.\n"}
    _, _, pages = made(tmp_path, notes)
    page = pages["caches/"]
    nodes = page.css(".pn-map a")
    assert len(nodes) == 40
    assert "the map shows the 40" in one(page, ".pn-map figcaption").text()
    assert len(page.css(".pn-notes > li")) == 203
    assert page.css_first(".pn-order") is None  # titles and levels alone


def test_notes_that_require_each_other_are_drawn(tmp_path: Path) -> None:
    notes = {
        "caches/a.md": "---\nrequires: [caches/b]\n---\nText.\n",
        "caches/b.md": "---\nrequires: [caches/a, caches/b]\n---\nText.\n",
    }
    page = made(tmp_path, notes)[2]["caches/"]
    # Two of the examples, one of the circle.
    assert len(page.css(".pn-map-edges path:not(.pn-map-head)")) == 3


def test_titles_are_text_wherever_they_are_drawn(tmp_path: Path) -> None:
    notes = {
        "caches/a.md": (
            f"---\ntitle: {json.dumps(ATTACK)}\nrequires: [caches/lines]\n---\n[[rows]]\n"
        ),
        "references.bib": f"@misc{{x2001y, title = {{{ATTACK}}}, year = {{2001}}}}\n",
    }
    _, tree, pages = made(tmp_path, notes)
    for url in ("", "caches/", "references/", "graph/", "references/x2001y/"):
        assert pages[url].css_first("script") is None, url
    drawn = " ".join(t.text() for t in pages["caches/"].css(".pn-map text"))
    assert "</svg></text></" in drawn  # as wide as a line of the map
    names = [node[1] for node in data(tree, "graph/data.js")["nodes"]]
    assert ATTACK in names


# Where to begin


def test_where_to_begin(site: Made) -> None:
    weights = site[0].weights
    notes = site[0].library.by_topic["caches"]
    first = [n.slug for n in beginnings(notes, weights, 3)]
    assert first == ["lines", "rows", "steps"]
    assert weights["caches/lines"] == 5  # one requires it, four link to it
    home = site[2][""]
    assert texts(home.css(".pn-topics > li:first-child ul a")) == [
        "Cache lines", "Rows before columns", "Steps along rows and columns",
    ]  # fmt: skip


def test_the_home_page_holds_what_it_asks_for(tmp_path: Path) -> None:
    asked = "\n\n".join(
        f"<!-- perfnotes:{name} -->"
        for name in ("find", "counts", "measured", "recent", "cited", "wanted", "topics")
    )
    site, _, pages = made(tmp_path, {**NOTES, "../docs/index.md": asked + "\n"})
    home = pages[""]
    assert one(home, ".pn-find a").attributes["href"] == "search/"
    counts = {a.text(): a.attributes["href"] for a in home.css(".pn-counts a")}
    assert counts == {
        "6 notes": "graph/#pn-list", "one claim measured": "machines/",
        "3 papers cited": "references/", "2 terms": "glossary/",
    }  # fmt: skip
    # The list to which the number of notes leads has all of them.
    listed = pages["graph/"].css("#pn-list ~ .pn-graph-list > li > a")
    assert len(listed) == 6
    [measured] = home.css(".pn-measured-lately > li")
    assert one(measured, ".pn-figure-of").text() == "16×"
    assert [a.attributes["href"] for a in measured.css("a")] == [
        "caches/steps/lab/", "caches/steps/", "machines/#example-cpu",
    ]  # fmt: skip
    assert texts(home.css(".pn-cited a"))[0] == "Blocked Algorithms"
    wanted = texts(home.css(".pn-wanted li"))
    assert "Notes without a Chinese version: 5" in wanted
    assert "Papers that nothing cites yet: 2" in wanted
    assert any("one machine alone" in each for each in wanted)
    assert not any("fail" in each for each in wanted)
    assert site.library.notes


def test_one_number_of_the_home_page_has_its_card_open(tmp_path: Path) -> None:
    home = "Words.\n\n<!-- perfnotes:live -->\n"
    lab = LAB.replace("time.far / time.near", "median(time.far) / median(time.near)")
    files = {f"{FOLDER}/lab.yml": lab, "../docs/index.md": home, "../docs/index.zh.md": home}
    row = "| what | how much |\n|---|---|\n| a load | [80×](lab:far) |\n\n"
    files[f"{ID}/index.md"] = str(EVIDENCE[f"{ID}/index.md"]).replace("A load", f"{row}A load", 1)
    tree, pages = staged(read_site(write_notes(tmp_path, {**EVIDENCE, **files})))
    assert "A load from memory takes" in one(pages[""], ".pn-live blockquote").text()
    number = one(pages[""], ".pn-live blockquote a.pn-n")
    assert (number.text(), number.attributes["href"]) == ("80×", "caches/ladder/lab/#far")
    card = one(pages[""], ".pn-live .pn-card")
    assert one(card, ".pn-card-number").text() == "80×"
    assert one(card, ".pn-how").text() == "ratio of two medians, each of 15 measurements"
    shown = [text.text().replace("\u00a0", " ") for text in card.css("svg text")]
    assert shown == ["far", "near", "1", "10", "100 ns"]
    assert len(card.css(".pn-c-dots")) == 2
    assert "perfnotes reproduce caches/ladder" in card.text()
    assert "card" in tree.pages["index.md"].styles
    assert one(pages["zh/"], ".pn-live blockquote a").text() == "80 倍"
    assert one(pages["zh/"], ".pn-live .pn-how").text() == "两个中位数之比，各取自 15 次测量"


# Papers


def reference(key: str, year: str) -> Reference:
    return Reference(key, "misc", key, year=year)


def test_bars_hold_every_paper_once() -> None:
    years = ["1961", "1974", "1974", "1999", "2004", "2011", "2026", "", "n.d.", "forthcoming"]
    papers = [reference(f"p{i}", year) for i, year in enumerate(years)]
    found = bars(papers)
    assert [p for bar in found for p in bar.papers] == sorted(
        papers, key=lambda p: year_of(p) or 9999
    )
    assert len(found) <= 25
    assert [bar.name for bar in found[:5]] == [
        "1960–1969", "1970–1979", "1980–1989", "1990–1999", "2000–2009",
    ]  # fmt: skip
    assert found[5].name == "2010"
    assert (found[-1].first, found[-1].last) == UNDATED
    assert [bar.name for bar in bars([reference("a", "2020"), reference("b", "2022")])] == [
        "2020", "2021", "2022",
    ]  # fmt: skip
    assert bars([]) == []


def test_the_timeline_leads_to_rows_of_the_table(site: Made) -> None:
    for lang in ("", "zh/"):
        page = site[2][f"{lang}references/"]
        rows = [[cell.text() for cell in row.css("td")] for row in page.css("tbody tr")]
        assert [row[1] for row in rows] == ["2024", "2007", "2001", "1991", ""]
        for bar in page.css(".pn-timeline a"):
            anchor = str(bar.attributes["href"])[1:]
            assert page.css_first(f"tr[id='{anchor}']") is not None
        labels = [str(bar.attributes["aria-label"]) for bar in page.css(".pn-timeline a")]
        assert len(labels) == 4
        assert labels[0].startswith("1990–1999: 1" if not lang else "1990–1999：1")
    types = {row[2]: row[4] for row in rows}
    assert types["Blocked Algorithms"] == "论文"
    assert types["Manual"] == "手册"


def test_a_paper_stands_among_its_neighbours(site: Made) -> None:
    page = site[2]["references/lam1991cache/"]
    assert texts(page.css("#pn-together + ul a")) == ["Manual"]
    assert texts(page.css(".pn-around a")) == ["Book"]  # nothing is earlier
    assert texts(page.css(".pn-around .pn-count"))[0] == "Later"
    middle = site[2]["references/hill2001book/"]
    assert texts(middle.css(".pn-around a")) == ["Blocked Algorithms", "Manual"]
    assert texts(middle.css("#pn-same + ul a")) == ["Blocked Algorithms", "Manual"]
    undated = site[2]["references/undated/"]
    assert undated.css_first(".pn-around") is None
    head = " ".join(one(page, ".pn-paper").text().split())
    assert "Monica Lam" in head
    assert "1991 · paper · Caches" in head
    assert "cited in 2 notes" in head
    assert one(page, ".pn-cite-as").text().startswith("Monica Lam (1991). Blocked Algorithms.")
    assert "@article{lam1991cache" in one(page, "pre").text()


# The graph


def data(tree: Stage, path: str) -> dict[str, list[list[object]]]:
    text = tree.files[path].decode()
    assert text.startswith("var pnGraph = {")
    found: dict[str, list[list[object]]] = json.loads(
        text.removeprefix("var pnGraph = ").strip(";\n")
    )
    return found


def test_the_graph_holds_what_is_linked(site: Made) -> None:
    graph = site[0].knowledge
    ids = {(node.kind, node.id) for node in graph.nodes}
    assert {id for kind, id in ids if kind == NOTE} == set(site[0].library.notes)
    assert {id for kind, id in ids if kind == PAPER} == {
        "drepper2007memory", "lam1991cache", "intel2024manual",
    }  # fmt: skip
    assert (TERM, "warp") in ids
    named = {(graph.nodes[a].id, graph.nodes[b].id): relation for a, b, relation in graph.edges}
    assert named["caches/deep", "caches/rows"] == REQUIRES
    assert named["caches/deep", "caches/lines"] == LINKS
    assert named["caches/deep", "lam1991cache"] == CITES
    assert named["caches/lines", "cache-line"] == USES
    # Two notes that name each other have one edge, and what is required is not also linked.
    pairs = [frozenset((a, b)) for a, b, relation in graph.edges if relation in (REQUIRES, LINKS)]
    assert len(pairs) == len(set(pairs))
    assert {graph.nodes[i].id for i in graph.first if graph.nodes[i].kind == PAPER} == {
        "lam1991cache"
    }


def test_the_picture_and_the_list_hold_the_same(site: Made) -> None:
    _, tree, pages = site
    for url in ("graph/", "zh/graph/"):
        drawn = data(tree, f"{url}data.js")
        listed = {a.attributes["href"] for a in pages[url].css(".pn-graph-list a")}
        assert listed == {node[2] for node in drawn["nodes"]}
        assert len(drawn["edges"]) == 3 * len(site[0].knowledge.edges)
        assert all(isinstance(x, int) for node in drawn["nodes"] for x in node[3:5])
    english, chinese = (data(tree, f"{x}graph/data.js")["nodes"] for x in ("", "zh/"))
    assert [node[3:5] for node in english] == [node[3:5] for node in chinese]
    assert [node[0] for node in english] == [node[0] for node in chinese]


@pytest.mark.slow
def test_a_graph_of_very_many_keeps_those_with_most_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert knowledge._MOST == 2000
    monkeypatch.setattr(knowledge, "_MOST", 600)
    for i in range(700):
        file = tmp_path / f"t{i % 3}" / f"n{i:04d}.md"
        file.parent.mkdir(exist_ok=True)
        hub = i // 50 * 50
        file.write_text(f"# Note {i}\n\nSee [it](../t{hub % 3}/n{hub:04d}.md).\n")
    site = Site(link(read_library(tmp_path, "notes")), Settings(name="Many"))
    graph = site.knowledge
    assert len(graph.nodes) == 600
    assert graph.left_out == 100
    assert {f"t{i % 3}/n{i:04d}" for i in range(0, 700, 50)} <= {n.id for n in graph.nodes}
    [page] = [p for p in made_pages(site) if p.kind == "graph"]
    assert "100 nodes" in page.body
    assert len(page.body) < 3_000  # topics alone: their pages list the notes


# Any folder


@pytest.mark.parametrize("notes", [
    {"only.md": "# Only\n\nText.\n"},
    {"a/one.md": "# One\n\nText.\n", "a/two.md": "# Two\n\nText.\n"},
    {"graph/one.md": "# One\n\n[two](two.md)\n", "graph/two.md": "# Two\n\nText.\n"},
    {"README.md": "# A book\n\n[one](x/y/one.md)\n", "x/y/one.md": "# One\n\nText.\n"},
    {},
])  # fmt: skip
def test_any_folder_has_pages_that_lead_in(tmp_path: Path, notes: Mapping[str, str]) -> None:
    for name, text in notes.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    site = Site(link(read_library(tmp_path, "notes")), Settings(name="Any"))
    tree, pages = staged(site)
    home = pages[""]
    assert home.css_first(".pn-find a") is not None
    assert home.css_first(".pn-map, .pn-wanted, .pn-cited, .pn-measured-lately") is None
    linked = any("](two.md)" in text for text in notes.values())
    assert ("graph-index/" in pages or "graph/" in pages) == (linked or "graph/one.md" in notes)
    if linked:
        assert len(pages["graph-index/"].css(".pn-graph-list > li")) == 2
        assert len(data(tree, "graph-index/data.js")["nodes"]) == 2
    for url, page in pages.items():
        if url.count("/") == 1 and url not in ("search/", "graph-index/"):
            assert page.css_first(".pn-map") is None, url
