"""The style sheet: a rule of Material's is left out only if no page can use it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from benchmarks.page.stylesheet import differences, states, whole_sheet
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment
from markupsafe import Markup
from playwright.sync_api import Browser
from selectolax.lexbor import LexborHTMLParser

from perfnotes.site.possible_names import (
    PossibleNames,
    material_templates,
    possible_names,
    sources,
)
from perfnotes.site.rare_rules import CLASS_WORDS, WORDS, is_rare
from perfnotes.site.stylesheet import whole_and_short
from perfnotes.site.theme_files import THEME
from tests.browser import served
from tests.project import ROOT

PACKAGE = ROOT / "tools/perfnotes"
_RARE = (
    "kbd, [dir=rtl], .admonition, .arithmatex, .footnote, .highlighttable, .linenos, .tabbed-set, "
    ".task-list-item, .twemoji, .grid, .critic, "
    "details:is(.abstract, .bug, .info, .note, .question, .tip)"
)
NAMES = PossibleNames(frozenset("md-used __drawer data-md-used --used spin".split()), frozenset())


def usable(sheet: str, names: PossibleNames) -> str:
    return whole_and_short(sheet, names, is_rare)[0]


@pytest.fixture(scope="module")
def names() -> PossibleNames:
    return possible_names([THEME, material_templates()])


@pytest.mark.parametrize(
    ("sheet", "kept"),
    [
        ("p{color:red}article{color:red}", "p{color:red}"),
        (".md-used{top:0}.md-other{top:0}.authors{top:0}", ".md-used{top:0}.authors{top:0}"),
        ("#__drawer,#__search,#heading{top:0}", "#__drawer,#heading{top:0}"),
        ("[data-md-used],[data-md-other]{top:0}", "[data-md-used]{top:0}"),
        ("[dir=rtl] .md-used>p::before{top:0}", "[dir=rtl] .md-used>p::before{top:0}"),
        (".md-used .md-other~p{top:0}", ""),
        ("p:not(.md-other),p:is(.md-other){top:0}", "p:not(.md-other),p:is(.md-other){top:0}"),
        ("p:nth-child(2 of .md-other){top:0}", "p:nth-child(2 of .md-other){top:0}"),
        # A browser may drop the list for the pseudo-class, so no part of it may go.
        (".md-other,p:-moz-any-link{top:0}", ".md-other,p:-moz-any-link{top:0}"),
        (".md-other::-ms-clear{top:0}", ""),
        ("@media print{.md-other{top:0}}@media print{p{top:0}}", "@media print{p{top:0}}"),
        ("@supports (top:0){@media print{.md-other{top:0}}}", ""),
        ('@charset "UTF-8";@page{margin:0}', '@charset "UTF-8";@page{margin:0}'),
        (":root{--used:0;--other:1;--by-rule:2}p{top:var(--by-rule)}",
         ":root{--used:0;--by-rule:2}p{top:var(--by-rule)}"),
        ("[for=__other],[id=__drawer]{top:0}[for~=__other]{top:0}",
         "[id=__drawer]{top:0}[for~=__other]{top:0}"),
        (":root{--a:var(--b);--b:0}.md-other{top:var(--a)}", ""),
        ("p{animation:turn 1s}@keyframes turn{to{top:0}}@keyframes spun{to{top:0}}",
         "p{animation:turn 1s}@keyframes turn{to{top:0}}"),
        ('p{content:".md-other{}";top:0!important}', 'p{content:".md-other{}";top:0!important}'),
        ("p{color:red;&.md-other{top:0}}", "p{color:red;&.md-other{top:0}}"),
        (r".md-other\:hover,.a\,b{top:0}", r".a\,b{top:0}"),
    ],
)  # fmt: skip
def test_a_rule_stays_if_a_page_can_use_it(sheet: str, kept: str) -> None:
    assert usable(sheet, NAMES) == kept


@given(st.text(alphabet="p.#:,{}()[]\"'\\ @-ad/*;", max_size=40))
def test_no_style_sheet_stops_a_build(text: str) -> None:
    whole_and_short(text, NAMES, is_rare)


def test_material_is_reduced_and_keeps_its_order(names: PossibleNames) -> None:
    whole = whole_sheet().read_text("utf-8")
    kept = usable(whole, names)
    assert len(kept) < 0.7 * len(whole)
    assert usable(kept, names) == kept
    for part in (".md-nav__link", ".md-typeset .admonition.tip", ".md-typeset .tabbed-set"):
        assert part in kept
    for part in (".md-search__input", ".md-clipboard", "video", ".md-annotation"):
        assert part in whole
        assert part not in kept


@pytest.mark.parametrize(
    ("sheet", "kept"),
    [
        (".tabbed-set,p{top:0}.admonition-title{top:0}", "p{top:0}"),
        (".keys kbd{top:0}code{top:0}", "code{top:0}"),
        ("[dir=rtl] p{top:0}[dir=ltr] p{top:0}", "[dir=ltr] p{top:0}"),
        (".note>summary,details{top:0}.note{top:0}", "details{top:0}.note{top:0}"),
        ("p:not(.admonition){top:0}", "p:not(.admonition){top:0}"),
        (":root{--icon:0}.footnote{top:var(--icon)}", ""),
        (".grid>p,.critic{top:0}.gridded{top:0}", ".gridded{top:0}"),
    ],
)
def test_the_short_sheet_lacks_what_few_texts_hold(sheet: str, kept: str) -> None:
    assert whole_and_short(sheet, NAMES, is_rare)[1] == kept


def test_the_short_sheet_is_half_of_the_other(names: PossibleNames) -> None:
    whole, short = whole_and_short(whole_sheet().read_text("utf-8"), names, is_rare)
    assert len(short) < 0.55 * len(whole)
    assert whole_and_short(short, names, is_rare) == (short, short)


def test_the_template_looks_for_the_words_of_the_rules_left_out() -> None:
    template = (THEME / "base.html").read_text("utf-8")
    listed = re.findall(r"for word in (\[.*?\])", template)
    assert [tuple(ast.literal_eval(each)) for each in listed] == [WORDS, CLASS_WORDS]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("<p>A grid of blocks, class= grid</p>", False),
        ('<p class="gridded" id="grid">a grid</p>', False),
        ('<p class="big grid" id="x">a</p>', True),
        ("<p class = 'grid'>a</p>", True),
        ("<del class=critic>a</del>", True),
        ('<details><summary>a</summary></details><details class="pn-versions">', False),
        ('<details class="tip">', True),
        ("<details open>", True),
    ],
)
def test_the_template_looks_for_classes_that_are_words_in_attributes_and_for_folds(
    text: str, whole: bool
) -> None:
    template = (THEME / "base.html").read_text("utf-8")
    begin, end = template.index("{%- set text"), template.index("{%- if (config.theme.direction")
    made = Environment(autoescape=True).from_string(template[begin:end] + "{{ sheet.name }}")
    page = SimpleNamespace(content=Markup(text))
    assert (made.render(page=page).strip() == "min") is whole


@pytest.mark.slow
def test_a_page_with_such_a_text_asks_for_the_whole_sheet(
    built_project: Path, built_example: Path
) -> None:
    asked = set[bool]()
    for project in (built_project, built_example):
        for file in (project / "site").rglob("index.html"):
            html = LexborHTMLParser(file.read_text("utf-8"))
            article, link = html.css_first("article"), html.css_first("link[href*='/main.']")
            if article and link:
                whole = ".min.css" in (link.attributes["href"] or "")
                rare = article.css_first(_RARE)
                assert whole or rare is None, (file, rare)
                asked.add(whole)
    assert asked == {True, False}


def test_templates_count_as_they_are_put_together(tmp_path: Path) -> None:
    """A block that another template replaces does not; what is included does, whatever decides."""
    files = {
        "main.html": '{% extends "base.html" %}{% block body %}<p class="md-own">{% endblock %}'
        '{% block foot %}{{ super() }}{% endblock %}{# <i class="md-comment"> #}',
        "404.html": '{% extends "main.html" %}{% block body %}<q class="md-missing">{% endblock %}',
        "base.html": '{% block body %}<video class="md-replaced">{% endblock %}'
        '{% block foot %}<footer class="md-foot">{% endblock %}'
        '{% if config.any %}{% include "partials/any.html" %}{% endif %}'
        '{% include "partials/kinds/" ~ kind ~ ".html" %}',
        "partials/any.html": '<aside class="md-any" data-md-any="">',
        "partials/kinds/broken.html": "{% if %}",
        "partials/kinds/one.html": '<b class="{{ "md-one" if config.one else "" }}">',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    found = possible_names([tmp_path])
    for name in "md-own md-missing md-foot md-any md-one".split():
        assert found.has_class(name), name
    for name in ("md-replaced", "md-comment"):
        assert not found.has_class(name), name
    assert found.has_attribute("data-md-any")
    assert found.has_element("aside")
    assert not found.has_element("video")


def test_attributes_that_a_script_sets_count(names: PossibleNames) -> None:
    """``dataset.mdColorScheme`` of early.js is the attribute ``data-md-color-scheme``."""
    assert names.has_attribute("data-md-color-scheme")
    assert names.has_attribute("data-offline")
    assert not names.has_attribute("data-md-annotation-id")


def test_no_other_file_of_the_package_writes_a_class_of_the_theme(names: PossibleNames) -> None:
    read = {*sources([THEME]), *THEME.rglob("*.html")}
    others = [f for f in PACKAGE.rglob("*") if f.suffix in (".py", ".js", ".html", ".json")]
    for file in set(others) - read:
        for name in re.findall(r"\bmd-[\w-]+", file.read_text("utf-8")):
            assert names.has_class(name) or names.has_attribute(f"data-{name}"), (file, name)


def _unknown(html: str, names: PossibleNames) -> Iterator[str]:
    for node in LexborHTMLParser(html).css("*"):
        if node.tag and not names.has_element(node.tag):
            yield f"<{node.tag}>"
        for name, value in node.attributes.items():
            if name == "class":
                yield from (f".{c}" for c in (value or "").split() if not names.has_class(c))
            elif name == "id" and not names.has_id(value or ""):
                yield f"#{value}"
            elif not names.has_attribute(name):
                yield f"[{name}]"


# What stands in the head, and attributes of other namespaces: no rule of Material's asks for these.
_OF_THE_HEAD = frozenset("<html> <head> <meta> <title> <link> <script> <noscript>".split())


def unexpected(site: Path, names: PossibleNames) -> set[str]:
    """Names on the pages of a site that the style sheet does not reckon with."""
    found: set[str] = set()
    tags: set[str] = set()
    for file in site.rglob("*.html"):
        # Each tag is looked at once; most stand on every page.
        tags.update(re.findall(r"<[a-z][^>]*>", file.read_text("utf-8")))
    for tag in tags:
        found.update(_unknown(tag, names))
    return found - _OF_THE_HEAD


@pytest.mark.slow
def test_every_name_on_our_pages_is_reckoned_with(
    built_project: Path, built_example: Path, names: PossibleNames
) -> None:
    for project in (built_project, built_example):
        assert unexpected(project / "site", names) == set()


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 390)])
def test_a_page_looks_as_with_the_whole_sheet(
    browser: Browser, built_example: Path, names: PossibleNames, scheme: str, width: int
) -> None:
    """``make stylesheet`` does the same on fifteen kinds of pages."""
    with served(built_example / "site") as address:
        for state, tab in states(
            browser, address, "caches/lines/", scheme=scheme, width=width, quick=False
        ):
            found, compared = differences(tab)
            assert compared > 200, state
            assert not found, (state, found[:5])
            assert set(_unknown(tab.content(), names)) <= _OF_THE_HEAD, state


@pytest.mark.slow
def test_a_rule_that_lacks_is_seen(browser: Browser, built_example: Path) -> None:
    """The comparison of computed styles fails where it should."""
    text = usable(whole_sheet().read_text("utf-8"), PossibleNames(frozenset(), frozenset()))
    with served(built_example / "site") as address:
        for _, tab in states(browser, address, "", scheme="light", width=1440, quick=True):
            tab.evaluate(
                """(text) => {
                  const {sheet} = document.querySelector("link[href*='stylesheets/main.']");
                  while (sheet.cssRules.length) sheet.deleteRule(0);
                  const other = new CSSStyleSheet();
                  other.replaceSync(text);
                  for (const rule of other.cssRules) sheet.insertRule(rule.cssText);
                }""",
                text,
            )
            assert differences(tab)[0]
            break
