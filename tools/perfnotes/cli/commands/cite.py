"""Add references: from BibTeX, CSL JSON or RIS, or by a DOI or an arXiv id.

The format of a file is recognised from its text; "-" is standard input. For a DOI or an arXiv id
the record is fetched from doi.org or arxiv.org, unless references.bib has it already. Prints the
new entries and how to cite them, and asks before writing. A work that references.bib has already
is named; its entry is never changed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.cli.commands._ask import agreed, show
from perfnotes.cli.commands._options import add_timeout
from perfnotes.contribute.cite.services import Services
from perfnotes.source.project import UsageError, project_root
from perfnotes.storage.write import write_atomically
from perfnotes.text import difference as textdiff
from perfnotes.text.source import Source, decode

if TYPE_CHECKING:
    from perfnotes.contribute.cite.add import CitePlan
    from perfnotes.contribute.cite.record import Record, Trouble

EXAMPLE = "perfnotes cite 10.1145/1498765.1498785 2205.14135 export.bib"

SERVICES = Services()


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        nargs="*",
        metavar="SOURCE",
        help="files, DOIs, arXiv ids, or - for standard input",
    )
    parser.add_argument("--topic", metavar="TOPIC", help="the topic that the work is about, by id")
    parser.add_argument(
        "--key",
        metavar="NAME",
        help="the key of the entry; default: made from author, year and title",
    )
    parser.add_argument(
        "--distinct",
        action="store_true",
        help="add a work although a known one has a similar title",
    )
    add_timeout(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--yes", action="store_true", help="write without asking")
    how.add_argument("--dry-run", action="store_true", help="print the entries, write nothing")


def run(options: argparse.Namespace) -> int:
    from perfnotes.contribute.cite.add import appended, plan
    from perfnotes.source.bib.bibtex import is_key

    words = options.source or (["-"] if not sys.stdin.isatty() else [])
    if not words:
        raise UsageError("name a file, a DOI or an arXiv id, or pipe a record in")
    if "-" in words and not (options.yes or options.dry_run) and sys.stdin.isatty():
        print("reading from the terminal; Ctrl-D ends the input", file=sys.stderr)
    file = project_root() / "notes" / "references.bib"
    _check_topic(file.parent, options.topic)
    data, bibliography = _bibliography(file)
    records, troubles = _read(words, options.timeout, bibliography)
    if options.key and len(records) > 1:
        raise UsageError(f"--key names one reference, and here are {len(records)}")
    if options.key and not is_key(options.key):
        raise UsageError(f"{options.key!r} is no key: letters, digits and _ : . + -")
    made = plan(
        bibliography,
        records,
        topic=options.topic or "",
        given_key=options.key or "",
        distinct=options.distinct,
    )
    made.troubles[:0] = troubles
    _print_known(made, bibliography)
    if made.added:
        new = appended(data, made.added)
        shown = bibliography.path
        show(textdiff.lines(data.decode("utf-8"), new.decode("utf-8"), shown, shown))
        _cite_as(made)
        question = f"Add {len(made.added)} to {shown}?"
        if not options.dry_run and agreed(question, options.yes):
            if file.is_file() and file.read_bytes() != data:
                raise UsageError(f"{shown} changed meanwhile; run cite again")
            write_atomically(file, new)
            print(f"wrote {shown}")
    doubtful = [t for t in made.present if not t.same.certain]
    return 1 if made.troubles or doubtful else 0


def _check_topic(notes: Path, topic: str | None) -> None:
    if not topic:
        return
    from perfnotes.source.read.tables import topics
    from perfnotes.text.nearest import no_such

    known, _, _ = topics(notes / "topics.yml", "notes/topics.yml")
    if topic not in known:
        raise UsageError(no_such("topic", topic, known, "notes/topics.yml"))


def _bibliography(file: Path) -> tuple[bytes, Source]:
    data = file.read_bytes() if file.is_file() else b""
    source, findings = decode(data, "notes/references.bib")
    if source is None:
        raise UsageError(f"{findings[0]}; mend it first")
    return data, source


def _read(
    words: list[str], seconds: float, bibliography: Source
) -> tuple[list[Record], list[Trouble]]:
    from perfnotes.contribute.cite import sources
    from perfnotes.source.bib import bibtex

    services = Services(SERVICES.doi, SERVICES.arxiv, seconds)
    references = list(bibtex.read(bibliography)[0].values())
    records: list[Record] = []
    troubles: list[Trouble] = []
    for word in dict.fromkeys(words):
        found, wrong = sources.read(word, services, references)
        records += found
        troubles += wrong
    return records, troubles


def _print_known(made: CitePlan, bibliography: Source) -> None:
    """Print what cannot be added, and the works that the bibliography has already."""
    for trouble in made.troubles:
        print(trouble, file=sys.stderr)
    for present in made.present:
        same = present.same
        line, _ = bibliography.position(same.reference.offset)
        # An entry that this run adds has no line in the file yet.
        is_new = any(a.reference is same.reference for a in made.added)
        where = "added here" if is_new else f"{bibliography.path}:{line}"
        show(f"{present.record.place}: it is there already, [@{same.reference.key}] ({where}): ")
        show(f"{same.why}\n")
        if not same.certain:
            show("  not added; --distinct adds it if it is another work\n")
        for name, value in present.missing:
            show(f"  the reference lacks {name} = {{{value}}}\n")


def _cite_as(made: CitePlan) -> None:
    for added in made.added:
        show(f"cite as [@{added.reference.key}]: {added.reference.title}\n")
        if added.record.left_out:
            show(f"  left out: {', '.join(added.record.left_out)}\n")
    print("confirm every field in the document itself, or in a second source")
