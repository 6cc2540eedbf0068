"""The facets of all pages in the form of the shard ``m``; ``facets`` reads that form."""

from __future__ import annotations

from typing import Any

from perfnotes.search.codec import number
from perfnotes.search.document import SearchDocument

_TITLED = ("topic", "tag")  # types of documents whose title is the name of a facet's value


class FacetRows:
    """The facets of every page, for filters and counts.

    Neighbouring pages mostly have equal values, so values are run-length encoded: ``runs`` has
    pairs of a value's index in ``names`` and the number of pages in a row with that value.
    ``twins`` are the encoded gaps between the numbers of the twins. ``subjects`` is the first
    document of a subject without a note, 0 if there is none.
    """

    def __init__(self) -> None:
        self.names: dict[str, list[str]] = {k: [] for k in ("lang", "type", "topic", "level")}
        self._index: dict[str, dict[str, int]] = {k: {} for k in self.names}
        self.runs: dict[str, list[list[int]]] = {k: [] for k in self.names}
        self.tags: dict[str, list[int]] = {}
        self.titles: dict[str, dict[str, dict[str, str]]] = {kind: {} for kind in _TITLED}
        self.twins: list[str] = []
        self._last_twin = 0
        # The number of documents before the first symptom, the number of symptoms that follow each
        # other there, the number of other documents before the next symptom, and so on.
        self.symptoms: list[int] = [0]
        self.subjects = 0

    def add(self, document: SearchDocument, page: int) -> None:
        """Add the document with the number ``page``; numbers have to ascend."""
        for kind, names in self.names.items():
            value = getattr(document, kind)
            known = self._index[kind]
            if value not in known:
                known[value] = len(names)
                names.append(value)
            runs = self.runs[kind]
            if runs and runs[-1][0] == known[value]:
                runs[-1][1] += 1
            else:
                runs.append([known[value], 1])
        for tag in document.tags:
            self.tags.setdefault(tag, []).append(page)
        if document.type in _TITLED:
            value = document.topic if document.type == "topic" else document.tags[0]
            self.titles[document.type].setdefault(value, {})[document.lang] = document.title
        if bool(document.symptom) != (len(self.symptoms) % 2 == 0):
            self.symptoms.append(0)
        self.symptoms[-1] += 1
        if document.symptom and document.type != "note":
            self.subjects = self.subjects or page
        if document.is_twin:
            self.twins.append(number(page - self._last_twin))
            self._last_twin = page

    def data(self) -> dict[str, Any]:
        """Return the data of the shard ``m``. The pages of a tag are encoded as gaps."""
        return {
            "names": self.names,
            "titles": self.titles,
            "runs": {
                kind: "".join(number(n) for run in runs for n in run)
                for kind, runs in self.runs.items()
            },
            "tags": {
                tag: "".join(
                    number(page - before) for page, before in zip(pages, [0, *pages], strict=False)
                )
                for tag, pages in sorted(self.tags.items())
            },
        }


def facets_of(document: SearchDocument) -> tuple[object, ...]:
    """Return what the facets, the list of twins and the list of symptoms hold of a document."""
    title = document.title if document.type in _TITLED else ""
    shown = document.topic, document.level, document.tags, document.is_twin
    return *shown, title, document.symptom
