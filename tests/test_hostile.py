"""What strangers' notes may try, and what the finished pages must not do.

Every string that a contributor controls carries an attack here; the whole site is built and each
page is parsed as a browser would.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from perfnotes.checks import examine, grade
from perfnotes.cli import main
from perfnotes.engine.safety import judge
from perfnotes.findings import Finding, Severity
from perfnotes.stage import stage
from perfnotes.svg import svg_problem
from tests.engine_of import engine_of, prepare
from tests.example_notes import read_site, write_notes

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
    staged = stage(site)
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
    "animated link": '<set attributeName="href" to="javascript:alert(1)"/>',
}


@pytest.mark.parametrize("inside", SVG_ATTACKS.values(), ids=SVG_ATTACKS.keys())
def test_an_svg_holds_shapes_only(inside: str) -> None:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n{inside}\n</svg>'
    problem = svg_problem(svg.encode())
    assert problem is not None
    assert problem[0] == 2


def test_svg_entities_and_other_roots_are_refused() -> None:
    bomb = '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>'
    assert svg_problem(bomb.encode())
    assert svg_problem(b"<html></html>")
    assert svg_problem(b"not xml")
    assert svg_problem(
        b'<?xml-stylesheet href="x"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    )
    plain = (
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect fill="url(#a)"/></svg>'
    )
    assert svg_problem(plain) is None
