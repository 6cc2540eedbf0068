"""Taking part, in a browser: what a card reports, and the page that asks for help."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from perfnotes.model.repository import FORMS
from perfnotes.site.page import Page
from tests.browser import opened, served

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(addressed_sample: Path) -> Iterator[str]:
    with served(addressed_sample / "site", "/some/path/") as base:
        yield base


def test_a_card_reports_its_number(browser: Browser, site: str, pages: list[Page]) -> None:
    for lang, words in (("en", "Report this number"), ("zh", "报告这个数字")):
        page = next(
            p for p in pages if p.kind == "note" and p.lang == lang and "pn-measured" in p.body
        )
        with opened(browser, site) as (tab, _):
            tab.goto(page.url)
            tab.locator(".pn-fold", has=tab.locator(".pn-numbers")).locator("summary").first.click()
            row = tab.locator(".pn-measured tr[id]").first
            number = tab.locator(f"article a.pn-n[data-n='{row_number(row.get_attribute('id'))}']")
            number.first.hover()
            link = tab.locator(".pn-card .pn-card-report a")
            expect(link).to_have_text(words)
            query = parse_qs(urlsplit(link.get_attribute("href") or "").query)
            shown = number.first.inner_text()
            recorded = row.locator("td").last.inner_text()
        said = {name: values[0] for name, values in query.items()}
        assert said.keys() == {"template", "title", *FORMS["wrong-number"]}
        assert said["template"] == "wrong-number.yml"
        assert said["number"] == shown
        assert re.fullmatch(r"lab:\S+", said["binding"])
        assert said["title"] == f"{shown} ({said['binding']})"
        assert said["page"] == f"https://example.org/some/path/{page.url}"
        assert said["recorded"].lower() in recorded.lower()
        assert re.fullmatch(r"[a-z0-9-]+", said["machine"])


def row_number(id: str | None) -> str:
    return (id or "").removeprefix("pn-n")


def test_help_is_wanted_without_scripts_too(browser: Browser, site: str) -> None:
    with opened(browser, site, script=False) as (tab, _):
        for lang, words in (("", "Help wanted"), ("zh/", "征求帮助")):
            tab.goto(lang)
            tab.locator(".pn-sections a", has_text=words).click()
            expect(tab.locator("h1")).to_have_text(words)
            tab.goto(lang)
            tab.locator(".pn-wanted a").first.click()
            expect(tab.locator("h2:target")).to_be_visible()
