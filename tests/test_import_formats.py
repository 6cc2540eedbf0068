"""Every format and dialect of an import, as it comes and as it goes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perfnotes.contribute.imports import codelang, proof
from perfnotes.contribute.imports.assets import AssetError, Assets
from perfnotes.contribute.imports.decode import BinaryError, decode
from perfnotes.contribute.imports.formats import dokuwiki, mediawiki, recognise
from perfnotes.contribute.imports.headings import levels
from perfnotes.contribute.imports.imported_page import ImportedPage
from perfnotes.contribute.imports.naming import date_in, slug, stem
from perfnotes.contribute.imports.papers import Papers
from perfnotes.contribute.imports.steps import attributes
from perfnotes.model.library import Library
from tests.example_notes import read_site, write_notes
from tests.import_samples import errors, imported


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return read_site(write_notes(tmp_path_factory.mktemp("notes"))).library


MARKDOWN = {
    "> [!info]- Look\n> Words.\n": "> [!NOTE]\n> **Look**\n>\n> Words.",
    "Some ==marked== words. ^b1\n": "Some **marked** words.",
    "A %%hidden%% word.\n": "A  word.",
    "See [[No Such Page|this]].\n": "See \\[\\[No Such Page|this\\]\\].",
    "See [[warp]].\n": "See [[warp|warp]].",
    "See [[Cache lines]] and [[lines#Size|size]].\n": "See [Cache lines](lines.md) and [size](lines.md#size).",
    '{{% notice warning %}}\nHot.\n{{% /notice %}}\n': "> [!WARNING]\n> Hot.",
    '{{< highlight c "linenos=1" >}}\nint x;\n{{< /highlight >}}\n': "```c\nint x;\n```",
    "{{< custom a=1 >}}\n": "`{{< custom a=1 >}}`",
    "{% highlight python %}\nx\n{% endhighlight %}\n": "```python\nx\n```",
    "Words.\n{: .center }\n": "Words.",
    "---\nimg: /no\n---\nA [b]({{ page.img | relative_url }}/c.svg) {{ page.other }}\n":
        "A b (`/no/c.svg`) `{{ page.other }}`",
    "| a | b |\n|-|\n| 1 | 2 |\n": "| a | b |\n| --- | --- |\n| 1 | 2 |",
    "A [b]({% link no/c.svg %})\n": "A b (`no/c.svg`)",
    "See [[https://example.org|x]].\n\n\n\nMore.\n": "See [x](https://example.org).\n\nMore.",
    "{% include a.html %} words\n": "`{% include a.html %}` words",
    "<aside>\n💡 Mind this.\n</aside>\n": "> [!NOTE]\n> 💡 Mind this.",
    "```\nint main() { return 0; }\n```\n": "```c\nint main() { return 0; }\n```",
    "```C++\nx\n```\n": "```cpp\nx\n```",
    "~~~\nwords of no language\n": "~~~text\nwords of no language\n~~~",
    "Words.\n\n    $ ls\n    a  b\n": "Words.\n\n```console\n$ ls\na  b\n```",
    "A <b>bold</b> vector<int> <kbd class=x>K</kbd>.\n": "A **bold** vector\\<int> <kbd>K</kbd>.",
    "<table><tr><th>a<th>b<tr><td>1<td>2|3</table>\n": "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |",
    f"<table><tr><th colspan={'9' * 5000}>a<tr><td>1</table>\n": "| a |\n| --- |\n| 1 |",
    "A <a href='https://example.org/'>place</a>, https://example.org/x.\n":
        "A [place](https://example.org/), <https://example.org/x>.",
    "[x][1] and [gone](no.md)\n\n[1]: https://example.org/ 'Title'\n":
        "[x](https://example.org/ 'Title') and gone (`no.md`)",
    "[mail](mailto:a@b.example)\n": "mail (`mailto:a@b.example`)",
    "![](https://example.org/line.png)\n": "[line](https://example.org/line.png)",
    "By @unknown2020paper [@drepper2007memory].\n": "By \\@unknown2020paper [@drepper2007memory].",
    "Read https://www.akkadia.org/drepper/cpumemory.pdf.\n": "Read [@drepper2007memory].",
    "[Drepper](http://akkadia.org/drepper/cpumemory.pdf#page=3) says\n":
        "Drepper [@drepper2007memory] says",
    "A $\\frac{1$ b\n": "A `$\\frac{1$` b",
    "# T\n\n#### Deep\n\n## Next\n": "## Deep\n\n## Next",
}  # fmt: skip


@pytest.mark.parametrize(("source", "wanted"), MARKDOWN.items(), ids=range(len(MARKDOWN)))
def test_markdown_of_other_houses_becomes_ours(library: Library, source: str, wanted: str) -> None:
    draft = imported(source, "markdown", library)[0]
    assert draft.page.text.strip() == wanted


def test_check_and_the_engine_take_them_all(library: Library) -> None:
    sources = [("markdown", text) for text in MARKDOWN] + list(OTHERS)
    made = [imported(text, format, library)[0] for format, text in sources]
    for i, draft in enumerate(made):
        draft.title, draft.slug = f"Note {i}", f"note-{i}"
    assert not errors(made, library, staged=True)


OTHERS = {
    ("mediawiki", "== Rows ==\n'''Bold''' and ''lean''.<ref>A note.</ref>\n* one\n** two\n"):
        "## Rows\n\n**Bold** and *lean*.[^1]\n\n- one\n  - two\n\n[^1]: A note.",
    ("mediawiki", "{|\n! a !! b\n|-\n| 1 || [[Warps|two]]\n|}\n"):
        "| a | b |\n| --- | --- |\n| 1 | [two](../gpu/warps.md) |",
    ("mediawiki", "{{Warning|Hot.}}\n<syntaxhighlight lang=\"c\">\nint x;\n</syntaxhighlight>\n{{x|1}}\n"):
        "> [!WARNING]\n> Hot.\n\n```c\nint x;\n```\n\n`{{x|1}}`",
    ("dokuwiki", "==== Rows ====\n**b** //i// ''m'' [[https://example.org|x]]\n  * one\n    - two\n"):
        "## Rows\n\n**b** *i* `m` [x](https://example.org)\n\n- one\n   1. two",
    ("mediawiki", "{|<pre>\nint x;\n</pre>\n|}\n"):
        "| ```c int x; ``` |\n| --- |",
    ("html", "<iframe src='http]: s://example.org/v'>a</iframe><p><a href='http://[::1]/a]'>b</a>"):
        "iframe (`http%5D:%20s://example.org/v`)\n\na\n\n[b](http://[::1]/a%5D)",
    ("dokuwiki", "[[wp>CPU cache|x]] in [[rfc>2119]]\n"):
        "[x](https://en.wikipedia.org/wiki/CPU_cache) in [2119](https://tools.ietf.org/html/rfc2119)",
    ("dokuwiki", "^ a ^ b ^\n| 1 | 2 |\n<code c>\nint x;\n</code>\n"):
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```c\nint x;\n```",
    ("text", "Rows\n----\n\nCosts $5 * 2, see [1].\n# no heading\n\n    int x = 1;\n"):
        "## Rows\n\nCosts \\$5 \\* 2, see \\[1\\].\n\\# no heading\n\n```c\nint x = 1;\n```",
    ("html", "<h2>Rows</h2><p>A <em>row</em> &lt;b&gt;<ul><li>one<li>two<pre class=language-c>x</pre></ul>"):
        "## Rows\n\nA *row* \\<b>\n\n- one\n\n- two\n\n  ```c\n  x\n  ```",
    ("html", "<table><tr><td>a<td>b</table><div class='admonition tip'><p>Do.</div><img src=//x.example/a.png>"):
        "| a | b |\n| --- | --- |\n\n> [!TIP]\n> Do.\n\n[a](https://x.example/a.png)",
}  # fmt: skip


@pytest.mark.parametrize(("source", "wanted"), OTHERS.items(), ids=range(len(OTHERS)))
def test_other_formats_become_markdown(
    library: Library, source: tuple[str, str], wanted: str
) -> None:
    draft = imported(source[1], source[0], library)[0]
    text = "\n".join(row.rstrip() for row in draft.page.text.strip().split("\n"))
    assert text == wanted


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("缓存 cache".encode(), "utf-8"),
        (b"\xef\xbb\xbfcache", "utf-8"),
        ("cache 缓存".encode("utf-16"), "utf-16-le"),
        ("cache lines and 行".encode("utf-16-be"), "utf-16-be"),
        ("缓存行与伪共享的代价，以及如何测量。".encode("gb18030"), "gb18030"),
        ("Über die Größe der Zeile: naïve façade".encode("cp1252"), "cp1252"),
    ],
)
def test_encodings_are_found(data: bytes, encoding: str) -> None:
    found = decode(data)
    assert found.encoding == encoding
    assert found.text == data.decode(encoding).removeprefix("\ufeff")


def test_line_ends_and_control_characters() -> None:
    assert decode(b"a\r\nb\rc\x0cd").text == "a\nb\nc\nd"
    assert decode(b"a control\x02character in words of a text that is longer").replaced == 1
    found = decode("\ufeffa\u200b word\u202e turned, \u200cjoined\u00ad".encode())
    assert found.text == "a word turned, \u200cjoined\u00ad"
    assert (found.replaced, found.removed) == (0, 2)
    with pytest.raises(BinaryError):
        decode(b"\x7fELF\x02\x01\x01\x00\x00\x00" * 30)


def test_references_to_characters_that_nobody_sees_are_removed(library: Library) -> None:
    """Those in code are shown as they are written, and stay."""
    source = "# Zero\n\nWords&#8203; in &#x202e;a l&lrm;ink and `&#8203;`, 1&nbsp;s.\n"
    draft = imported(source, "markdown", library)[0]
    assert "Words in a link and `&#8203;`, 1&nbsp;s." in draft.page.text
    told = [each.what for each in draft.page.guesses if "nobody sees" in each.what]
    start = "a character that nobody sees was removed: "
    assert told == [f"{start}`{each}`" for each in ("&#8203;", "&#x202e;", "&lrm;")]
    assert not proof.lost(source, "markdown", [draft])


@pytest.mark.parametrize(
    ("name", "text", "format"),
    [
        ("a.md", "x", "markdown"),
        ("a.txt", "# Rows\n\n- one\n- two **b**\n", "markdown"),
        ("a.txt", "====== Rows ======\n  * one\n", "dokuwiki"),
        ("a.txt", "Only words.\n", "text"),
        ("a", "<!DOCTYPE html><p>x", "html"),
        ("a", "== Rows ==\n'''b'''\n", "mediawiki"),
    ],
)
def test_a_format_is_recognised(name: str, text: str, format: str) -> None:
    assert recognise(name, text)[0] == format


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("#!/usr/bin/env python3\nx", "python"),
        ("$ perf stat ./a\n", "console"),
        ("#include <vector>\nstd::vector<int> v;", "cpp"),
        ("__global__ void f() {}", "cuda"),
        ('{"a": 1}', "json"),
        ("sudo apt install perf", "bash"),
        ("a line of words", "text"),
        ("", "text"),
    ],
)
def test_a_language_is_guessed_only_by_clear_signs(code: str, language: str) -> None:
    assert codelang.guess(code)[0] == language


def test_levels_have_no_gap() -> None:
    assert levels([1, 1, 3, 2, 6]) == [2, 2, 3, 3, 4]
    assert levels([4, 2, 6, 1]) == [2, 2, 3, 2]


def test_names() -> None:
    assert slug("Zürich: Cache Lines!") == "zurich-cache-lines"
    assert slug("缓存行") == ""
    assert stem("posts/2020-01-31-rows.md") == "rows"
    assert stem("Rows 0123456789abcdef0123456789abcdef.md") == "Rows"
    assert stem("rows/index.md") == "rows"
    assert date_in("2020-01-31-rows.md") == "2020-01-31"


def test_the_report_names_the_line_of_the_source(library: Library) -> None:
    text = "---\ntitle: Rows\n---\n\n# Rows\n\nWords.\n\n<!-- later -->\n\n```\nx\n```\n"
    draft = imported(text, "markdown", library)[0]
    said = {g.what.partition(":")[0]: g.line for g in draft.page.guesses}
    assert said["a comment was moved into the front matter"] == 9
    assert said["code without a language"] == 11
    assert "# later\n" in draft.text()


def test_properties_of_notion_become_front_matter(library: Library) -> None:
    source = "# Word\n\n#: 126\nlevel of it: Hard\nCreated time: June 27, 2023 9:32 PM\n\nText.\n"
    draft = imported(source, "markdown", library)[0]
    assert draft.date == "2023-06-27"
    assert draft.page.text.strip() == "Text."
    assert '# level of it: "Hard"\n' in draft.text()
    assert '# #: "126"\n' in draft.text()
    plain = imported("# A\n\nNote: this is text.\n", "markdown", library)[0]
    assert "Note: this is text." in plain.page.text


def test_a_day_that_no_calendar_has_is_kept_aside(library: Library) -> None:
    source = "---\ntitle: Rows\ndate: '2024-02-31'\n---\n\nWords.\n"
    draft = imported(source, "markdown", library)[0]
    assert draft.date == "2026-01-31"
    assert "# date: 2024-02-31\n" in draft.text()
    named = imported("Words.\n", "markdown", library, file="2024-02-31-rows.md")[0]
    assert named.date == "2026-01-31"


def test_what_a_bold_term_leaves_out_is_kept_aside_once() -> None:
    _, page = mediawiki.read("a.wiki", "; '''a''' [[File:x.png|thumb|c]] : text\n")
    assert page.asides == ("[[File:x.png|thumb]]",)


def test_the_first_of_several_addresses_is_that_of_the_image(library: Library) -> None:
    source = '<p><img srcset="\n  a.png, b.png 2x" alt="Rows"></p>'
    assert imported(source, "html", library)[0].page.text.strip() == "Rows (`a.png`)"


def test_another_port_is_another_address(library: Library) -> None:
    papers = Papers(library.references.values())
    assert papers.key("http://akkadia.org/drepper/cpumemory.pdf")[0] == "drepper2007memory"
    assert papers.key("http://akkadia.org:8080/drepper/cpumemory.pdf") == ("", "")
    assert papers.key("http://akkadia.org:port/drepper/cpumemory.pdf") == ("", "")


def test_a_file_without_an_ending_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"x")
    with pytest.raises(AssetError, match="its name has no ending"):
        Assets(tmp_path, ("data",)).load("data")


@pytest.mark.parametrize(
    ("read", "token"),
    [
        (mediawiki.read, "<pre>a "), (mediawiki.read, "<ref>a "), (mediawiki.read, "<!-- a "),
        (mediawiki.read, "<math a "), (mediawiki.read, "<nowiki>a "), (dokuwiki.read, "<code>a "),
        (dokuwiki.read, "<nowiki>a "), (dokuwiki.read, "((a "), (dokuwiki.read, "[[a| "),
        (dokuwiki.read, "<sub>a "),
    ],
)  # fmt: skip
def test_thousands_of_elements_that_are_never_closed(read: Any, token: str) -> None:
    # each of them took more than a minute at this size, and four times as long at twice the size
    _, page = read("page", f"{token}\n" * 10 + token * 20_000)
    assert page.text.count("a") >= 10


# What a pattern could look for from each of its beginnings to the end of the text.
SLOW = {
    "markdown": [
        "{{", "{%a ", "{{< ", "{{%a ", "![", "[^a ", "|", "<aside>\n", "{% highlight c %}\n",
        "{{< highlight c >}}\n", "10.1000.",
    ],
    "mediawiki": ["{{", "|", "[[File:a", "[[ : ", "<ref ", "'''a "],
    "dokuwiki": ["<code ", "{{a", "((a ", "//a "],
    "html": ["<p>\\\\(", "<b>", "<a "],
    "rst": [":a"],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format", "piece"), [(name, piece) for name, pieces in SLOW.items() for piece in pieces]
)
def test_no_import_takes_quadratic_time(library: Library, format: str, piece: str) -> None:
    """What takes quadratic time would not end in time."""
    text = f"Words.\n\n{piece * (60_000 // len(piece))}\n"
    assert proof.visible(text, format)
    if format != "rst":  # which pandoc reads
        assert imported(text, format, library)


def test_a_list_of_attributes_is_read_in_one_way() -> None:
    """Names that could be cut at each full stop took exponential time."""
    page = ImportedPage.of("a.md", "*a*{" + ".a" * 40 + " n=1}\n")
    assert [change.new for change in attributes(page)] == ["\\"]
