"""A small folder of all that other people's Markdown does: names, links, front matter, raw HTML.

Every file has its page, links lead where their own system leads, no text is lost, and whatever a
note tries, its page is safe and can still be read.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from perfnotes.checks import examine, grade
from perfnotes.cli.main import main
from perfnotes.graph.graph import link
from perfnotes.graph.site import Settings, Site
from perfnotes.model.note import Meta
from perfnotes.site.safety import judge
from perfnotes.site.stage import Stage
from perfnotes.source.read import frontmatter
from perfnotes.source.read.folder import read_library
from perfnotes.source.read.foreign_folder import first_title
from perfnotes.text.body import read_body
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.source import Source
from tests.engine_of import engine_of, prepare
from tests.example_notes import stage_without_index


class Folder:
    """A folder as it would be built."""

    def __init__(self, root: Path, files: Mapping[str, str | bytes]) -> None:
        for name, data in files.items():
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data if isinstance(data, bytes) else data.encode())
        self.site = Site(link(read_library(root, "notes")), Settings(name="Foreign"))
        self.staged: Stage = stage_without_index(self.site)
        self.prepared, unsafe = prepare(self.site, self.staged, engine_of())
        library = self.site.library
        self.findings: list[Finding] = grade(
            [*examine(self.site, self.staged.findings), *unsafe], library
        )
        self.urls = {n.file: n.url for n in library.notes.values()}
        self.urls |= {n.file: f"{t}/" if t else "" for t, n in library.introductions.items()}

    def codes(self) -> set[str]:
        return {f.code for f in self.findings}

    def page(self, file: str) -> LexborNode:
        """The body of the page of a file, without what we add to it."""
        html = self.prepared[f"{self.urls[file]}index.md"].content
        body = LexborHTMLParser(html.split('<h2 id="pn-')[0]).body
        assert body is not None
        for ours in body.css(".pn-title, .pn-topics, .pn-order"):
            ours.decompose()
        return body

    def text(self, file: str) -> str:
        return " ".join(self.page(file).text(separator=" ").split())

    def targets(self, file: str) -> list[str]:
        """What the links of a file's page lead to: pages by file, others as they are."""
        files = {url: name for name, url in self.urls.items()}
        found = []
        for a in self.page(file).css("a[href]"):
            parts = urlsplit(a.attributes["href"] or "")
            if parts.scheme:
                found.append(parts.geturl())
                continue
            path = posixpath.normpath(posixpath.join(self.urls[file] or ".", unquote(parts.path)))
            there = files.get("" if path == "." else f"{path}/", path)
            found.append(there + (f"#{unquote(parts.fragment)}" if parts.fragment else ""))
        return found


def one(tmp_path: Path, source: str, **files: str | bytes) -> Folder:
    others = {name.replace("__", "."): data for name, data in files.items()}
    return Folder(tmp_path, {"n.md": source, "b.md": "# B\n\n## Sec *one*\n", **others})


NAMES = (
    "a b.md", "a-b.md", "a  b.md", "c#d.md", "100%.md", "what?.md", "中文 页.md", "😀.md", "UPPER.md",
    "upper.md", "_private.md", "x.MD", "y.markdown", "-.md", "sitemap.xml.md", "index.html.md",
    "404.md", "tags.md", "tags/x.md", "search/y.md", "assets/z.md", "zh/a.md", "flow.md",
    "flow/one.md", "both.md", "both/index.md", "both/x.md", "ri/README.md", "ri/index.md",
    "ri/_index.md", "solo/index.md", "deep/a/b/c/d.md", "Case/x.md", "case/y.md", "Case/README.md",
    "case/README.md", "p.txt.md", "a&b.md", "quo'te.md", "$x.md", "[x].md", "x" * 200 + ".md",
    "SUMMARY.md", "+x.md", "a,b.md",
)  # fmt: skip


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    files: dict[str, str | bytes] = {
        name: f"# Title {i}\n\nText {i}.\n" for i, name in enumerate(NAMES)
    }
    quoted = [re.sub(r"[%#?\[\]<>]", lambda m: f"%{ord(m[0]):02X}", name) for name in NAMES]
    files["links.md"] = "# Links\n\n" + "".join(f"- [t](<{name}>)\n" for name in quoted)
    files["p.txt"] = "beside"
    files["empty.md"] = ""
    files[".hidden/h.md"] = "# Hidden\n"
    return Folder(tmp_path_factory.mktemp("named"), files)


