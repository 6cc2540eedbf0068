"""What strangers' notes may try, and what the finished pages must not do.

Every string that a contributor controls carries an attack here; the whole site is built and each
page is parsed as a browser would.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route
from selectolax.lexbor import LexborHTMLParser

from perfnotes.checks import examine, grade
from perfnotes.cli.main import main
from perfnotes.graph.published import unpublished
from perfnotes.site.safety import judge
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.svg import svg_problem
from tests.engine_of import engine_of, prepare
from tests.example_notes import read_site, stage_without_index, write_notes

ATTACK = (
    """</title></script><script>alert(1)</script><img src=x onerror=alert(2)>" onclick="alert(3)"""
)
QUOTED = json.dumps(ATTACK)

HOSTILE = {
    "topics.yml": f"""\
- id: caches
  title: {{en: {QUOTED}, zh: {QUOTED}}}
  description: {{en: {QUOTED}, zh: {QUOTED}}}
""",
    "tags.yml": f"""\
- id: cache
  name: {{en: {QUOTED}, zh: {QUOTED}}}
  description: {{en: {QUOTED}, zh: {QUOTED}}}
  aliases: [{QUOTED}]
""",
    "glossary.yml": f"""\
- id: pit
  en: {QUOTED}
  zh: 陷阱
  definition: {{en: {QUOTED}, zh: {QUOTED}}}
- id: plain-term
  en: page fault
  zh: 缺页
  abbr: [{QUOTED}]
  definition: {{en: {QUOTED}, zh: {QUOTED}}}
""",
    "references.bib": """\
