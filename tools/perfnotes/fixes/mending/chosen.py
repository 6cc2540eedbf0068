"""Repairs of ``chosen``: entries that no quantity of the text needs are removed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from perfnotes.graph.site import Site
from perfnotes.graph.unused_entries import unused_entries
from perfnotes.model.repair import Repair
from perfnotes.source.read.frontmatter import extent
from perfnotes.source.yamltext import YamlEditError, YamlText
from perfnotes.text.tokens import TextEdit

MENDS = {"PN921": "removes a number from `chosen` that begins like no quantity of the text"}


def find(site: Site) -> Iterator[Repair]:
    """Entries of ``chosen`` that can only be removed.

    If an entry begins with a quantity of the text, a person has to say which of the two is right.
    """
    if not site.library.own:
        return
    unused: dict[str, set[str]] = defaultdict(set)
    for coverage, entry in unused_entries(site.coverages.values()):
        if entry.key == "chosen" and not entry.read:
            unused[coverage.links.text.body.source.path].add(entry.text)
    for coverage in site.coverages.values():
        source, chosen = coverage.links.text.body.source, coverage.metas[0].chosen
        at = [i for i, entry in enumerate(chosen) if entry in unused[source.path]]
        if at:
            try:
                edit = _without(source.text, at)
            except YamlEditError:
                continue
            old = source.text[edit.start : edit.end]
            yield Repair(source.path, edit.start, edit.end, old, edit.new)


def _without(text: str, at: Collection[int]) -> TextEdit:
    """Return the edit that removes the entries with these indexes from the list ``chosen``."""
    new = text
    for index in sorted(at, reverse=True):
        # The removals can touch one another, so each is made in the text that the last one left.
        edit = YamlText(new, *(extent(new) or (0, 0))).removed(("chosen",), index)
        new = new[: edit.start] + edit.new + new[edit.end :]
    start = next(i for i, (a, b) in enumerate(zip(text, new, strict=False)) if a != b)
    shortest = min(len(text), len(new)) - start
    same = next(i for i in range(shortest + 1) if i == shortest or text[-1 - i] != new[-1 - i])
    return TextEdit(start, len(text) - same, new[start : len(new) - same])
