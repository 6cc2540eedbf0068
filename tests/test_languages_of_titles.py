"""What stands on a page of another language says so: screen readers and typefaces depend on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from perfnotes.site.render.language import lang_attribute

_CHINESE = re.compile("[\u3400-\u9fff]")
# Code, data, and what authors wrote. Attributes cannot say of which language a part of them is.
_LEFT_OUT = "pre, code, script, style, .pn-people"


def _texts(file: Path, lang: str, selector: str) -> Iterator[tuple[LexborNode, str]]:
    """Yield the elements with text of their own in a language, without code."""
    tree = LexborHTMLParser(file.read_text("utf-8"))
    for node in tree.css(_LEFT_OUT):
        node.decompose()
    for node in tree.css(selector):
        text = node.text(deep=False).strip()
        if text and _lang(node) == lang:
            yield node, text


def _lang(node: LexborNode | None) -> str:
    while node:
        if node.attributes.get("lang"):
            return str(node.attributes["lang"])
        node = node.parent
    return ""


@pytest.mark.slow
def test_no_chinese_text_counts_as_english(built_sample: Path) -> None:
    site = built_sample / "site"
    found = [
        f"{file.relative_to(site)}: {text}"
        for file in site.rglob("*.html")
        for _, text in _texts(file, "en", "html *")
        if _CHINESE.search(text) and "checks/" not in file.as_posix()  # they quote faults
    ]
    assert not found, "\n".join(found)
    references = (site / "references/index.html").read_text("utf-8")
    assert 'lang="zh">没有年份的网页</a>' in references  # there is something to mark


@pytest.mark.slow
def test_no_english_title_counts_as_chinese(built_sample: Path) -> None:
    """Looks where titles stand: a sentence may quote English words."""
    site = built_sample / "site"
    english = {
        LexborHTMLParser(file.read_text("utf-8")).css("h1")[0].text()
        for folder in ("references", "caches", "gpu", "method", "shell")
        for file in (site / folder).glob("*/index.html")
    }
    english = {title for title in english if not _CHINESE.search(title)}
    assert len(english) > 10
    found = [
        f"{file.relative_to(site)}: {text}"
        for file in (site / "zh").rglob("*.html")
        for _, text in _texts(file, "zh", "h1, title, a, a span, .pn-cite-as")
        if text in english or any(text.endswith(f"{title}.") for title in english)
    ]
    assert not found, "\n".join(found)


def test_a_text_is_marked_only_where_its_language_differs() -> None:
    assert lang_attribute("卷积优化之 Im2col", "en") == ' lang="zh"'
    assert lang_attribute("卷积优化之 Im2col", "zh") == ""
    assert lang_attribute("Cache Memories", "zh") == ' lang="en"'
    assert lang_attribute("Cache Memories", "en") == ""
    assert lang_attribute("2024", "zh") == ""
