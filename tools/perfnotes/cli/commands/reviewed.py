"""Record that you have read the sentences of a note against their sources.

Writes <slug>.review.yml beside the text: who read it (the name with which you commit), today's
date, and a digest of each sentence that states a fact. Only sentences that you have read belong
in it: --lines names those. A sentence that you mended, or whose source is out of reach, is named
by its place. What an earlier reading says of a sentence stays with the sentence; --verified takes
back that it could not be verified. `perfnotes claims NOTE` lists the sentences with their places.
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.cli.commands._options import add_notes
from perfnotes.cli.commands._review_places import Statements
from perfnotes.cli.commands._site import linked_site
from perfnotes.cli.commands._texts import Text, text_named
from perfnotes.model.review import EXPERT, KINDS, MAINTAINERS, SOURCES
from perfnotes.source.project import UsageError, notes_folder, root_for
from perfnotes.storage.write import write_atomically

if TYPE_CHECKING:
    from collections.abc import Collection

    from perfnotes.graph.site import Site
    from perfnotes.model.review import Reading, Review

EXAMPLE = (
    "perfnotes reviewed caches/false-sharing --lines 81-95 \\\n"
    '    --unverified "92:49=the book is out of reach"'
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "note", metavar="NOTE", help="a note's id (topic/slug), its slug, or a path of a text"
    )
    parser.add_argument("--lang", choices=("en", "zh"), help="which text of the note; default: en")
    parser.add_argument(
        "--by", choices=(MAINTAINERS,), help="record no name, but that the maintainers read it"
    )
    parser.add_argument(
        "--kind", choices=KINDS, default=SOURCES,
        help=f"{SOURCES} (default): read against the sources; {EXPERT}: you work in the field",
    )  # fmt: skip
    parser.add_argument(
        "--lines",
        metavar="LINES",
        help="the lines of the sentences you read, LINE:COLUMN for one: 12-40,81:49; default: all",
    )
    parser.add_argument(
        "--mended", action="append", default=[], metavar="PLACE=WHAT",
        help="the sentences that begin at LINE or LINE:COLUMN were wrong: what you mended",
    )  # fmt: skip
    parser.add_argument(
        "--unverified", action="append", default=[], metavar="PLACE=WHY",
        help="the sentences that begin at this place cannot be verified: why",
    )  # fmt: skip
    parser.add_argument(
        "--verified", action="append", default=[], metavar="PLACE",
        help="the sentences that begin at this place could not be verified; you verified them",
    )  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help="say what it would record")
    add_notes(parser)


def run(options: argparse.Namespace) -> int:
    from perfnotes.contribute.reviewing import as_yaml, recorded_sentence, with_reading
    from perfnotes.graph.claims import claims
    from perfnotes.model.review import Reading, review_path
    from perfnotes.model.translation import text_hash
    from perfnotes.text.printable import one_line

    notes = notes_folder(options.notes)
    site = linked_site(notes)
    text = text_named(site, options.note, options.lang or site.library.main_language)
    _refuse_broken(site, text)
    found = list(claims(text.links, text.meta, text.coverage))
    if not found:
        raise UsageError(f"{text.path}: no sentence of it states a fact")
    statements = Statements.of(text, found, options.lines)
    chosen = statements.read
    mended = statements.remarks(options.mended, "--mended")
    unverified = statements.remarks(options.unverified, "--unverified")
    verified = {d for at in options.verified for d in statements.begun_at(at, "--verified")}
    warning = _behind(text, options)
    if twice := next((c for c in chosen if c.sentence.digest in mended.keys() & unverified), None):
        raise UsageError(
            f"--mended and --unverified both name the sentence at {twice.line}:{twice.column}: "
            "if its source is out of reach, say under --unverified what you mended too"
        )
    sentences = (recorded_sentence(c.sentence.digest, c.words, mended, unverified) for c in chosen)
    hash = text_hash(text.meta.title, text.meta.description, text.of.body.text)
    today = datetime.now(UTC).date().isoformat()
    reading = Reading(options.by or _myself(notes), options.kind, today, hash, tuple(sentences))
    review = site.library.reviews.get(text.of.file)
    readings = with_reading(review, reading, [c.sentence.digest for c in found], verified)
    path = review_path(text.of.file)
    shown = site.library.shown(path)
    if not options.dry_run:
        write_atomically(site.library.root / path, as_yaml(readings).encode())
    said = f"{len(chosen)} of {len(found)} sentences that state a fact, read by {reading.by}"
    sys.stdout.write(one_line(f"{shown}: {said}") + "\n")
    named = mended.keys() | unverified | verified
    if options.lines is None and named:
        warning += _not_named(review, reading, named, one_line(shown), is_dry=options.dry_run)
    sys.stderr.write(warning)
    return 0


def _behind(text: Text, options: argparse.Namespace) -> str:
    """Return a warning if the text is a translation that is behind its English text, or "".

    Raises ``UsageError`` if all of such a text is said to be read against its English one.
    """
    from perfnotes.model.translation import Translation
    from perfnotes.text.printable import one_line

    if not isinstance(text.of, Translation) or not text.of.is_behind:
        return ""
    command = f"perfnotes translated {text.of.id}"
    path = one_line(text.path)
    is_behind = f"{path} is behind its English text: `{command} --dry-run` shows what changed there"
    if options.lines is None and options.kind == SOURCES:
        raise UsageError(
            f"{is_behind}.\nMend the translation and run `{command}`, then record what you read; "
            "or name with --lines the sentences that you held against the English text of today"
        )
    return (
        f"{is_behind}.\nWhen the translation is mended, read the sentences again that changed, "
        f"and run `{command}`\n"
    )


def _not_named(
    review: Review | None, new: Reading, named: Collection[str], path: str, *, is_dry: bool
) -> str:
    """Return a warning if sentences count as read that no option named, or "" if none does."""
    same = [r for r in review.readings if (r.by, r.kind) == (new.by, new.kind)] if review else []
    earlier = {sentence.digest for reading in same for sentence in reading.sentences}
    count = sum(s.digest not in named and s.digest not in earlier for s in new.sentences)
    if not count:
        return ""
    undo = f"`git restore {path}` brings back what was committed" if review else f"`rm {path}`"
    return (
        f"without --lines all sentences are recorded as read, {count} of them named by no option. "
        "If you read only some,\n"
        + ("" if is_dry else f"undo this ({undo}) and ")
        + "give their lines, such as --lines 12-40,81:49\n"
    )


def _refuse_broken(site: Site, text: Text) -> None:
    """Raise ``UsageError`` if there is a review that cannot be read, and would be overwritten."""
    from perfnotes.model.review import review_path

    path = review_path(text.of.file)
    if text.of.file not in site.library.reviews and (site.library.root / path).exists():
        raise UsageError(f"{site.library.shown(path)} has errors: see perfnotes check")


def _myself(notes: Path | None) -> str:
    from perfnotes.source.history import identity

    name = identity(root_for(notes))
    if not name:
        raise UsageError(
            "git does not know your name: git config user.name sets it; or use --by maintainers"
        )
    return name
