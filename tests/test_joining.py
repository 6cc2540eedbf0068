"""Chinese pages join words with Chinese signs, English pages with English ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from perfnotes.text.joining import joins
from tests.evidence_pages import Seen, shown

__all__ = ["shown"]  # the fixture

_CHINESE = "[\u4e00-\u9fff]"
_MIXED = re.compile(
    rf"{_CHINESE}(?:[:;,](?: |$)| ?\()|[:;,] {_CHINESE}|\({_CHINESE}|（[^（）]*\)|\([^()]*）"
)
_ENGLISH = re.compile("[，、；：（）]")
_NAMES = ("title", "aria-label")


def texts(page: LexborHTMLParser) -> Iterator[str]:
    """The text of each block of a page, without code, and the names of its elements."""
    for node in page.css("code, pre, script, style"):
        node.decompose()
    for node in page.css("p, li, dt, dd, th, td, summary, h1, h2, h3, desc, figcaption"):
        yield " ".join(node.text().split())
    for name in _NAMES:
        for node in page.css(f"[{name}]"):
            yield str(node.attributes[name])


def test_words_are_joined_by_the_signs_of_their_language() -> None:
    en, zh = joins("en"), joins("zh")
    assert f"a{en.colon}b{en.comma}c{en.semicolon}d{en.bracketed('e')}" == "a: b, c; d (e)"
    assert (
        f"甲{zh.colon}乙{zh.comma}丙{zh.semicolon}丁{zh.bracketed('戊')}" == "甲：乙，丙；丁（戊）"
    )


def test_no_ascii_sign_stands_beside_chinese_words(shown: Seen) -> None:
    wrong = []
    for url, page in shown.pages.items():
        if url.startswith("zh/"):
            found = list(texts(LexborHTMLParser(page.html or "")))
            wrong += [(url, text) for text in found if _MIXED.search(text)]
    assert wrong == []


def test_no_ascii_sign_stands_beside_chinese_words_of_the_markdown(shown: Seen) -> None:
    wrong = []
    for path, data in shown.staged.markdown.items():
        if path.startswith("zh/"):
            text = re.sub(r"```.*?```|`[^`]*`", "`", data.decode(), flags=re.DOTALL)
            text = re.sub(r"\]\([^)]*\)", "]", text)
            wrong += [(path, line) for line in text.splitlines() if _MIXED.search(line)]
    assert wrong == []


def test_what_chinese_pages_say_of_evidence(shown: Seen) -> None:
    def text(url: str, css: str) -> list[str]:
        return [" ".join(n.text().split()) for n in shown.pages[f"zh/{url}"].css(css)]

    assert "成立：1，不成立：1" in text("machines/", "td")
    assert any("：64 B" in each for each in text("references/drepper2007memory/", ".pn-from li"))
    tables = shown.pages["zh/caches/ladder/lab/"].css(".pn-scroll")
    assert "结果：从一级缓存读取一次" in [table.attributes["aria-label"] for table in tables]


def test_no_chinese_sign_stands_on_english_pages(shown: Seen) -> None:
    page = LexborHTMLParser(shown.pages["machines/"].html or "")
    assert not [text for text in texts(page) if _ENGLISH.search(text)]
