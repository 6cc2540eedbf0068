"""Record that a translation follows its English text as it is now.

Shows first, word by word, what changed in the English text since the translation was written:
[-removed-] and {+added+}. This needs a git history that still has the former text. Then writes
the hash of the present English text into the translation's front matter. No other command does.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from perfnotes.cli.commands._ask import show
from perfnotes.cli.commands._site import linked_site
from perfnotes.source.note_name import nearest_note, notes_named, several_notes
from perfnotes.source.project import UsageError, project_root
from perfnotes.storage.write import write_atomically
from perfnotes.text import difference as textdiff
from perfnotes.text.source import Source, decode

if TYPE_CHECKING:
    from perfnotes.graph.site import Site
    from perfnotes.model.translation import Translation

EXAMPLE = "perfnotes translated caches/dram-bursts-and-rows"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "note", nargs="+", metavar="NOTE", help="a note's id, slug or path, or docs/PAGE"
    )
    parser.add_argument(
        "--dry-run", "--show", dest="dry_run", action="store_true",
        help="show the changes, write nothing",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    site = linked_site()
    for id in dict.fromkeys(options.note):
        (_page if id.startswith("docs/") else _note)(site, id, renew=not options.dry_run)
    return 0


def _note(site: Site, id: str, *, renew: bool) -> None:
    from perfnotes.graph.translation_source import original_of
    from perfnotes.model.translation import original_hash

    twin = _twin(site, id)
    id = twin.id
    if not twin.is_behind:
        print(f"{id}: the translation follows the English text as it is")
        return
    _changes(site, id, original_of(site, twin), twin.note.body.source)
    if renew:
        _renew(f"notes/{twin.file}", original_hash(twin.note))
        print(f"{id}: recorded")


def _twin(site: Site, name: str) -> Translation:
    """Return the translation of a note, named by id, slug or path; ``UsageError`` if none."""
    notes, translations = site.library.notes, site.library.translations
    root = site.library.root
    found = notes_named(name, notes, root)
    if len(found) > 1:
        raise UsageError(several_notes(name, found))
    if found and found[0] in translations:
        return translations[found[0]]
    if found:
        raise UsageError(f"{name!r} has no translation")
    guess = nearest_note(name, translations, root)
    hint = f"; did you mean {guess}?" if guess else ""
    raise UsageError(f"no published note has the id or slug {name!r}{hint}")


def _page(site: Site, path: str, *, renew: bool) -> None:
    """Record the translation of a page of ``docs/``, named by its English file without ``.md``."""
    from perfnotes.graph.translation_source import original_of_page
    from perfnotes.model.translation import text_hash

    id = path.removeprefix("docs/").removesuffix(".md").removesuffix("index").rstrip("/")
    original, twin = (site.library.pages.get((id, lang)) for lang in ("en", "zh"))
    if original is None or twin is None:
        raise UsageError(f"{path!r} has no translation")
    hash = text_hash(original.meta.title, original.meta.description, original.body.text)
    if twin.meta.translates == hash:
        print(f"{path}: the translation follows the English text as it is")
        return
    _changes(site, path, original_of_page(site, original, twin), original.body.source)
    if renew:
        _renew(f"docs/{twin.file}", hash)
        print(f"{path}: recorded")


def _changes(site: Site, id: str, before: str | None, now: Source) -> None:
    """Print what changed in the English text since ``before``, which is None if it is unknown."""
    from perfnotes.graph.translation_source import translated_part

    if before is None:
        why = "is not in the git history at hand"
        if site.history.root is None or site.history.missing:
            why = "is not at hand, since there is no whole git history"
        print(f"{id}: the text that it followed {why}: compare the two whole texts")
        return
    old, new = translated_part(Source(now.path, before)), translated_part(now)
    print(f"{id}: in {now.path}, since the translation was written:\n")
    show(textdiff.by_words(old, new) or "(the same words)\n")
    print()


def _renew(path: str, hash: str) -> None:
    from perfnotes.fixes.mend import encoded_like
    from perfnotes.fixes.move.changes import edited
    from perfnotes.source.read.frontmatter import extent
    from perfnotes.source.yamltext import YamlEditError, YamlText

    file = project_root() / path
    data = file.read_bytes()
    source, _ = decode(data, path)
    found = extent(source.text) if source else None
    if source is None or found is None:
        raise UsageError(f"{path}:1:1: no front matter to record it in")
    front = YamlText(source.text, *found)
    try:
        if ("translates",) in front:
            edit = front.renamed(("translates",), hash)
        else:
            edit = front.added_key((), f'translates: "{hash}"', ("description", "title"))
    except YamlEditError as error:
        raise UsageError(f"{path}: {error}") from None
    write_atomically(file, encoded_like(data, edited(source.text, [edit])))
