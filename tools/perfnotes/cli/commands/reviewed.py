"""Record that you have read the sentences of a note against their sources.

Writes <slug>.review.yml beside the text: who read it (the name with which you commit), today's
date, and a digest of each sentence that states a fact. Only sentences that you have read belong
into it: --lines names those. A sentence that you mended, or whose source is out of reach, is named
by its place. What an earlier reading says of a sentence stays with the sentence; --verified takes
back that it could not be verified. `perfnotes claims NOTE` lists the sentences with their places.
"""

from __future__ import annotations

import argparse
import re
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from perfnotes.cli.commands._site import linked_site
from perfnotes.cli.commands._texts import Text, text_named
from perfnotes.model.review import EXPERT, KINDS, MAINTAINERS, SOURCES
from perfnotes.source.project import UsageError, notes_folder, project_root
from perfnotes.storage.write import write_atomically

if TYPE_CHECKING:
    from perfnotes.graph.claims import Claim
    from perfnotes.graph.site import Site

EXAMPLE = 'perfnotes reviewed caches/false-sharing --unverified "92:49=the book is out of reach"'
_RANGE = re.compile(r"(?P<first>\d{1,6})(?:-(?P<last>\d{1,6})|:(?P<column>\d{1,6}))?$")
_PLACE = re.compile(r"(?P<line>\d{1,6})(?::(?P<column>\d{1,6}))?$")
_LONGEST_REMARK = 500


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "note", metavar="NOTE", help="a note's id (topic/slug), or a path of a text"
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
    parser.add_argument("--notes", metavar="DIR", help="another folder of notes")


def run(options: argparse.Namespace) -> int:
    from perfnotes.contribute.reviewing import as_yaml, read_sentence, with_reading
    from perfnotes.graph.claims import claims
    from perfnotes.model.review import Reading, review_path
    from perfnotes.model.translation import text_hash
    from perfnotes.text.findings import one_line

    site = linked_site(notes_folder(options.notes))
    text = text_named(site, options.note, options.lang or site.library.main_language)
    _refuse_broken(site, text)
    found = list(claims(text.links, text.meta, text.coverage))
    chosen = _chosen(found, options.lines)
    if not chosen:
        raise UsageError("no sentence that states a fact begins in these lines")
    mended = _remarks(chosen, options.mended, "--mended")
    unverified = _remarks(chosen, options.unverified, "--unverified")
    verified = {d for at in options.verified for d in _begun_at(chosen, at, "--verified")}
    if twice := next((c for c in chosen if c.sentence.digest in mended.keys() & unverified), None):
        raise UsageError(
            f"--mended and --unverified both name the sentence at {twice.line}:{twice.column}: "
            "if its source is out of reach, say under --unverified what you mended too"
        )
    sentences = (read_sentence(c.sentence.digest, c.words, mended, unverified) for c in chosen)
    hash = text_hash(text.meta.title, text.meta.description, text.of.body.text)
    today = datetime.now(UTC).date().isoformat()
    reading = Reading(options.by or _myself(), options.kind, today, hash, tuple(sentences))
    statements = [c.sentence.digest for c in found]
    readings = with_reading(site.library.reviews.get(text.of.file), reading, statements, verified)
    path = review_path(text.of.file)
    if not options.dry_run:
        write_atomically(site.library.root / path, as_yaml(readings).encode())
    said = f"{len(chosen)} of {len(found)} sentences that state a fact, read by {reading.by}"
    sys.stdout.write(one_line(f"{site.library.shown(path)}: {said}") + "\n")
    return 0


def _refuse_broken(site: Site, text: Text) -> None:
    """Raises ``UsageError`` if there is a review that cannot be read, and would be overwritten."""
    from perfnotes.model.review import review_path

    path = review_path(text.of.file)
    if text.of.file not in site.library.reviews and (site.library.root / path).exists():
        raise UsageError(f"{site.library.shown(path)} has errors: see perfnotes check")


def _myself() -> str:
    from perfnotes.source.history import identity

    name = identity(project_root())
    if not name:
        raise UsageError(
            "git does not know your name: git config user.name sets it; or use --by maintainers"
        )
    return name


def _chosen(claims: list[Claim], lines: str | None) -> list[Claim]:
    if lines is None:
        return claims
    ranges = []
    for part in lines.split(","):
        found = _RANGE.match(part.strip())
        if not found:
            raise UsageError(
                f"--lines {part!r} is no line, no LINE:COLUMN and no range such as 12-40"
            )
        first, column = int(found["first"]), int(found["column"] or 0)
        ranges.append((first, int(found["last"] or first), column))
    return [
        claim
        for claim in claims
        if any(a <= claim.line <= b and column in (0, claim.column) for a, b, column in ranges)
    ]


def _remarks(claims: list[Claim], given: list[str], option: str) -> dict[str, str]:
    """Returns by its digest the remark on each sentence that begins at a given place."""
    remarks: dict[str, str] = {}
    for each in given:
        place, _, remark = each.partition("=")
        remark = " ".join(remark.split())
        if not remark or len(remark) > _LONGEST_REMARK or not _PLACE.match(place):
            raise UsageError(
                f"{option} {each[:80]!r}: write LINE=WORDS or LINE:COLUMN=WORDS, up to 500 letters"
            )
        remarks |= dict.fromkeys(_begun_at(claims, place, option), remark)
    return remarks


def _begun_at(claims: list[Claim], place: str, option: str) -> list[str]:
    """Returns the digests of the sentences that begin at a place, LINE or LINE:COLUMN."""
    found = _PLACE.match(place)
    if not found:
        raise UsageError(f"{option} {place[:80]!r} is no line and no LINE:COLUMN")
    line, column = int(found["line"]), int(found["column"] or 0)
    digests = [c.sentence.digest for c in claims if c.line == line and column in (0, c.column)]
    if not digests:
        raise UsageError(f"{option}: no sentence that you read begins at {place}")
    return digests
