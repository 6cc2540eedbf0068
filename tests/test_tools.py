"""Tools: from ``tools.yml`` and the code of notes to the pages of tools, and what guards them."""

from __future__ import annotations

from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from perfnotes.checks import examine
from perfnotes.graph.site import Site
from perfnotes.graph.tools import first_commands, tool_uses
from perfnotes.site.page import Page
from perfnotes.site.searchable.documents import documents
from perfnotes.text.commands import command_lines, commands, is_call
from tests.example_notes import made_pages, read_site, write_notes

TOOLS = """\
groups:
  counters: {en: Counters, zh: 计数器}
  unused: {en: Nothing, zh: 无}
tools:
- id: perf-stat
  name: perf stat
  group: counters
  instrument: json
  shows: {en: "Event totals, <b>all</b> of `perf stat`.", zh: "事件总数，用 `perf stat`。"}
  misses: {en: Which code it was., zh: 是哪段代码。}
  source: "[@drepper2007memory, sec. 7]"
  section: caches/rows#counting
  see: [size]
- id: size
  name: size
  only-blocks: true
  commands: [size, size -A]
  group: counters
  shows: {en: Sizes., zh: 大小。}
  misses: {en: Functions., zh: 函数。}
  section: caches/rows#counting
"""
NOTE = """\
---
symptoms:
- id: slow
  see: My loop is slow.
  confirm: "`perf stat -d ./program`: few instructions per cycle."
  section: counting
  where: program
---

A C array lies in memory row by row; its `size` matters.

## Counting

```console
$ sudo perf stat -e cycles ./a | tail -1 && size -A a
perf stat is not a command here
```

Then `perf stat` and `perf record`.
"""
NOTES = {
    "tools.yml": TOOLS,
    "caches/rows.md": NOTE,
    "symptoms.yml": """\
places:
- id: program
  title: {en: A program is slow, zh: 程序很慢}
first:
- command: perf stat -a sleep 1
  look: {en: "`cycles`", zh: "`cycles`"}
  answers:
  - {says: {en: Many, zh: 多}, leads: program}
  source: "[@drepper2007memory, sec. 7]"
""",
}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return read_site(write_notes(tmp_path, NOTES))


def page(site: Site, url: str) -> Page:
    return next(each for each in made_pages(site) if each.url == url)


def codes(folder: Path, **overlay: str) -> list[tuple[str, str]]:
    files = {**NOTES, **{path.replace("__", "/"): text for path, text in overlay.items()}}
    site = read_site(write_notes(folder, files))
    return [(f.code, f.message) for f in examine(site)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sudo perf stat -e cycles ./a", [("perf", "stat", "-e", "cycles", "./a")]),
        ("A=1 B='x y' time ls -l", [("ls", "-l")]),
        ("a | b && c; d || e & f", [("a",), ("b",), ("c",), ("d",), ("e",), ("f",)]),
        ('x=$(size a) && echo "a; b"', [("size", "a"), ("echo", '"a; b"')]),
        ("", []),
        ("'", [("'",)]),
    ],
)
def test_commands_of_a_line(line: str, expected: list[tuple[str, ...]]) -> None:
    assert list(commands(line)) == expected


@pytest.mark.parametrize(
    ("line", "command", "expected"),
    [
        ("perf stat -d x", "perf stat", True),
        ("perf record x", "perf stat", False),
        ("perf -v stat", "perf stat", True),
        ("strace -f -c x", "strace -c", True),
        ("strace -cf x", "strace -c", True),
        ("strace --count x", "strace -c", False),
        ("valgrind -q --tool=massif ./a", "valgrind --tool=massif", True),
        ("valgrind --tool=dhat ./a", "valgrind --tool=massif", False),
        ("echo perf stat", "perf stat", False),
    ],
)
def test_what_a_command_is(line: str, command: str, expected: bool) -> None:
    assert is_call(tuple(line.split()), tuple(command.split())) is expected


def test_only_prompts_of_a_console_are_commands() -> None:
    code = "\n$ ls\nls.txt\n# id\n  $ cd /\n"
    assert list(command_lines(code, "console")) == ["ls", "id", "cd /"]
    assert list(command_lines("ls\n# a comment\n", "bash")) == ["ls"]