def test_every_file_has_a_page_of_its_own(named: Folder) -> None:
    assert set(named.urls) == {*NAMES, "links.md", "empty.md"}
    folded = [url.casefold() for url in named.urls.values()]
    assert len(set(folded)) == len(folded)
    for i, name in enumerate(NAMES):
        page = named.prepared[f"{named.urls[name]}index.md"].content
        assert f"Title {i}</h1>" in page
        assert f"Text {i}." in page


def test_a_link_by_the_name_of_a_file_leads_to_its_page(named: Folder) -> None:
    assert named.targets("links.md") == list(NAMES)


def test_a_name_that_is_an_address_gets_it(named: Folder) -> None:
    urls = named.urls
    assert urls["a-b.md"] == "a-b/"
    assert urls["sitemap.xml.md"] == "sitemap-xml/"
    assert urls["index.html.md"] == "index-html/"
    assert (urls["both/index.md"], urls["both.md"]) == ("both/", "both-2/")
    assert (urls["flow.md"], urls["solo/index.md"]) == ("flow/", "solo/")
    assert "PN802" in named.codes()
    assert all(f.severity is not Severity.ERROR for f in named.findings)


HOW_OTHERS_LINK = {
    "mdbook/src.md": (
        "[1](./other.html#sec-one) [2](other.md) [3](deep/) [4](deep/index.html) [5]\n"
        "[`6`][other] [7][] [8](</mdbook/other.md>) [9](other.md#Sec--One!)\n\n"
        "[5]: other.md 'T'\n[other]:\n  other.html\n[7]: deep/two.md\n"
    ),
    "mdbook/other.md": "# Other\n\n## `Sec` one\n",
    "mdbook/deep/README.md": "# Deep\n",
    "mdbook/deep/two.md": "# Two\n\n[1](../src.md) [2](../other/) [3](./) [4](#two)\n",
    "_docs/setup.md": "---\npermalink: /docs/install/\n---\n# Setup\n",
    "_docs/more.md": (
        "# More\n\n[1]({{ '/docs/install/' | relative_url }}) [2](/docs/install/)\n"
        "[3]({{ site.baseurl }}/docs/more) [4]({% link _docs/setup.md %}) [5](/docs/setup/)\n"
        "[6](/news/2024/01/02/new-thing/) [text]({{ site.repository }}/issues/1)\n"
    ),
    "_posts/2024-01-02-new-thing.md": "# New thing\n",
    "saurus/intro.md": "---\nid: start\nslug: /begin\n---\n# Intro\n",
    "saurus/use.md": "# Use\n\n[1](start) [2](/begin) [3](./intro.md#intro) [4](/docs/next/saurus/use)\n",
    "vault/Big note.md": "# Other title\n\n## A heading\n\ntext ^block1\n",
    "vault/use.md": (
        "[[Big note]] [[Big note#A heading|there]] [[vault/Big note]] [[big NOTE]] [[Other title]]\n"
        "[[Big note#Other title#A heading]] [[Big note#^block1]] [[#Own]] ![[Big note]]\n"
        "![[pic.png]] ![[sub/pic.png|120]] [[Nowhere at all]]\n\n## Own\n"
    ),
    "vault/pic.png": "x",
    "vault/sub/pic.png": "x",
    "unicode/中文 文.md": "# 中\n\n## 缓存，与「内存」\n",
    "unicode/use.md": "[1](中文%20文.md#缓存与内存) [2](<中文 文.md>)\n",
}


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return Folder(tmp_path_factory.mktemp("linked"), HOW_OTHERS_LINK)


def test_links_of_a_book_with_its_addresses(linked: Folder) -> None:
    other, deep = "mdbook/other.md", "mdbook/deep/README.md"
    assert linked.targets("mdbook/src.md") == [
        f"{other}#sec-one", other, deep, deep, other, other, "mdbook/deep/two.md", other,
        f"{other}#sec-one",
    ]  # fmt: skip
    two = "mdbook/deep/two.md"
    assert linked.targets(two) == ["mdbook/src.md", other, deep, two]


