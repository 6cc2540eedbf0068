"""PN205: a tag that is not in the vocabulary."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.nearest import nearest

RULE = Rule(
    code="PN205",
    severity=Severity.ERROR,
    title="A tag that is not in the vocabulary",
    why=(
        "Tags group notes across topics only if everybody spells them alike, so every tag comes "
        "from `notes/tags.yml`. Use one of those tags, or add yours there with its name and "
        "description."
    ),
    wrong={"caches/rows.md": "---\ntags: [cachee]\n---\n"},
    right={"caches/rows.md": "---\ntags: [cache]\n---\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """Tags of notes that ``tags.yml`` does not have."""
    known = site.library.tags
    aliases = {alias.casefold(): tag.id for tag in known.values() for alias in tag.aliases}
    for note in [*site.library.notes.values(), *site.library.drafts.values()]:
        for i, tag in enumerate(note.meta.tags):
            if tag in known:
                continue
            guess = aliases.get(tag.casefold()) or nearest(tag, known, 0.7)
            hint = (
                f"did you mean {guess!r}?" if guess else "take one from tags.yml, or add it there"
            )
            source = note.body.source
            yield source.finding(
                note.meta.place("tags", i), RULE.code, f"unknown tag {tag!r}", hint
            )
