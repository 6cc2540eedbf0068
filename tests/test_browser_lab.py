"""A lab's page in a browser: its programs are laid out when they come near."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import opened, served
from tests.opened_notes import BELOW, LAB

pytestmark = pytest.mark.slow

CODES = "#lab--sources ~ .highlight code"


@pytest.fixture(scope="module")
def site(built_for_browsers: Path) -> Iterator[str]:
    with served(built_for_browsers, BELOW) as base:
        yield base


def test_a_program_is_reached_by_address_and_by_the_contents(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(LAB)
        last = tab.locator("h3", has_text="z_last.txt")
        name = last.get_attribute("id")
        assert name
        tab.locator(f".pn-toc a[href='#{name}']").first.click()
        expect(last).to_be_in_viewport()
        tab.goto("about:blank")
        tab.goto(f"{LAB}#{name}")
        expect(last).to_be_in_viewport()


def test_the_keyboard_reaches_programs_and_those_seen_only_if_they_scroll(
    browser: Browser, site: str
) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(LAB)
        codes = tab.locator(CODES)
        expect(codes.last).to_have_attribute("tabindex", "0")
        for code in codes.all():
            code.scroll_into_view_if_needed()
        by_name = tab.locator("h3", has_text="a_wide.txt").locator("~ .highlight code").first
        expect(by_name).to_have_attribute("tabindex", "0")
        expect(codes.last).not_to_have_attribute("tabindex", "0")
