"""Check the notes: links, citations, tags, headings, translations, safety.

Prints one line for each finding, path:line:col: CODE message (hint). Every code is explained on
the site, with a wrong and a right example.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.commands._project import configuration, notes_folder
from perfnotes.findings import FORMATS, Severity

if TYPE_CHECKING:
    from perfnotes.site import Site

EXAMPLE = "perfnotes check --format github notes/caches"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="print only findings in these files and folders"
    )
    parser.add_argument("--notes", metavar="DIR", help="any folder of Markdown")
    parser.add_argument("--format", choices=sorted(FORMATS), default="text")
    parser.add_argument(
        "--coverage", action="store_true", help="print which share of the quantities has evidence"
    )
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument("--all", action="store_true", help="print notes too, not only what to mend")


def run(options: argparse.Namespace) -> int:
    from perfnotes.engine.session import Session

    session = Session(notes_folder(options.notes), quiet=True)
    if options.coverage:
        print_coverage(session.read(configuration()), [Path(p).resolve() for p in options.paths])
        return 0
    findings = session.check(configuration())
    if options.paths:
        wanted = [Path(p).resolve() for p in options.paths]
        findings = [
            f
            for f in findings
            if any(w in (p := Path(f.path).resolve(), *p.parents) for w in wanted)
        ]
    counts = {s: sum(1 for f in findings if f.severity is s) for s in Severity}
    if not options.all and options.format == "text":
        findings = [f for f in findings if f.severity is not Severity.NOTE]
    sys.stdout.write(FORMATS[options.format](findings))
    if options.format == "text" and sys.stdout.isatty():
        summary = ", ".join(f"{n} {s.value}{'s' if n != 1 else ''}" for s, n in counts.items())
        print(f"{summary}" + ("" if options.all else " (--all prints notes too)"))
    failing = counts[Severity.ERROR] + (counts[Severity.WARNING] if options.strict else 0)
    return 1 if failing else 0


def print_coverage(site: Site, wanted: list[Path]) -> None:
    """By note, and over all, the share of quantities with evidence."""
    from perfnotes.link.coverage import WAIVED, Share, share

    total = Share(0, 0)
    for path, coverage in sorted(site.coverages.items()):
        file = Path(path).resolve()
        if wanted and not any(w in (file, *file.parents) for w in wanted):
            continue
        found = share(coverage.judged)
        waived = sum(1 for j in coverage.judged if j.state == WAIVED)
        more = f", {waived} waived" if waived else ""
        print(f"{found.percent:5.1f} %  {found.evident:4d} of {found.total:4d}{more}  {path}")
        total += found
    print(f"{total.percent:5.1f} %  {total.evident:4d} of {total.total:4d}  over all")
