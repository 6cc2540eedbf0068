"""Renaming a tag or a glossary term."""

from __future__ import annotations

import re
from collections.abc import Collection

from perfnotes.fixes.move.changes import Changes, MoveError
from perfnotes.fixes.move.note import rename_expected
from perfnotes.fixes.move.project import RenamingProject
from perfnotes.model.term import Term
from perfnotes.source.read.frontmatter import extent
from perfnotes.source.yamltext import YamlText
from perfnotes.text.tokens import TextEdit

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def rename_tag(project: RenamingProject, old: str, new: str) -> Changes:
    """Rename a tag in the vocabulary and in every note; the old id becomes an alias."""
    tags = project.library.tags
    _check_new_id(new, tags, "tag")
    for other in tags.values():
        if other.id != old and new in other.aliases:
            raise MoveError(f"{new!r} is an alias of the tag {other.id}")
    changes = Changes()
    source = project.library.sources["tags"]
    table = YamlText(source.text)
    at = table.entry(old)
    changes.edit(source.path, table.renamed((at, "id"), new))
    changes.edit(source.path, _aliased(table, (at, "aliases"), old, new))
    for note in project.library.notes.values():
        text = note.body.source
        found = extent(text.text)
        if found and old in note.meta.tags:
            front = YamlText(text.text, *found)
            index = front.items(("tags",)).index(old)
            changes.edit(text.path, front.renamed(("tags", index), new))
    rename_expected(project, changes, f"tags/{old}", f"tags/{new}")
    return changes


def rename_term(project: RenamingProject, old: str, new: str) -> Changes:
    """Rename a term in the glossary and in the links that use its id.

    The old id becomes an English alias, unless it only adds hyphens to a spelling that the term
    already has: aliases are looked for in running text, and such an alias would add nothing.
    """
    terms = project.library.terms
    _check_new_id(new, terms, "term")
    changes = Changes()
    source = project.library.sources["glossary"]
    table = YamlText(source.text)
    at = table.entry(old)
    changes.edit(source.path, table.renamed((at, "id"), new))
    if _is_known(terms[old], old):
        changes.remarks.append(f"{old!r} becomes no alias: the term has these words already")
    elif (at, "aliases") in table and (at, "aliases", "en") not in table:
        raise MoveError(f"{source.path}: give the aliases of {old} a list 'en' first")
    elif (at, "aliases", "en") in table:
        changes.edit(source.path, _aliased(table, (at, "aliases", "en"), old, new))
    else:
        edit = table.added_key((at,), f"aliases: {{en: [{old}], zh: []}}", ("abbr", "zh"))
        changes.edit(source.path, edit)
    for path, links in project.graph.links.items():
        for wiki, target in links.wikis:
            if target.kind == "term" and target.id == old and wiki.target.strip() == old:
                start = links.text.body.document.text.index(old, wiki.start)
                changes.edit(path, TextEdit(start, start + len(old), new))
    rename_expected(project, changes, f"terms/{old}", f"terms/{new}")
    return changes


def _check_new_id(new: str, known: Collection[str], kind: str) -> None:
    if not _ID.fullmatch(new):
        raise MoveError(f"{new!r} is no id: lower case letters, digits and hyphens")
    if new in known:
        raise MoveError(f"there is a {kind} {new!r} already")


def _is_known(term: Term, id: str) -> bool:
    words = {s.casefold().replace("-", " ") for lang in ("en", "zh") for s in term.spellings(lang)}
    return id.replace("-", " ") in words


def _aliased(table: YamlText, where: tuple[int | str, ...], old: str, new: str) -> TextEdit:
    """The edit that makes the old id an alias, in the list at ``where``.

    If the new id was an alias, the old id takes its place. If there is no list, the entry gets one.
    """
    items = table.items(where)
    if new in items:
        return table.renamed((*where, items.index(new)), old)
    if where in table:
        return table.appended(where, old)
    return table.added_key(where[:1], f"aliases: [{old}]", ("description", "name"))
