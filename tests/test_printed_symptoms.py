"""What do you see? on paper: two sheets of what people see, with commands, no pieces of code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import opened, served

# Of each cause, the code that paper shows.
_SHOWN = """() => [...document.querySelectorAll(".pn-causes .pn-confirm code")]
  .filter((code) => code.getClientRects().length).map((code) => code.textContent)"""

_ITEMS = """() => [...document.querySelectorAll(".pn-causes > li")]
  .filter((item) => item.getClientRects().length)
  .map((item) => [".pn-see", ".pn-cause a", ".pn-confirm code"]
    .map((part) => [...item.querySelectorAll(part)].filter((each) => each.getClientRects().length))
    .map((parts, i) => i === 2 ? parts.length : parts.length === 1))"""


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["", "zh/"])
def test_our_symptoms_fit_on_two_sheets(
    browser: Browser, built_project: Path, tmp_path: Path, lang: str
) -> None:
    with served(built_project / "site") as base, opened(browser, base) as (tab, _):
        tab.goto(f"{lang}symptoms/")
        tab.pdf(path=tmp_path / "sheets.pdf", format="A4")
        sheets = re.findall(rb"/Type\s*/Page\b", (tmp_path / "sheets.pdf").read_bytes())
        assert len(sheets) == 2
        tab.emulate_media(media="print")
        shown = tab.evaluate(_SHOWN)
        assert len(shown) > 50
        assert [code for code in shown if " " not in code] == []
        # Each thing that is printed can be recognised, and has its note and one command.
        items = tab.evaluate(_ITEMS)
        assert len(items) == len(shown)
        assert [item for item in items if item != [True, True, 1]] == []
