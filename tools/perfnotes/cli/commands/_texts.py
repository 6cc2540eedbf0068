"""Finding the text that a command is given: a note's id, or the path of the note or its twin."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from perfnotes.source.project import UsageError
from perfnotes.text.nearest import nearest

if TYPE_CHECKING:
    from perfnotes.graph.coverage import Coverage
    from perfnotes.graph.links import Links
    from perfnotes.graph.site import Site
    from perfnotes.model.note import Meta, Note
    from perfnotes.model.translation import Translation


class Text(Struct, frozen=True):
    """A note or its translation; ``path`` is the file as findings name it."""

    of: Note | Translation
    path: str
    links: Links
    coverage: Coverage | None

    @property
    def meta(self) -> Meta:
        return self.of.meta


def texts(site: Site) -> list[Text]:
    """Returns every note, each followed by its translation."""
    library = site.library
    return [
        Text(
            text,
            library.shown(text.file),
            site.graph.links[f"notes/{text.file}"],
            site.coverages.get(f"notes/{text.file}"),
        )
        for text in library.texts
    ]


def text_named(site: Site, name: str, lang: str) -> Text:
    """Returns the text of a note's id in the language ``lang``, or the text in the file ``name``.

    Raises ``UsageError`` if there is none.
    """
    known = texts(site)
    if name.endswith(".md"):
        wanted = Path(name).resolve()
        for text in known:
            if (site.library.root / text.of.file).resolve() == wanted:
                return text
        _refuse_draft(site, name, wanted)
        raise UsageError(f"{name} is no published note or translation of the notes")
    found = [text for text in known if text.of.id == name]
    if not found:
        _refuse_draft(site, name, None)
        guess = nearest(name, [text.of.id for text in known], 0.6)
        hint = f"; did you mean {guess}?" if guess else ""
        raise UsageError(f"no published note has the id {name!r}{hint}")
    for text in found:
        if text.of.lang == lang:
            return text
    raise UsageError(f"{name} has no text in the language {lang!r}")


def _refuse_draft(site: Site, name: str, file: Path | None) -> None:
    """Raises ``UsageError`` if ``name`` is the id of a draft, or ``file`` its text."""
    for draft in site.library.drafts.values():
        if draft.id == name or (file and (site.library.root / draft.file).resolve() == file):
            raise UsageError(f"{name} is a draft: remove its line `draft: true` first")
