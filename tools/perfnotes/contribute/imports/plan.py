"""The plan of an import: all drafts that it would write, all guesses, and what it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct, field

from perfnotes.contribute.imports import identity, proof, sources, steps, twins
from perfnotes.contribute.imports.assets import Assets
from perfnotes.contribute.imports.draft import Draft
from perfnotes.contribute.imports.errors import FormatError
from perfnotes.contribute.imports.imported_page import Guess
from perfnotes.contribute.imports.links import Linker
from perfnotes.contribute.imports.options import ImportOptions
from perfnotes.contribute.imports.papers import Papers
from perfnotes.contribute.imports.places import ImportPlaces
from perfnotes.contribute.imports.reading import from_text
from perfnotes.contribute.imports.vocabulary import Vocabulary
from perfnotes.model.library import Library

Progress = Callable[[str], None]


class ImportPlan(Struct):
    """What an import would do.

    ``problems`` are notes that cannot be imported, ``other_files`` the files that are no notes,
    ``sources`` the number of texts that were read.
    """

    drafts: list[Draft] = field(default_factory=list)
    guesses: list[Guess] = field(default_factory=list)
    problems: list[Guess] = field(default_factory=list)
    other_files: list[str] = field(default_factory=list)
    sources: int = 0

    def files(self) -> dict[str, bytes]:
        """Everything to write, by its path below ``notes/``."""
        found: dict[str, bytes] = {}
        for draft in self.drafts:
            found[draft.path] = draft.text().encode("utf-8", "replace")
            for name, data in draft.assets.items():
                found[f"{draft.id}/{name}"] = data
        return found


def plan(source: Path, library: Library, options: ImportOptions, progress: Progress) -> ImportPlan:
    """Plan the import of a file or folder. Nothing is written."""
    found = sources.list_sources(source)
    made = ImportPlan(problems=found.problems, other_files=found.other_files)
    texts: dict[str, sources.ImportSource] = {}
    for i, file in enumerate(found.notes):
        progress(f"reading {i + 1} of {len(found.notes)}: {file}")
        for text in found.texts(file, options):
            try:
                parts = from_text(text.file, text.text, options, text.day)
            except FormatError as error:
                made.problems.append(Guess(text.file, 1, f"not imported: {error}"))
                continue
            texts[text.file] = text
            parts[0].guesses[:0] = text.guesses
            if text.names:
                parts[0].fields.values.setdefault("aliases", list(text.names))
            made.drafts += parts
    made.sources = len(texts)
    twins.pair(made.drafts)
    days = {file: text.day for file, text in texts.items()}
    made.drafts, refused = identity.name_drafts(made.drafts, Vocabulary(library), options, days)
    link_drafts(made.drafts, library, Assets(found.root, found.every), progress)
    proof.keep_all(made.drafts, {f: t.text for f, t in texts.items()}, options)
    made.drafts, large = identity.short_enough(made.drafts)
    made.problems += [*refused, *large]
    for draft in made.drafts:
        made.guesses += [*draft.guesses, *draft.page.guesses]
    made.guesses.sort(key=lambda g: (g.path, g.line))
    return made


def link_drafts(
    found: Sequence[Draft], library: Library, assets: Assets, progress: Progress = lambda _: None
) -> None:
    """Resolve the links of all drafts, and copy the files that they lead to."""
    places, papers = ImportPlaces(library, list(found)), Papers(library.references.values())
    names: dict[str, dict[str, str]] = {d.id: {} for d in found}  # a note and its twin share one
    linkers = [Linker(d, places, papers, assets, names[d.id]) for d in found]
    for linker in linkers:
        progress(f"looking up links: {linker.draft.file}")
        for _ in linker.changes():
            pass  # a note with files gets a folder, so links need to know all files first
    for linker in linkers:
        progress(f"linking {linker.draft.file}")
        draft = linker.draft
        draft.page = steps.after_links(draft.page.changed(linker.changes()))