def test_links_of_a_jekyll_site(linked: Folder) -> None:
    setup, more = "_docs/setup.md", "_docs/more.md"
    post = "_posts/2024-01-02-new-thing.md"
    assert linked.targets(more) == [setup, setup, more, setup, setup, post]
    assert "text" in linked.text(more)


def test_links_by_the_ids_and_slugs_of_docusaurus(linked: Folder) -> None:
    intro = "saurus/intro.md"
    assert linked.targets("saurus/use.md") == [intro, intro, intro, "saurus/use.md"]


def test_links_and_embeds_of_a_vault(linked: Folder) -> None:
    big, heading = "vault/Big note.md", "vault/Big note.md#a-heading"
    assert linked.targets("vault/use.md") == [
        big, heading, big, big, big, heading, big, "vault/use.md#own", big,
    ]  # fmt: skip
    pictures = [i.attributes["src"] for i in linked.page("vault/use.md").css("img")]
    assert pictures == ["../pic.png", "../sub/pic.png"]
    assert "[[Nowhere at all]]" in linked.text("vault/use.md")


def test_links_in_other_scripts(linked: Folder) -> None:
    note = "unicode/中文 文.md"
    assert linked.targets("unicode/use.md") == [f"{note}#缓存与内存", note]


def test_no_finding_where_every_link_is_right(linked: Folder) -> None:
    assert [str(f) for f in linked.findings if f.code not in ("PN505", "PN802")] == []


@pytest.mark.parametrize(
    ("head", "title", "text"),
    [
        ("---\ntitle: 'A: b'\nlayout: page\n---\n", "A: b", ""),
        ("---\r\ntitle: A\r\n---\r\n", "A", ""),
        ("\ufeff---\ntitle: A\n---\n", "A", ""),
        ("---\n# a comment\ntitle: A\n---\n", "A", ""),
        ("---\n---\n", "N", ""),
        ("+++\ntitle = 'A'\ndate = 2024-01-02\n+++\n", "A", ""),
        ("---\ntitle: {a: b}\ntags: 5\naliases: {x: y}\n---\n", "N", ""),
        ("---\n\nbetween\n\n---\n\n", "N", "between"),
        ("---\ntitle: never closed\n\n", "N", "never closed"),
        ("---\n- a: b\n- c\n---\n", "N", "a: b"),
        ("---\ntitle: [x\n---\n", "N", ""),
    ],
)
def test_front_matter_of_any_system(tmp_path: Path, head: str, title: str, text: str) -> None:
    folder = one(tmp_path, f"{head}The body.\n")
    note = next(n for n in folder.site.library.notes.values() if n.file == "n.md")
    assert note.meta.title == title
    assert "The body." in folder.text("n.md")
    assert text in folder.text("n.md")


@pytest.mark.parametrize("head", ["---\ntags: [{}]\n---\n", "+++\ntags = [{}]\n+++\n"])
def test_a_note_has_no_more_tags_than_people_give(head: str) -> None:
    tags = ", ".join(f'"t{i}"' for i in range(130))
    source = Source("n.md", head.format(tags))
    meta, _, [finding] = frontmatter.read(source, "note", lenient=True)
    assert meta.tags == tuple(f"t{i}" for i in range(100))
    assert finding.message == "130 tags, of which the first 100 are used"


@pytest.mark.parametrize(
    ("head", "lenient"),
    [
        ("---\naliases: [{}]\n---\n", False),
        ("---\naliases: [{}]\n---\n", True),
        ("+++\naliases = [{}]\n+++\n", True),
    ],
)
def test_a_front_matter_that_is_a_book_long_is_not_read(head: str, *, lenient: bool) -> None:
    """Each of 100,000 names would be indexed and compared with the names of other notes."""
    for count, is_read in ((500, True), (10_000, False)):
        names = ", ".join(f'"a{i}"' for i in range(count))
        source = Source("n.md", f"{head.format(names)}text\n")
        meta, start, findings = frontmatter.read(source, "note", lenient=lenient)
        assert len(meta.aliases) == (count if is_read else 0)
        assert source.text[start:] == "text\n"
        too_long = [f for f in findings if "more than the 50,000 that are read" in f.message]
        assert [f.code for f in too_long] == ([] if is_read else ["PN202"])


