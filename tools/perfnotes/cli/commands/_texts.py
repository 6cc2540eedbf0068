"""Finding the text that a command is given: a note's id or slug, or the path of a text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from perfnotes.source.note_name import nearest_note, notes_named, several_notes
from perfnotes.source.project import UsageError

if TYPE_CHECKING:
    from perfnotes.graph.coverage import Coverage
    from perfnotes.graph.links import Links
    from perfnotes.graph.site import Site
    from perfnotes.model.note import Meta, Note
    from perfnotes.model.translation import Translation

_IS_A_DRAFT = " is a draft: remove its line `draft: true` first"


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
    """Return every note, each followed by its translation."""
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
    """Return the text of a note in the language ``lang``, or the text in the file ``name``.

    A note is named by its id, slug or folder. Raises ``UsageError`` if there is no such text, or
    if several notes have this slug.
    """
    known = texts(site)
    root = site.library.root
    if name.endswith(".md"):
        wanted = Path(name).resolve()
        for text in known:
            if (root / text.of.file).resolve() == wanted:
                return text
        for draft in site.library.drafts.values():
            if (root / draft.file).resolve() == wanted:
                raise UsageError(f"{name}{_IS_A_DRAFT}")
        raise UsageError(f"{name} is no published note or translation of the notes")
    drafts = {draft.id for draft in site.library.drafts.values()}
    published = {text.of.id for text in known}
    found = notes_named(name, published, root) or notes_named(name, drafts, root)
    if not found:
        guess = nearest_note(name, published, root)
        hint = f"; did you mean {guess}?" if guess else ""
        raise UsageError(f"no published note has the id or slug {name!r}{hint}")
    if len(found) > 1:
        raise UsageError(several_notes(name, found))
    for text in known:
        if (text.of.id, text.of.lang) == (found[0], lang):
            return text
    if found[0] in published:
        raise UsageError(f"{name} has no text in the language {lang!r}")
    raise UsageError(f"{name}{_IS_A_DRAFT}")
