"""The example notes with other files, and the findings about their evidence."""

from __future__ import annotations

from pathlib import Path

from perfnotes.checks import examine
from perfnotes.checks._rule import Files
from perfnotes.graph.site import Site
from tests.example_notes import read_site, write_notes

ROWS = "caches/rows.md"


def site_of(tmp_path: Path, files: Files) -> Site:
    return read_site(write_notes(tmp_path, files))


def codes(site: Site) -> list[str]:
    return [f.code for f in examine(site) if f.code.startswith("PN9")]
