"""Record that a translation follows its English text as it is now.

Shows first what changed in the English text since the translation was written (where the git
history still has that text), then renews the hash in the translation's front matter. Nothing else
renews it.
"""

from __future__ import annotations

import argparse
import re
import sys
from difflib import unified_diff
from pathlib import Path

from perfnotes.commands._project import UsageError, configuration, project_root
from perfnotes.pages.changes import text_followed
from perfnotes.site import Site
from perfnotes.translation import original_hash, text_hash
from perfnotes.write import write_atomically

EXAMPLE = "perfnotes translated caches/dram-bursts-and-rows"

_LINE = re.compile(r"^translates:.*$", re.MULTILINE)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "note", nargs="+", metavar="NOTE", help="a note's id (topic/slug), or docs/PAGE"
    )
    parser.add_argument("--show", action="store_true", help="show the changes, renew nothing")


def run(options: argparse.Namespace) -> int:
    from perfnotes.engine.session import Session

    site = Session(quiet=True).read(configuration())
    for id in options.note:
        if id.startswith("docs/"):
            _page(site, id, show=options.show)
            continue
        twin = site.library.translations.get(id)
        if twin is None:
            raise UsageError(f"{id!r} has no translation (or is no note's id, topic/slug)")
        if not twin.is_behind:
            print(f"{id}: the translation follows the English text as it is")
            continue
        before = text_followed(site, twin)
        if before is None:
            print(f"{id}: the text that it followed is not in the git history at hand")
        else:
            now = twin.note.body.source.text
            diff = unified_diff(before.splitlines(True), now.splitlines(True), "followed", "now")
            sys.stdout.writelines(diff)
        if options.show:
            continue
        file = project_root() / "notes" / twin.file
        _renew(file, original_hash(twin.note))
        print(f"{id}: recorded")
    return 0


def _page(site: Site, path: str, *, show: bool) -> None:
    """A page of the site's own, named by its English file without ``.md``."""
    id = path.removeprefix("docs/").removesuffix(".md").removesuffix("index").rstrip("/")
    original, twin = (site.library.pages.get((id, lang)) for lang in ("en", "zh"))
    if original is None or twin is None:
        raise UsageError(f"{path!r} has no translation")
    hash = text_hash(original.meta.title, original.meta.description, original.body.text)
    if twin.meta.translates == hash:
        print(f"{path}: the translation follows the English text as it is")
    elif show:
        print(f"{path}: the translation is behind")
    else:
        _renew(project_root() / "docs" / twin.file, hash)
        print(f"{path}: recorded")


def _renew(file: Path, hash: str) -> None:
    text = file.read_bytes().decode("utf-8-sig")
    end = text.index("\n---", 3)
    head, rest = text[:end], text[end:]
    line = f'translates: "{hash}"'
    head = _LINE.sub(line, head) if _LINE.search(head) else f"{head}\n{line}"
    write_atomically(file, (head + rest).encode())
