"""The search box for tests: its field, its results, and waiting for the whole answer."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect
from playwright.sync_api import Page as Tab

BELOW = "/some/path/"
PHONE = 320


def field(tab: Tab) -> Locator:
    return tab.get_by_role("combobox", name=re.compile("Search|搜索"))


def hits(tab: Tab) -> Locator:
    """Return the results, without the small options that lead to their other places."""
    every = tab.get_by_role("listbox").get_by_role("option")
    return every.and_(tab.locator(":not(.pn-hit-other)"))


def other_places(tab: Tab) -> Locator:
    """Return the options that lead to the other places of results."""
    return tab.get_by_role("listbox").get_by_role("option").and_(tab.locator(".pn-hit-other"))


def search(tab: Tab, words: str) -> Locator:
    """Open the search, enter words and return the locator of the results."""
    if not field(tab).is_visible():
        tab.keyboard.press("/")
    field(tab).fill(words)
    settle(tab)
    return hits(tab)


def settle(tab: Tab) -> None:
    """Wait for the whole answer to the words in the field."""
    words = field(tab).input_value()
    expect(tab.locator(".pn-search")).to_have_attribute("data-shown", words, timeout=20_000)


def page_ids(tab: Tab) -> list[str]:
    found: list[str] = hits(tab).evaluate_all("all => all.map((each) => each.dataset.page)")
    return found


def opens(tab: Tab, address: str) -> None:
    """Wait for a result's page. Browsers may remove the text fragment from the address."""
    place, _, _ = address.partition(":~:")
    expect(tab).to_have_url(re.compile(rf"^{re.escape(place)}(:~:.*)?$"))