@misc{evil2020paper,
  author = {</title><script>alert(1)</script>, Eve and "onclick=alert(3), Mallory},
  title  = {<img src=x onerror=alert(2)> [x](javascript:alert(4)) `code` </textarea>},
  year   = {2020},
  howpublished = {<iframe src=//example.org>},
  url    = {https://example.org/?a=1&b='onmouseover=alert(5)}
}
""",
    "caches/evil.md": f"""\
---
title: {QUOTED}
description: {QUOTED}
tags: [cache]
level: introductory
aliases: [{QUOTED}, old/evil]
authors: [{QUOTED}]
date: 2026-01-31
---

A page fault, and [[lines|{ATTACK[:20]} b]] and [@evil2020paper, {{{{ 7*7 }}}} p. 3].

## Heading [x] `<script>`

![alt "onerror=alert(1)](a.svg)
Bash `${{#a[@]}}` and ${{#a[@]}} and {{{{ config }}}} and {{% raw %}} survive.

--8<-- "../../../etc/passwd"

{{!../../../etc/passwd!}}
""",
    "caches/a.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>',
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    write_notes(folder, HOSTILE)
    out = folder / "site"
    assert main(["build", "--notes", str(folder / "notes"), "--site", str(out), "--quiet"]) == 0
    return out


@pytest.mark.slow
def test_no_page_runs_anything_of_a_contributor(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    for file in pages:
        tree = LexborHTMLParser(file.read_text("utf-8"))
        for node in tree.css("*"):
            attributes = node.attributes
            assert not any(name.startswith("on") for name in attributes), (file, node.html)
            for name in ("href", "src", "action", "formaction"):
                value = (attributes.get(name) or "").strip().lower()
                assert not value.startswith(("javascript:", "data:")), (file, node.html)
            if node.tag == "script":
                source = attributes.get("src") or ""
                data = attributes.get("type") == "application/ld+json"
                assert source.rpartition("assets/")[1] or data, file
            assert node.tag not in ("iframe", "object", "embed", "base", "style"), (file, node.html)
            if node.tag == "img":
                assert (attributes.get("src") or "").endswith(".svg"), (file, node.html)


@pytest.mark.slow
def test_every_page_has_a_policy_that_runs_no_inline_script(site: Path) -> None:
    for file in site.rglob("*.html"):
        text = file.read_text("utf-8")
        assert 'http-equiv="Content-Security-Policy"' in text, file
        policy = LexborHTMLParser(text).css_first("meta[http-equiv=Content-Security-Policy]")
        content = (policy.attributes["content"] or "") if policy else ""
        scripts = content.partition("script-src")[2].partition(";")[0]
        assert "unsafe" not in scripts
        assert "default-src 'none'" in content


@pytest.mark.slow
def test_text_that_looks_like_a_template_or_an_include_survives(site: Path) -> None:
    tree = LexborHTMLParser((site / "caches/evil/index.html").read_text("utf-8"))
    article = tree.css_first("article")
    assert article is not None
    text = article.text()
    for survivor in ("${#a[@]}", "{{ config }}", "{% raw %}", "--8<--", "{!../../../etc/passwd!}"):
        assert survivor in text
    assert "{{ 7*7 }}" in text
    assert "root:" not in text


@pytest.mark.slow
def test_titles_are_shown_as_they_are(site: Path) -> None:
    tree = LexborHTMLParser((site / "caches/evil/index.html").read_text("utf-8"))
    title = tree.css_first("title")
    heading = tree.css_first("article h1")
    assert title is not None
    assert heading is not None
    assert ATTACK in title.text()
    assert " ".join(heading.text().split()) == " ".join(ATTACK.split())


@pytest.mark.slow
def test_the_search_index_holds_titles_as_they_are(site: Path) -> None:
    """Nothing of it is HTML: what shows it makes text of it."""
    rows = dict(json.loads((site / "search/addresses.json").read_text("utf-8")))
    assert " ".join(rows["caches/evil/"].split()) == " ".join(ATTACK.split())
    shards = "".join(f.read_text("utf-8") for f in (site / "search").rglob("*.js"))
    assert json.dumps(rows["caches/evil/"], ensure_ascii=False) in shards


ATTACKS = {
    "script": "<script>alert(1)</script>",
    "handler": '<b onclick="alert(1)">x</b>',
    "image": "<img src=x onerror=alert(1)>",
    "frame": "<iframe src='//example.org'></iframe>",
    "style element": "<style>*{display:none}</style>",
    "svg": "<svg onload=alert(1)></svg>",
    "inline link": "[x](javascript:alert(1))",
    "link with entities": "[x](java&#115;cript:alert(1))",
    "link with a tab": "[x](<java\tscript:alert(1)>)",
    "link in capitals": "[x](JaVaScRiPt:alert(1))",
    "data link": "[x](data:text/html,<script>alert(1)</script>)",
    "definition": "[x]\n\n[x]: javascript:alert(1)",
    "definition with entities": "[x]\n\n[x]: javascript&colon;alert(1)",
    "autolink": "<javascript:alert(1)>",
    "data autolink": "<data:text/html,x>",
    "attribute list": "*x*{onclick=alert(1)}",
    "attribute list on an image": "![i](a.svg){onerror=alert(1)}",
    "style by attribute list": "*x*{style=position:fixed}",
    "block attribute list": "x\n{: onclick=alert(1) }",
    "heading attribute list": "## x {onclick=alert(1)}",
    "fence attribute list": "``` {.c onclick=alert(1)}\nx\n```",
    "stolen id": "## x {#__config}",
    "stolen class": "*x*{.md-header}",
    "mermaid, which would load a script": "*x*{.mermaid}",
    "form": "<form action=https://example.org><input name=a></form>",
    "meta": '<meta http-equiv=refresh content="0;url=https://example.org">',
    "base": "<base href=https://example.org>",
    "unclosed comment": "<!-- <script>alert(1)</script>",
    "math with a link": r"$\href{javascript:alert(1)}{x}$",
    "picture of another host": "![x](https://example.org/x.png)",
    "mail": "<me@example.org>",
    "nested quotes": '<a title="<span class="k">" onmouseover=alert(1)>x</a>',
}


@pytest.mark.parametrize("text", ATTACKS.values(), ids=ATTACKS.keys())
def test_an_attack_never_reaches_the_page(text: str, tmp_path: Path) -> None:
    """Each is refused with its place, or comes out as text."""
    write_notes(tmp_path, {"caches/evil.md": f"Before.\n\n{text}\n\nAfter.\n",
                           "caches/a.svg": HOSTILE["caches/a.svg"]})  # fmt: skip
    site = read_site(tmp_path)
    staged = stage_without_index(site)
    prepared, unsafe = prepare(site, staged, engine_of())
    found: list[Finding] = grade([*examine(site, staged.findings), *unsafe], site.library)
    refused = [f for f in found if f.severity is Severity.ERROR and f.path.endswith("evil.md")]
    html = prepared["caches/evil/index.md"].content
    assert refused or not judge(html)
    assert all(f.line >= 8 for f in refused if f.code != "PN505"), refused


SVG_ATTACKS = {
    "script": "<script>alert(1)</script>",
    "handler": '<rect onclick="alert(1)"/>',
    "foreign object": "<foreignObject><p/></foreignObject>",
    "link": '<a href="https://example.org"><rect/></a>',
    "outside use": '<use href="https://example.org/x.svg#a"/>',
    "outside image": '<image href="https://example.org/x.png"/>',
    "import": "<style>@import url(https://example.org/x.css)</style>",
    "outside paint": '<rect fill="url(https://example.org/x#y)"/>',
    "import split by an element": "<style>@im<style/>port 'https://example.org/x.css';</style>",
    "import split by a note": "<style>@im<g/>port 'https://example.org/x.css';</style>",
    "import split by a comment": "<style>@im<!-- -->port 'https://example.org/x.css';</style>",
    "import in capitals": "<style>@IMPORT 'https://example.org/x.css';</style>",
    "escaped import": r"<style>@\69mport 'https://example.org/x.css';</style>",
    "import behind a comment": "<style>/* */@import 'https://example.org/x.css';</style>",
    "import between strings": """<style>a{b:"/*"}@import 'https://example.org/x.css';</style>""",
    "namespace": "<style>@namespace url(https://example.org/x);</style>",
    "font": "<style>@font-face{font-family:a;src:local(b)}</style>",
    "image set": "<style>rect{mask:image-set('https://example.org/x.png' 1x)}</style>",
    "image set in an attribute": """<rect mask="image-set('https://example.org/x.png' 1x)"/>""",
    "image set in a style": """<rect style="mask:-webkit-image-set('//example.org/x' 1x)"/>""",
    "cross-fade": "<style>svg{background:cross-fade(url(//example.org/x),red)}</style>",
    "image function": "<style>svg{background:image('https://example.org/x.png')}</style>",
    "src function": "<style>svg{background:src('https://example.org/x.png')}</style>",
    "url in a variable": "<style>svg{--a:url(//example.org/x);background:var(--a)}</style>",
    "cursor": '<rect style="cursor:url(https://example.org/x.cur),auto"/>',
    "marker": '<path marker-end="url(https://example.org/x.svg#a)"/>',
    "url with blanks": "<style>svg{background:url(  'https://example.org/x' )}</style>",
    "base": '<g xml:base="https://example.org/"><use href="#a"/></g>',
    "picture of a document": '<image href="data:image/svg+xml,&lt;svg/>"/>',
    "filter image": '<filter><feImage href="https://example.org/x.png"/></filter>',
    "animated link": '<set attributeName="href" to="javascript:alert(1)"/>',
}


@pytest.mark.parametrize("inside", SVG_ATTACKS.values(), ids=SVG_ATTACKS.keys())
def test_an_svg_holds_shapes_only(inside: str) -> None:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n{inside}\n</svg>'
    problem = svg_problem(svg.encode())
    assert problem is not None
    assert problem[0] == 2


# As editors and plotting programs write them.
SVG_STYLES = {
    "plotting": '<style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style>',
    "diagrams": "<style>#a .b{fill:rgb(1 2 3/50%);font-family:'DejaVu Sans',sans-serif}"
    "@keyframes dash{to{stroke-dashoffset:0}}@media (prefers-color-scheme:dark){#a{fill:#eee}}"
    "</style>",
    "fragments": """<rect style="fill:url(#a);clip-path:url('#b')" mask='url("#c")'/>""",
    "transforms": '<g transform="translate(1, 2) rotate(3)" aria-label="f(x) \\ y"><rect/></g>',
    "light and dark": '<rect style="fill: light-dark(rgb(0, 0, 0), var(--ge-dark, #121212))"/>',
    "selectors": "<style>g:not(.a) > rect:nth-child(2n+1){opacity:calc(1 - .5)}/* why */</style>",
    "picture": '<image href="data:image/png;base64,iVBORw0KGgo=" width="1" height="1"/>',
}


@pytest.mark.parametrize("inside", SVG_STYLES.values(), ids=SVG_STYLES.keys())
def test_styles_that_load_nothing_stay(inside: str) -> None:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inside}</svg>'
    assert svg_problem(svg.encode()) is None


_OWN = "http://notes.example/own.svg"


def _server_of(svg: str, asked: list[str]) -> Callable[[Route], None]:
    """Answer with the SVG file at its address, and write down all others."""

    def answer(route: Route) -> None:
        if route.request.url == _OWN:
            route.fulfill(body=svg, content_type="image/svg+xml")
        else:
            asked.append(route.request.url)
            route.abort()

    return answer


def _opened_alone(browser: Browser, inside: dict[str, str]) -> dict[str, list[str]]:
    """What a browser asks for besides each SVG file, when the file is opened by itself."""
    asked: dict[str, list[str]] = {}
    with browser.new_context() as context:
        for name, part in inside.items():
            svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{part}<rect id="a"'
            svg += ' width="9" height="9" fill="red"/></svg>'
            tab = context.new_page()
            tab.route("**/*", _server_of(svg, asked.setdefault(name, [])))
            tab.goto(_OWN)
            tab.wait_for_timeout(50)
            tab.close()
    return {name: [u for u in urls if "favicon" not in u] for name, urls in asked.items()}


@pytest.mark.slow
def test_svg_opened_by_itself_asks_nobody(browser: Browser) -> None:
    asked = _opened_alone(browser, SVG_STYLES)
    assert not any(asked.values()), asked
    attacks = {name: part for name, part in SVG_ATTACKS.items() if "example.org" in part}
    asked = _opened_alone(browser, attacks)
    # What is refused is refused for a reason: these ask another host.
    reaching = {name for name, urls in asked.items() if urls}
    assert {"import split by an element", "image set in a style", "escaped import"} <= reaching


@pytest.mark.parametrize(
    ("path", "ending"),
    [("notes/a.html", "html"), ("a/page.html.gz", "html"), ("plan.svg.gz", "svg"),
     ("x.xhtml.cuh", "xhtml"), ("x.xml.zh.ptx", "xml"), ("noending", "noending"),
     ("photo.svg.png", ""), ("html.gz", ""), ("a.html/b.tar.gz", ""), ("kernel.cu", "")],
)  # fmt: skip
def test_no_file_that_a_server_may_send_as_a_page_is_published(path: str, ending: str) -> None:
    assert unpublished(path) == ending


def test_svg_entities_and_other_roots_are_refused() -> None:
    bomb = '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>'
    assert svg_problem(bomb.encode())
    assert svg_problem(b"<html></html>")
    assert svg_problem(b"not xml")
    assert svg_problem(
        b'<?xml-stylesheet href="x"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    )
    given = '<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>'
    assert svg_problem(f'{given}<svg xmlns="http://www.w3.org/2000/svg" width="1"/>'.encode())
    ebcdic = '<?xml version="1.0" encoding="cp037"?><svg xmlns="http://www.w3.org/2000/svg"/>'
    assert svg_problem(ebcdic.encode())
    plain = (
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect fill="url(#a)"/></svg>'
    )
    assert svg_problem(plain) is None
