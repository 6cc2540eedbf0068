"""The field that shows only rows with words, on pages of lists: symptoms and the glossary."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from tests.browser import opened, served
from tests.opened_notes import BELOW

pytestmark = pytest.mark.slow

LABELS = {"": "Show only", "zh/": "只显示"}


@pytest.fixture(scope="module")
def site(built_for_browsers: Path) -> Iterator[str]:
    """The site has symptoms below an answer, below a place, and below no note."""
    with served(built_for_browsers, BELOW) as base:
        yield base


def shown(tab: Tab, selector: str) -> list[str]:
    """The texts of the elements that are laid out."""
    texts: list[str] = tab.eval_on_selector_all(
        selector,
        "all => all.filter((each) => each.checkVisibility()).map((each) => each.textContent)",
    )
    return texts


@pytest.mark.parametrize(("lang", "words"), [("", "columns MATRIX"), ("zh/", "按列遍历")])
def test_symptoms_with_words_open_their_answer(
    browser: Browser, site: str, lang: str, words: str
) -> None:
    with opened(browser, site, width=390) as (tab, _):
        tab.goto(f"{lang}symptoms/")
        assert shown(tab, ".pn-answer .pn-see") == []
        field = tab.get_by_label(LABELS[lang])
        field.fill(words)
        assert len(shown(tab, ".pn-see")) == 1
        # Headings, questions, answers and links to places without such a symptom are gone.
        assert [len(shown(tab, each)) for each in ("h2", "h3", ".pn-by", ".pn-places li")] == [
            1
        ] * 4
        assert shown(tab, ".pn-no-cause, .pn-first li") == []
        tab.reload()
        expect(field).to_have_value(words)
        assert len(shown(tab, ".pn-see")) == 1
        field.fill("")
        assert shown(tab, ".pn-answer .pn-see") == []  # folded as before
        assert len(shown(tab, "h2")) == len(shown(tab, ".pn-places li")) == 3
        assert "show" not in tab.url


def test_an_answer_that_the_reader_opened_stays_open(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("symptoms/")
        tab.locator(".pn-answer > summary").click()
        tab.get_by_label("Show only").fill("columns")
        tab.get_by_label("Show only").fill("")
        assert len(shown(tab, ".pn-answer .pn-see")) == 1


def test_what_is_hidden_comes_back_at_a_link_to_it(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("symptoms/")
        tab.get_by_label("Show only").fill("nproc")
        assert len(shown(tab, ".pn-first > li")) == 1
        assert shown(tab, ".pn-see") == []
        tab.locator(".pn-first a[href='#symptoms--program--user']").click()
        expect(tab.get_by_label("Show only")).to_have_value("")
        assert len(shown(tab, "h2")) == 3
        expect(tab.locator("#symptoms--program--user")).to_be_in_viewport()


@pytest.mark.parametrize(("lang", "words"), [("", "warp, no such term"), ("zh/", "线程束")])
def test_terms_are_found_by_either_name(browser: Browser, site: str, lang: str, words: str) -> None:
    with opened(browser, site, width=390) as (tab, _):
        tab.goto(f"{lang}glossary/")
        every = len(shown(tab, "dt"))
        field = tab.get_by_label(LABELS[lang])
        field.fill(words)
        assert len(shown(tab, "dt")) == len(shown(tab, "dd")) == 1 < every
        field.fill("no such thing")
        assert shown(tab, "dt") == []
        expect(tab.get_by_role("status")).not_to_be_empty()
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390


def test_without_scripts_everything_is_there_and_no_field(browser: Browser, site: str) -> None:
    with opened(browser, site, script=False) as (tab, _):
        for url, rows in (("symptoms/", ".pn-places li"), ("glossary/", "dt")):
            tab.goto(f"{url}?show=zzz")
            expect(tab.locator(rows).last).to_be_visible()
            expect(tab.locator(".pn-find")).to_be_hidden()
