"""The scanner: what stands where, code never touched, hostile text never slow or fatal."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from perfnotes.text.body import read_body
from perfnotes.text.inline import scan
from perfnotes.text.source import Source

TEXT = """\
# Title

See [[lines#size\\|how]] and [x](../a.md#b "t"), `[[code]]`, [@key2020word, sec. 4; @other2014].

- a
    - b

            [[indented code]]

```c
[[fenced]] @key2020word
```

$a_b$ and <kbd>x</kbd> and ![alt](a.png)

[ref]: https://example.org "title"
[see][ref] <https://example.org/x>
"""


def test_every_token_has_its_own_source() -> None:
    document = scan(TEXT)
    raw = document.text
    assert [raw[w.start : w.end] for w in document.wikis] == ["[[lines#size\\|how]]"]
    assert [(w.target, w.label) for w in document.wikis] == [("lines#size", "how")]
    inline = [link for link in document.links if link.kind == "inline"]
    assert [raw[link.dest_start : link.dest_end] for link in inline] == ["../a.md#b"]
    assert [raw[link.start : link.end] for link in document.links if link.kind == "image"] == [
        "![alt](a.png)"
    ]
    group = document.citations[0]
    assert [(i.key, i.locator) for i in group.items] == [
        ("key2020word", "sec. 4"),
        ("other2014", ""),
    ]
    assert [raw[i.key_start :].startswith(i.key) for i in group.items] == [True, True]
    assert [m.tex for m in document.maths] == ["a_b"]
    assert len(document.citations) == 1
    assert [d.label for d in document.blocks.definitions] == ["ref"]


LOCATORS = {
    "[@a2020b, sec. 4; app. B]": [("a2020b", "sec. 4; app. B")],
    "[@a2020b, sec. 4; app. B; @c2021d]": [("a2020b", "sec. 4; app. B"), ("c2021d", "")],
    "[see @a2020b, p. 3; p. 9]": [("a2020b", "p. 3; p. 9")],
}


@pytest.mark.parametrize("text", LOCATORS)
def test_a_locator_may_have_several_parts(text: str) -> None:
    (citation,) = scan(text).citations
    assert [(item.key, item.locator) for item in citation.items] == LOCATORS[text]
    assert (citation.start, citation.end) == (0, len(text))


@pytest.mark.parametrize("text", ["[@a2020b; ]", "[sec. 4; @a2020b]", "[@a2020b; sec. 4]"])
def test_a_part_without_a_key_is_no_citation(text: str) -> None:
    assert all(citation.start > 0 for citation in scan(text).citations)


SLUGS = {
    "Hello, World!": "hello-world",
    "What's `x_y`?": "whats-x_y",
    "中文 标题": "中文-标题",
    "!!!": "section",
}


@pytest.mark.parametrize(("title", "id"), SLUGS.items())
def test_heading_ids_are_those_of_code_hosts(title: str, id: str) -> None:
    body = read_body(Source("x", f"## {title}\n\ntext\n"))
    assert body.sections[0].id == id


def test_equal_headings_get_ids_of_their_own() -> None:
    body = read_body(Source("x", "## A\n\n## A\n\n## A {#own}\n"))
    assert [s.id for s in body.sections] == ["a", "a-1", "own"]


SENTENCES = {
    "One. Two [[x]] here. Three.": "Two x here.",
    "See e.g. [[x]] now. Next.": "See e.g. x now.",
    "用法见 [[x]]。下一句。": "用法见 x。",
    "“*先说一句。*”再看 [[x]]。": "再看 x。",
    "“*见 [[x]]。*”再说。": "“见 x。”",
    "- first\n- has `a. B` and [[x]]\n": "has a. B and x",
    "| a | b |\n|---|---|\n| c | [[x]] |\n": "c | x",
}


@pytest.mark.parametrize(("text", "sentence"), SENTENCES.items())
def test_the_sentence_around_a_link(text: str, sentence: str) -> None:
    body = read_body(Source("x", text))
    assert body.prose.sentence(body.document.wikis[0].start) == sentence


LONG = {
    # All that fits before the link's clause, then what fits after it.
    f"{'b' * 190}, {'c' * 30}, see [[x]] there, {'d' * 30}; {'e' * 190}.":
        f"… {'c' * 30}, see x there, {'d' * 30} …",
    f"See [[x]], then {'b' * 90}, {'c' * 30}, {'d' * 90}.":
        f"See x, then {'b' * 90}, {'c' * 30} …",
    f"{'前' * 60}，见 [[x]]，{'后' * 60}。": f"{'前' * 60}，见 x …",
    f"| a | b |\n|---|---|\n| {'c' * 300} | [[x]] |\n": "… x",
    # A comma inside of code ends no clause, and a clause is cut if it is very long.
    f"{'b ' * 300}`a, b`, see [[x]].": "… see x.",
    f"{'b ' * 300}[[x]].": f"{'b ' * 200}…",
}  # fmt: skip


@pytest.mark.parametrize(("text", "clauses"), LONG.items())
def test_of_a_long_sentence_the_clauses_around_a_link(text: str, clauses: str) -> None:
    body = read_body(Source("x", text))
    assert body.prose.sentence(body.document.wikis[0].start, 200) == clauses


_MARKS = "[[x]] ` `` ``` - 1. > $ $$ < > <!-- --> [ ]( ) ![ @key2020 \\ # | {#a} [^1]: text 中"
PIECES = st.sampled_from([*_MARKS.split(), "```c\n", "\n", "\n\n", "    ", " ", "\t"])


@settings(max_examples=500, deadline=None, derandomize=True)
@example(["[[x]]", "```c\n", "    ", ">"])
@given(st.lists(PIECES, max_size=60))
def test_any_text_scans_and_offsets_stay_inside(pieces: list[str]) -> None:
    text = "".join(pieces)
    body = read_body(Source("x", text))
    document = body.document
    places = [(link.start, link.end) for link in document.links]
    places += [(wiki.start, wiki.end) for wiki in document.wikis]
    places += [(citation.start, citation.end) for citation in document.citations]
    for start, end in [*places, *document.code]:
        assert 0 <= start <= end <= len(text)
    for start, _ in places:
        body.prose.sentence(start)


@pytest.mark.parametrize(
    "piece",
    ["[", "![", "[[", "*", "`", "``` ", "$", "<", "> ", "@a", "- ", "{", "\\", "[a](", "<!--"],
)
def test_a_long_run_of_one_mark_is_no_trap(piece: str) -> None:
    # 120,000 characters: what takes quadratic time would not end within the suite's patience.
    document = scan((piece * 60_000)[:120_000])
    assert len(document.text) <= 120_000
