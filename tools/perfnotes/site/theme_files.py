"""Where the templates, scripts and style sheets of the site are: beside the code that uses them."""

from __future__ import annotations

from pathlib import Path

THEME = Path(__file__).parent / "theme"
