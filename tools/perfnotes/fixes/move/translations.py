"""Gives translations the new hash of their English text after a renaming.

A renaming changes the same names in both texts, so there is nothing to translate. A translation
that was behind its English text before keeps its old hash.
"""

from __future__ import annotations

from perfnotes.fixes.move.changes import Changes, edited
from perfnotes.fixes.move.project import RenamingProject
from perfnotes.model.translation import text_hash
from perfnotes.source.read import frontmatter
from perfnotes.source.yamltext import YamlText
from perfnotes.text.source import Source


def renew_hashes(project: RenamingProject, changes: Changes) -> None:
    """Add to ``changes`` the new hash of each English text that they edit, in its translation."""
    for original, twin, recorded in _pairs(project):
        edits = changes.edits.get(original.path)
        if not edits or _hash(original) != recorded:
            continue
        new = _hash(Source(original.path, edited(original.text, edits)))
        found = frontmatter.extent(twin.text)
        if new != recorded and found:
            front = YamlText(twin.text, *found)
            if ("translates",) in front:
                changes.edit(twin.path, front.renamed(("translates",), new))


def _pairs(project: RenamingProject) -> list[tuple[Source, Source, str]]:
    library = project.library
    pairs = [
        (t.note.body.source, t.body.source, t.meta.translates)
        for t in library.translations.values()
    ]
    for (id, lang), page in library.pages.items():
        twin = library.pages.get((id, "zh"))
        if lang == "en" and twin:
            pairs.append((page.body.source, twin.body.source, twin.meta.translates))
    return pairs


def _hash(source: Source) -> str:
    meta, start, _ = frontmatter.read(source, "note", lenient=True)
    return text_hash(meta.title, meta.description, source.text[start:], meta.symptoms)