def test_a_long_text_between_two_rules_is_no_front_matter() -> None:
    source = Source("n.md", "---\n" + "a text\n" * 10_000 + "\na: b\n\n---\n")
    assert frontmatter.read(source, "note", lenient=True) == (Meta(title=""), 0, [])


def test_a_heading_that_is_a_page_long_is_no_title() -> None:
    assert first_title(read_body(Source("n.md", "# A title\n"))) == "A title"
    assert not first_title(read_body(Source("n.md", f"# {'a # ' * 100}\n")))


def test_an_empty_front_matter_lacks_its_keys() -> None:
    meta, start, findings = frontmatter.read(Source("n.md", "---\n---\nA\n"), "note", lenient=False)
    assert (meta.title, start) == ("", 8)
    assert {finding.code for finding in findings} == {"PN202"}


def test_a_book_is_read_in_the_order_of_its_contents(tmp_path: Path) -> None:
    files = {f"{name}.md": f"# {name}\n" for name in ("apple", "berry", "cherry")}
    files["SUMMARY.md"] = "# Summary\n\n- [c](cherry.md)\n- [a](./apple.md)\n"
    library = Folder(tmp_path, files).site.library
    assert [n.id for n in library.by_topic[""]] == ["cherry", "apple", "berry", "SUMMARY"]


RAW = {
    "details": (
        "<details open><summary>S</summary>\n\n**bold**\n\n- a\n\n```c\nx\n```\n\n</details>\n",
        "details > summary, details strong, details ul > li, details pre",
    ),
    "centred": ('<p align="center">\n\n**bold**\n\n</p>\n', 'div[align="center"] strong'),
    "center": ("<center>*i*</center>\n", 'div[align="center"]'),
    "table": ("<table><tr><td width=9>a</td></tr></table>\n", "table td"),
    "anchor": ('<a name="here"></a>text [l](#here)\n', 'a[name="here"], a[href="#here"]'),
    "self-closed": ('<a id="here"/>text <br/>\n', "a#here, br"),
    "picture": ('<img src="p.png" width="50" style="x">\n', 'img[src="../p.png"][width="50"]'),
    "link": ('<a href="b.md#sec-one" target="_blank">t</a>\n', 'a[href="../b/#sec-one"]'),
    "layout": ('<div class="x" style="color:red">t</div>\n', "div.x"),
    "inline": ("<kbd>Ctrl</kbd> x<sub>1</sub> <b>b</b> <u>u</u>\n", "kbd, sub, b, u"),
    "pre": ("<pre>\na <b>b</b> &lt;\n</pre>\n", "pre b"),
}


@pytest.mark.parametrize("name", RAW)
def test_plain_html_is_kept(tmp_path: Path, name: str) -> None:
    source, selectors = RAW[name]
    folder = one(tmp_path, f"text\n\n{source}\nend **bold**\n", p__png=b"x")
    page = folder.page("n.md")
    for selector in selectors.split(", "):
        assert page.css_first(selector) is not None, selector
    assert page.css("strong")[-1].text() == "bold"
    assert judge(page.html or "") == []


