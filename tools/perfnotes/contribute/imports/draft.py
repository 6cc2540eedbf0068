"""A Draft: the text and front matter of one note that the import will write."""

from __future__ import annotations

import re
from typing import Any

import yaml
from msgspec import Struct, field

from perfnotes.contribute.imports.decode import clean
from perfnotes.contribute.imports.escape import escape, line_start
from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.headings import title_key
from perfnotes.contribute.imports.imported_page import Change, Guess, ImportedPage
from perfnotes.model.translation import text_hash
from perfnotes.text.body import plain_name
from perfnotes.text.prose import Prose

LONGEST_TITLE = 120  # characters


class Draft(Struct, eq=False):
    """One note, or a Chinese twin, before it is written.

    ``file`` is the source's path below the root of the import, ``line`` the source line at which
    the draft begins. ``assets`` are files by their new names. ``asides`` are texts for which a note
    has no place; they are kept in comments. If ``original`` is given, this is the twin of that
    draft.
    """

    file: str
    page: ImportedPage
    title: str
    fields: Fields
    slug: str = ""
    topic: str = ""
    tags: tuple[str, ...] = ()
    level: str = ""
    description: str = ""
    date: str = ""
    updated: str = ""
    authors: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    guesses: list[Guess] = field(default_factory=list)
    asides: list[str] = field(default_factory=list)
    assets: dict[str, bytes] = field(default_factory=dict)
    # The ids of its sections, by their letters and digits alone.
    anchors: dict[str, str] = field(default_factory=dict)
    first: bool = True  # whether it is the first part of its file, or the whole
    line: int = 1
    original: Draft | None = None

    @property
    def id(self) -> str:
        return self.original.id if self.original else f"{self.topic}/{self.slug}"

    @property
    def path(self) -> str:
        """The path of the new file below ``notes/``."""
        ending = "zh.md" if self.original else "md"
        return f"{self.id}/index.{ending}" if self.assets else f"{self.id}.{ending}"

    @property
    def address(self) -> str:
        """The path that links to this draft have: for a twin, the path of its note."""
        return self.original.address if self.original else self.path

    def tell(self, what: str, mend: str = "", line: int = 0) -> None:
        self.guesses.append(Guess(self.page.path, line or self.line, what, mend))

    def text(self) -> str:
        """The text of the new file."""
        rows = ["---"]
        for key, value in self._matter().items():
            rows.append(f"{key}: {on_one_line(value)}")
        asides = [*self.asides, *self.page.asides]
        if asides:
            rows.append("# Kept from the source, as the form of a note has no place for it:")
            kept = clean("\n".join(asides))[0]
            rows += [f"# {row}".rstrip() for row in kept.split("\n")]
        return clean("\n".join([*rows, "---", "", self.page.text.strip("\n"), ""]))[0]

    def _matter(self) -> dict[str, Any]:
        if self.original:
            return self._matter_of_twin(self.original)
        matter: dict[str, Any] = {
            "title": self.title, "description": self.description, "tags": list(self.tags),
            "level": self.level,
        }  # fmt: skip
        if self.aliases:
            matter["aliases"] = list(self.aliases)
        if self.authors:
            matter["authors"] = list(self.authors)
        matter["date"] = self.date
        if self.updated and self.updated != self.date:
            matter["updated"] = self.updated
        matter["draft"] = True
        return matter

    def _matter_of_twin(self, note: Draft) -> dict[str, Any]:
        hash = text_hash(note.title, note.description, clean(note.page.text)[0])
        matter: dict[str, Any] = {"title": self.title, "description": self.description}
        if self.authors:
            matter["authors"] = list(self.authors)
        matter["translates"] = hash
        if self.updated:
            matter["updated"] = self.updated
        matter["draft"] = True
        return matter


def on_one_line(value: Any) -> str:
    """A value as YAML on one line."""
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        return value
    text = yaml.safe_dump(
        value, allow_unicode=True, width=10**9, default_flow_style=True, sort_keys=False
    )
    return text.removesuffix("\n...\n").strip()


def fit_title(draft: Draft) -> None:
    """Cut a title of more than 120 characters; the text then begins with the whole title."""
    title = " ".join(draft.title.split())
    if len(title) > LONGEST_TITLE:
        cut = title.rfind(" ", 0, LONGEST_TITLE - 2)
        whole = Change(0, 0, f"{line_start(escape(title))}\n\n")
        draft.page = draft.page.changed([whole])
        draft.tell(
            f"the title has {len(title)} characters: it was cut, the whole begins the text",
            "write a shorter title",
        )
        title = title[: cut if cut > 60 else LONGEST_TITLE - 2] + " …"
    draft.title = title


def same_words(one: str, other: str) -> bool:
    """Whether two titles are the same apart from case, emphasis and code marks."""
    return title_key(one) == title_key(other)


def plain_title(page: ImportedPage, start: int, end: int) -> str:
    """The text of a heading, without markup."""
    return Prose(page.document, plain_name).without_markup(start, end)
