"""What do you see? on paper: two sheets, with commands and no pieces of code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import opened, served

# Of each cause, the code that paper shows.
_SHOWN = """() => [...document.querySelectorAll(".pn-causes .pn-confirm code")]
  .filter((code) => code.getClientRects().length).map((code) => code.textContent)"""


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
