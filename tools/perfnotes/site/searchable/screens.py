"""The first screen of each place at which a result of a site may open."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.model.translation import Translation
from perfnotes.search.evaluate import JudgedQuery
from perfnotes.search.passages import best_excerpts, passages
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
        shown = self._shown(id, lang)
        return first_screen(self._links(shown), shown.meta.title, anchor) if shown else None

    def card(self, place: str, lang: str, query: str) -> str | None:
        """Return what the card beside ``note`` or ``note#section`` shows to who asked ``query``.

        It has up to three excerpts. Each is a line with the heading, or above the first heading
        with the note's title, and the lines of its text. Returns None if there is no such note or
        card.
        """
        id, _, anchor = place.partition("#")
        shown = self._shown(id, lang)
        if not shown:
            return None
        found = list(passages(self._links(shown), shown.meta.title))
        lines: list[str] = []
        for excerpt in best_excerpts(query, found, anchor):
            lines.append(excerpt[0].heading or shown.meta.title)
            for head, group in groupby(excerpt, key=lambda passage: passage.head):
                lines += filter(None, [head, *(passage.text for passage in group)])
        return "\n".join(lines) or None

    def _shown(self, id: str, lang: str) -> Note | Translation | None:
        library = self._site.library
        twin = library.translations.get(id)
        return twin if twin and twin.lang == lang else library.notes.get(id)

    def _links(self, shown: Note | Translation) -> Links:
        return self._site.graph.links[f"notes/{shown.file}"]

    def judged(self, judgements: Judgements, query: str, place: str, lang: str) -> bool | None:
        """Return whether a place was judged to answer a query.

        Returns None if it was not judged, or if its text has changed since.
        """
        return _judged(judgements, query, place, lambda: self.text(place, lang))

    def judged_card(
        self, judgements: Judgements, query: JudgedQuery, place: str, lang: str
    ) -> bool | None:
        """Return whether the card beside a place was judged to answer a query.

        Returns None if it was not judged, or if the card has changed since.
        """
        return _judged(judgements, query.id, place, lambda: self.card(place, lang, query.query))


def _judged(
    judgements: Judgements, query: str, place: str, text: Callable[[], str | None]
) -> bool | None:
    known = judgements.get((query, place))
    shown = text() if known else None
    is_same = known and shown is not None and screen_digest(shown) == known.digest
    return known.answers if known and is_same else None
