"""The design's promises that the style sheet alone can keep or break."""

from __future__ import annotations

import re

import pytest

from perfnotes.site.pages._samples import GROUNDS, STYLES, TEXTS, colours, contrast

THEME = STYLES.parent


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", TEXTS)
def test_every_colour_of_text_can_be_read(scheme: str, name: str) -> None:
    of = colours()[scheme]
    for ground in GROUNDS:
        assert contrast(of[name], of[ground]) >= 7, ground


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_no_style_sheet_asks_another_host() -> None:
    for file in THEME.rglob("*.css"):
        # A face may be one of the reader's own system: local() asks nobody.
        assert not re.search(r"url\(|@import", file.read_text("utf-8")), file


def test_what_is_used_is_set() -> None:
    """No property of ours is read that nothing sets."""
    css = {f.name: f.read_text("utf-8") for f in THEME.rglob("*.css")}
    known = {name for text in css.values() for name in re.findall(r"(--pn-[\w-]+):", text)}
    for file, text in css.items():
        used = set(re.findall(r"var\((--pn-[\w-]+)\)", text))
        assert used <= known, (file, used - known)
