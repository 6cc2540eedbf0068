"""What is wrong with the citations that a table gives as the source of an entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from perfnotes.text.nearest import nearest
from perfnotes.text.tokens import Citation


def citation_problems(
    citations: Iterable[Citation], references: Mapping[str, object]
) -> Iterator[tuple[str, str]]:
    """Yield a message and a hint for each cited work with an unknown key or without a place in it.

    ``references`` are all references by their keys.
    """
    for item in (item for citation in citations for item in citation.items):
        if item.key not in references:
            guess = nearest(item.key, references)
            hint = f"did you mean @{guess}?" if guess else "add it to references.bib"
            yield f"no reference has the key {item.key!r}", hint
        elif not item.locator:
            message = "the source names no table, page or section of the work"
            yield message, f'write "[@{item.key}, sec. 1]" or the like'
