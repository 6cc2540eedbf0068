"""PN605: a drawing with fixed colours, or with words that are too small."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.figure import STYLE, figure_problem
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.source import read_source

_TEXT = "![Eight words of a row fill one line of the cache](row.svg)\n"
_ROOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" width="200" height="100">\n'

RULE = Rule(
    code="PN605",
    severity=Severity.WARNING,
    title="A drawing with colours of its own, or small words",
    why=(
        "A drawing with fixed colours glares on a dark page. Each drawing holds one style, the "
        "same in all of them, which gives the design's colours for light and dark pages, and "
        'paints with these: `fill="var(--ink)"`, `stroke="var(--kind-1)"`. Words are at least '
        "11 pixels high in the drawing's own size, which is the size that a phone shows."
    ),
    wrong={
        "caches/rows.md": _TEXT,
        "caches/row.svg": (
            f"{_ROOT}  {STYLE}\n"
            '  <rect width="200" height="100" fill="#ffffff"/>\n'
            '  <text x="10" y="50" font-size="9" fill="var(--ink)">eight words</text>\n</svg>\n'
        ),
    },
    right={
        "caches/rows.md": _TEXT,
        "caches/row.svg": (
            f"{_ROOT}  {STYLE}\n"
            '  <rect width="200" height="100" fill="var(--paper)"/>\n'
            '  <text x="10" y="50" font-size="14" fill="var(--ink)">eight words</text>\n</svg>\n'
        ),
    },
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Drawings with fixed colours or small words, each once in every text that shows it."""
    library = site.library
    shown = {
        target.id
        for link, target in links.links
        if link.kind == "image" and target.kind == "file" and target.id.endswith(".svg")
    }
    for path in sorted(shown):
        if not path.startswith("notes/"):
            continue  # those of the documentation have a style of their own
        source, _ = read_source(library.root / path.removeprefix("notes/"), path)
        problem = figure_problem(source.text) if source else None
        if source and problem:
            offset, message, hint = problem
            yield source.finding(offset, RULE.code, message, hint)