def test_uses_come_from_blocks_spans_and_symptoms(site: Site) -> None:
    found = {
        tool: [(use.note, use.section, use.line) for use in uses]
        for tool, uses in tool_uses(site).items()
    }
    line = "sudo perf stat -e cycles ./a | tail -1 && size -A a"
    assert found == {
        "perf-stat": [
            ("caches/rows", "counting", line),
            ("caches/rows", "counting", "perf stat"),
            ("caches/rows", "counting", "perf stat -d ./program"),
        ],
        "size": [("caches/rows", "counting", line)],
    }
    assert [c.command for c in first_commands(site)["perf-stat"]] == ["perf stat -a sleep 1"]


def test_the_pages_say_what_a_tool_shows_and_where(site: Site) -> None:
    made = page(site, "tools/")
    found = LexborHTMLParser(made.body)
    assert [(a.attributes["href"], a.text()) for a in found.css("dt a")] == [
        ("perf-stat/", "perf stat"),
        ("size/", "size"),
    ]
    assert "Nothing" not in made.body
    assert "[`perf stat`](perf-stat/index.md)" in made.markdown
    tool = page(site, "tools/perf-stat/")
    assert "&lt;b&gt;all&lt;/b&gt; of <code>perf stat</code>." in tool.body
    html = LexborHTMLParser(tool.body)
    links = [(a.attributes["href"], a.text()) for a in html.css(".pn-tool a, .pn-uses a")]
    assert ("../size/", "size") in links
    assert ("../../references/drepper2007memory/", "Drepper 2007") in links
    assert ("../../caches/rows/#counting", "Rows before columns: Counting") in links
    assert ("../../caches/rows/", "Rows before columns") in links
    assert ("../../caches/rows/#counting", "Counting") in links
    assert (
        "../../symptoms/#symptoms--first",
        "A slow Linux machine: the first sixty seconds",
    ) in links
    assert [li.text() for li in html.css(".pn-uses-labs li")] == ["Steps along rows and columns"]
    chinese = page(site, "zh/tools/perf-stat/")
    assert "事件总数" in chinese.body
    assert "是哪段代码。" in chinese.markdown


def test_a_reference_that_only_tools_cite_is_cited(tmp_path: Path) -> None:
    bib = "@misc{doe2020perf,\n  author = {Doe, Ann},\n  title = {Perf},\n  year = {2020}\n}\n"
    tools = TOOLS.replace("drepper2007memory", "doe2020perf")
    site = read_site(write_notes(tmp_path, {**NOTES, "tools.yml": tools, "references.bib": bib}))
    assert not [f for f in examine(site) if "doe2020perf" in f.message]
    reference = page(site, "references/doe2020perf/")
    assert "- [`perf stat`](../../tools/perf-stat/index.md)\n" in reference.markdown
    shown = LexborHTMLParser(reference.body)
    assert [a.text() for a in shown.css("a[href='../../tools/perf-stat/']")] == ["perf stat"]


def test_the_search_finds_a_tool_by_its_name(site: Site) -> None:
    found = [d for d in documents(site) if d.type == "tool"]
    assert [(d.id, d.lang, d.url) for d in found[:2]] == [
        ("tools/perf-stat", "en", "tools/perf-stat/"),
        ("tools/perf-stat", "zh", "zh/tools/perf-stat/"),
    ]
    assert "perf stat" in found[0].names


def test_what_the_reader_and_the_checks_refuse(tmp_path: Path) -> None:
    def found(name: str, old: str, new: str) -> list[tuple[str, str]]:
        assert old in TOOLS
        return codes(tmp_path / name, **{"tools.yml": TOOLS.replace(old, new, 1)})

    assert ("PN204", "the id 'size' appears twice") in found("a", "id: perf-stat", "id: size")
    assert ("PN203", "no group is called 'counter'") in found(
        "b", "group: counters", "group: counter"
    )
    assert ("PN203", "no tool has the id 'sizes'") in found("c", "see: [size]", "see: [sizes]")
    language = found("d", "misses: {en: Functions., zh: 函数。}", "misses: {en: Functions.}")
    assert [message for code, message in language if code == "PN203" and "`zh`" in message]
    assert ("PN219", "perf stat: no note has the id 'caches/row'") in found(
        "e", "caches/rows#counting", "caches/row#counting"
    )
    assert ("PN219", "perf stat: caches/rows has no heading 'count'") in found(
        "f", "caches/rows#counting", "caches/rows#count"
    )
    ending = "数。}\n  section: caches/rows#counting\n"
    assert ("PN219", "size: no source") in found("g", ending, "数。}\n")
    unused = found("h", "commands: [size, size -A]", "commands: [nm]")
    assert ("PN218", "no note has `nm` in a shell block or a code span") in unused


def test_without_the_table_there_are_no_pages(tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path))
    assert not [each for each in made_pages(site) if each.url.startswith("tools/")]
