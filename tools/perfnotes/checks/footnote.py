"""PN513: footnotes without a text, without a mark, or with two texts."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.footnotes import FootnoteFault, footnote_faults

_EXAMPLE = """\
Rows are in one piece.[^{}]

[^1]: In C. Fortran keeps columns together.
"""
RULE = Rule(
    code="PN513",
    severity=Severity.ERROR,
    title="A footnote whose mark and text do not belong together",
    why=(
        "`[^1]` in a sentence leads to the line that begins with `[^1]:`. Without that line the "
        "page shows the brackets as they stand. A footnote that no sentence refers to is a line "
        "below the page that nobody is led to, and of two lines with one label the page shows the "
        "last only."
    ),
    wrong={"caches/rows.md": _EXAMPLE.format(2)},
    right={"caches/rows.md": _EXAMPLE.format(1)},
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Marks without a definition, definitions without a mark, two definitions of one label."""
    del site
    body = links.text.body
    for fault in footnote_faults(body.document):
        yield body.source.finding(fault.at, RULE.code, *_said(fault))


def _said(fault: FootnoteFault) -> tuple[str, str]:
    """Return the message and the hint for a fault."""
    mark = f"[^{fault.label}]"
    if fault.what == "undefined":
        hint = f"add a line that begins with {mark}: or put backticks around what is no footnote"
        guess = f"did you mean [^{fault.guess}]?" if fault.guess else ""
        return f"no footnote is called {mark}", guess or hint
    if fault.what == "unused":
        hint = f"put {mark} where its sentence is, or remove the footnote"
        return f"nothing refers to the footnote {mark}", hint
    if fault.what == "second":
        message = f"a second text for the footnote {mark}: the page shows the last one"
        return message, "give one of the two another label"
    message = f"the label of the footnote {mark} has a blank: code hosts show it as text"
    return message, f"write [^{'-'.join(fault.label.split())}] in all places"
