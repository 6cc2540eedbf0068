"""PN925: a description with too many ratios or clauses, or a first paragraph with many ratios."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.coverage import Coverage
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.clauses import clauses
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.quantities import find as quantities

RULE = Rule(
    code="PN925",
    severity=Severity.WARNING,
    title="A summary with too many ratios or clauses",
    why=(
        "Readers see a description in lists and in search results, where they read it only once. "
        "So it may have at most two ratios and at most three clauses. Say what the note answers, "
        "and leave the rest to the note. The first paragraph, which gives the answer, may have two "
        "ratios as well; the others belong into the next paragraph."
    ),
    wrong={
        "caches/rows.md": "---\ndescription: What a row is, how it is walked, where lines end, and "
        "when that hurts.\n---\n"
    },
    right={"caches/rows.md": "---\ndescription: What a row is, and how it is walked.\n---\n"},
)
_MOST_RATIOS, _MOST_CLAUSES = 2, 3
_ENDINGS = ("×", "x", "%", "‰", "倍", "times", "fold", "cent")

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Descriptions and first paragraphs above the limits that the rule gives."""
    coverage = site.coverages.get(links.text.path)
    if coverage:
        yield from _judge(coverage)


def _judge(coverage: Coverage) -> Iterator[Finding]:
    meta, source = coverage.metas[0], coverage.links.text.body.source
    ratios = [q for q in quantities(meta.description) if _is_ratio(q.text)]
    parts = clauses(meta.description)
    at = meta.place("description")
    if len(ratios) > _MOST_RATIOS:
        message = f"the description holds {len(ratios)} ratios, more than two"
        yield source.finding(at, RULE.code, message, "keep the ratio that the note is about")
    if len(parts) > _MOST_CLAUSES:
        message = f"the description has {len(parts)} clauses, more than three"
        hint = "say what the note answers, and leave out the rest: readers see it in lists"
        yield source.finding(at, RULE.code, message, hint)
    opening = [q for q in coverage.opening if _is_ratio(q.text)]
    if len(opening) > _MOST_RATIOS:
        message = f"the first paragraph holds {len(opening)} ratios, more than two"
        hint = "keep those that answer the title, and begin a new paragraph for the others"
        yield source.finding(opening[_MOST_RATIOS].start, RULE.code, message, hint)


def _is_ratio(text: str) -> bool:
    return text.lower().endswith(_ENDINGS) or "factor" in text.lower() or text.startswith("百分之")