HOSTILE = {
    "script": "<script>alert('KEPT')</script> KEPT2\n",
    "script with a source": '<script src="https://evil.example/x.js">\nKEPT = "<b>";\n</script> KEPT2\n',
    "script never closed": "KEPT <script>alert(1)\n\nKEPT2\n",
    "reference": "[KEPT][x] [KEPT2]\n\n[x]: javascript:alert(1)\n[kept2]: JaVaScRiPt&colon;alert(2)\n",
    "inline": "[KEPT](javascript:alert(1)) [KEPT2](java&#10;script:alert(1)) [c](data:text/html,x)\n",
    "autolink": "<javascript:KEPT> <data:text/html;base64,KEPT2>\n",
    "attribute list": '**KEPT**{onclick=alert(1)} ![KEPT2](p.png){onerror=alert(1)} `c`{style="x"}\n',
    "attributes of a heading": "## KEPT {onclick=alert(1)}\n\nKEPT2\n{: onclick=x }\n",
    "picture": '<img src=x onerror=alert(1)> <img src="p.png" onload=x alt=KEPT> KEPT2\n',
    "picture with a quoted bracket": '<img alt="KEPT > KEPT2" src=x onerror=alert(1)>\n',
    "frame": '<iframe src="https://evil.example/">KEPT</iframe><object data="x">KEPT2</object>\n',
    "style": "<style>KEPT{display:none}</style>\n\n<p style='x'>KEPT2</p>\n",
    "comment never closed": "KEPT <!-- <script>alert(1)</script>\n\nKEPT2\n",
    "comment that ends early": "<!--> <script>alert('KEPT')</script> -->\n\nKEPT2\n",
    "drawing": "<svg onload=alert(1)><script>KEPT</script></svg>\n\nKEPT2\n",
    "form": '<form action="https://evil.example"><input name=q>KEPT<button>KEPT2</button></form>\n',
    "refresh": '<meta http-equiv="refresh" content="0; url=https://evil.example"> KEPT KEPT2\n',
    "link": '<a href="javascript:x">KEPT</a> <a href="&#x6A;avascript:x">KEPT2</a>\n',
    "handler": "<details open ontoggle=alert(1)><summary>KEPT</summary>\n\nKEPT2\n\n</details>\n",
    "tags in tags": "<b <script>KEPT</script>>x</b> <div><script>KEPT2</div></script>\n",
    "hiding places": "<template><p>KEPT</p></template><noscript><p title='</noscript><img src=x "
    "onerror=alert(1)>'>KEPT2</p></noscript>\n",
    "theme": '> [!md-dialog] KEPT\n> y\n\n<div class="md-search" id="__search">KEPT2</div>\n',
    "preformatted": "<pre>KEPT <script>alert(1)</script> <b onclick=x>b</b> a<b KEPT2</pre>\n",
    "table": "| KEPT |\n|---|\n| <script>alert(1)</script> <img src=x onerror=y> KEPT2 |\n",
    "footnote": "KEPT[^1]\n\n[^1]: KEPT2 <script>alert(1)</script>\n",
    "fence": '```js"><script>alert(1)</script>\nKEPT\n```\n\n```{.x onclick=y}\nKEPT2\n```\n',
    "math": "$\\href{javascript:x}{K}$ KEPT $\\text{<img src=x onerror=y>}$ KEPT2\n",
    "declarations": "<![CDATA[ KEPT ]]> <?php echo 'KEPT2'; ?> <!DOCTYPE html>\n",
    "title": "# KEPT &lt;script&gt;alert(1)&lt;/script&gt; <img src=x onerror=y>\n\nKEPT2\n",
    "front matter": '---\ntitle: "</script><script>alert(1)</script>KEPT"\ntags: ["<img src=x>"]\n'
    'description: "<svg onload=x>"\n---\nKEPT KEPT2\n',
    "wiki": "[[javascript:KEPT]] [[b|<img src=x onerror=y>KEPT2]]\n",
    "place holders": "KEPT \x02klzzwxh:0000\x03 \x02wzxhzdk:0\x03 KEPT2\n",
    "tabs": '=== "<img src=x onerror=y>KEPT"\n    KEPT2\n\n??? note "<script>alert(1)</script>"\n    x\n',
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    files: dict[str, str | bytes] = {f"{name}.md": source for name, source in HOSTILE.items()}
    return Folder(tmp_path_factory.mktemp("hostile"), {**files, "b.md": "# B\n", "p.png": b"x"})


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_note_is_harmless_and_can_be_read(hostile: Folder, name: str) -> None:
    path = f"{hostile.urls[f'{name}.md']}index.md"
    html = hostile.prepared[path].content
    assert judge(html) == []
    body = LexborHTMLParser(html).body
    assert body is not None
    shown = body.text() + " ".join(i.attributes.get("alt") or "" for i in body.css("img"))
    assert "KEPT" in shown.replace("KEPT2", "")
    assert "KEPT2" in shown
    assert body.css_first("h1") is not None  # a page, and not its source as one block of code


def test_a_stranger_stops_no_build(hostile: Folder) -> None:
    assert {"PN601", "PN602"} <= hostile.codes()
    assert all(f.severity is not Severity.ERROR for f in hostile.findings)


def test_pictures_of_other_hosts_become_links(tmp_path: Path) -> None:
    folder = one(
        tmp_path,
        "![logo](https://e.example/a.png 'T') ![](https://e.example/b.png)\n"
        "[![badge](https://e.example/c.svg)](https://example.org/) ![r][e]\n"
        '<img src="https://e.example/d.png" alt="D"> '
        '<a href="b.md"><img src="//e.example/f.png" alt="F"></a>\n\n'
        "[e]: https://e.example/e.png\n",
    )
    page = folder.page("n.md")
    assert page.css("img") == []
    assert [(a.text(), a.attributes["href"]) for a in page.css("a")] == [
        ("logo", "https://e.example/a.png"),
        ("https://e.example/b.png", "https://e.example/b.png"),
        ("badge", "https://example.org/"),
        ("r", "https://e.example/e.png"),
        ("D", "https://e.example/d.png"),
        ("F", "../b/"),
    ]


def test_text_is_not_lost(tmp_path: Path) -> None:
    folder = one(
        tmp_path,
        "Vec<T> and a < b, `x`{y} {{ z }} {% raw %} ${#a[@]} @user me@host [[ -f x ]]\n"
        ":::note\nimport X from 'y';\n:::\n\n<Tabs groupId=\"g\" values={[{a: 'b'}]}>\n"
        '<TabItem value="one">\n\n- item *em*\n\n</TabItem>\n</Tabs>\n\n'
        "![missing](no.png) ![](also-no.png) [gone](no.md) [^no-note] a\\\nb &copy; 1\\.\n",
    )
    text = folder.text("n.md")
    for words in (
        "Vec<T> and a < b, x {y} {{ z }} {% raw %} ${#a[@]} @user me@host [[ -f x ]]",
        ":::note import X from 'y'; :::",
        "<Tabs groupId=\"g\" values={[{a: 'b'}]}>",
        '<TabItem value="one">',
        "item em",
        "</TabItem> </Tabs>",
        "missing also-no.png gone [^no-note] a b © 1.",
    ):
        assert words in text
    assert folder.page("n.md").css_first("li > em") is not None


def test_footnotes_stand_with_their_text(tmp_path: Path) -> None:
    folder = one(tmp_path, "A note.[^1] [to b](b.md)\n\n[^1]: The foot.\n")
    html = folder.prepared["n/index.md"].content
    back = one(tmp_path, "[b](b.md)\n").prepared["b/index.md"].content
    assert 'id="pn-backlinks"' in back
    assert html.index("The foot.") < html.index('id="pn-related"')


def test_a_note_that_the_engine_cannot_read_is_shown_as_it_is(tmp_path: Path) -> None:
    folder = one(tmp_path, "# Title\n\n" + "[a](b.md) *b* " * 20_000)
    page = folder.page("n.md")
    assert page.css_first("pre") is not None
    assert page.text().count("[a](b.md)") == 20_000
    assert "PN102" in folder.codes()


@pytest.mark.slow
def test_the_command_builds_the_worst_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "their notes"
    files: dict[str, str | bytes] = {f"evil/{name}.md": text for name, text in HOSTILE.items()}
    files |= {f"names/{name}": f"# {name}\n\ntext\n" for name in NAMES}
    files |= {f"links/{name}": text for name, text in HOW_OTHERS_LINK.items()}
    files |= {"a/bom.md": b"\xef\xbb\xbf# Bom\r\n\r\n- a\r\n  - b\r\n", "a/latin.md": b"caf\xe9\n"}
    for name, data in files.items():
        (notes / name).parent.mkdir(parents=True, exist_ok=True)
        (notes / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    site = tmp_path / "site"
    assert main(["build", "--notes", str(notes), "--site", str(site)]) == 0
    assert "PN601" in capsys.readouterr().err
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > len(files) - 10
    for page in pages:
        tree = LexborHTMLParser(page.read_text("utf-8"))
        for script in tree.css("script"):
            assert "alert(" not in script.text(), page
            data = script.text()
            if "json" in (script.attributes.get("type") or ""):
                json.loads(data)
        for element in tree.css("*"):
            for key, value in element.attributes.items():
                assert not key.startswith("on"), page
                if key in ("src", "data", "action", "srcset") or (
                    element.tag == "link" and "alternate" not in str(element.attributes)
                ):
                    assert not re.match(r"\s*(?:https?:)?//", value or ""), (page, key, value)
