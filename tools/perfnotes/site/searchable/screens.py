"""The first screen of each place at which a result of a site may open."""

from __future__ import annotations

from perfnotes.graph.site import Site
from perfnotes.search.screen import first_screen, screen_digest
from perfnotes.search.screenjudgements import Judgements


class Screens:
    """The first screens of a site's notes."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def text(self, place: str, lang: str) -> str | None:
        """Return the first screen of ``note`` or ``note#section`` in a language.

        A note without a translation is shown as it is written. Returns None if there is no such
        place.
        """
        id, _, anchor = place.partition("#")
        library = self._site.library
        note, twin = library.notes.get(id), library.translations.get(id)
        if note is None:
            return None
        shown = twin if twin and twin.lang == lang else note
        return first_screen(self._site.graph.links[f"notes/{shown.file}"], shown.meta.title, anchor)

    def judged(self, judgements: Judgements, query: str, place: str, lang: str) -> bool | None:
        """Return whether a place was judged to answer a query.

        Returns None if it was not judged, or if its text has changed since.
        """
        known = judgements.get((query, place))
        text = self.text(place, lang) if known else None
        is_same = known and text is not None and screen_digest(text) == known.digest
        return known.answers if known and is_same else None
