"""A small folder of all that other people's Markdown does, raw HTML and attacks among it.

No text is lost, and whatever a note tries, its page is safe and can still be read.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from perfnotes.cli.main import main
from perfnotes.site.safety import judge
from perfnotes.text.findings import Severity
from tests.foreign_folder import HOW_OTHERS_LINK, NAMES, Folder, one

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


def test_a_character_that_nobody_sees_is_a_warning(tmp_path: Path) -> None:
    findings = one(tmp_path, "1\u202e6 lines\n\nagain 1&#x202e;6, `&#x202e;`\n").findings
    hidden = [(f.line, f.column, f.severity) for f in findings if f.code == "PN107"]
    assert hidden == [(1, 2, Severity.WARNING), (3, 8, Severity.WARNING)]


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
