"""Check the notes: links, citations, tags, headings, translations, safety.

Prints one line for each finding, path:line:col: CODE severity: message (hint); on a terminal also
the source line that it is about. --explain CODE says what a code means, with a wrong and a right
example.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.build.check import CheckedProject, check, public_address, shown_as
from perfnotes.build.configuration import configuration
from perfnotes.cli.commands._options import add_notes, given_path
from perfnotes.cli.commands._site import linked_site
from perfnotes.report import FORMATS, report
from perfnotes.source.project import UsageError, notes_folder, root_for
from perfnotes.source.unread import UNREAD
from perfnotes.text.findings import Finding, Severity

if TYPE_CHECKING:
    from perfnotes.graph.site import Site

EXAMPLE = "perfnotes check --format github notes/caches"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        type=given_path,
        metavar="PATH",
        help="print only findings in these files and folders",
    )
    add_notes(parser)
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="the form of the findings; default: text"
    )
    parser.add_argument(
        "--explain", metavar="CODE", help="say what a code means, and check nothing"
    )
    parser.add_argument(
        "--coverage", action="store_true", help="print the share of quantities that have evidence"
    )
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument(
        "--all", action="store_true", help="print remarks too, as all formats but text always do"
    )
    parser.add_argument("--no-cache", action="store_true", help="ignore what earlier runs kept")


def run(options: argparse.Namespace) -> int:
    if options.explain:
        return explain(options.explain)
    notes = notes_folder(options.notes)
    project = CheckedProject(root_for(notes), notes)
    configure = partial(configuration, project.root)
    wanted = [_wanted(path, project) for path in options.paths]
    if options.coverage:
        print_coverage(linked_site(notes), wanted)
        return 0
    findings = check(project, configure, cached=not options.no_cache)
    if wanted:
        findings = [f for f in findings if _is_in(Path(f.path), wanted)]
    failing = {Severity.ERROR, Severity.WARNING} if options.strict else {Severity.ERROR}
    status = 1 if any(f.severity in failing for f in findings) else 0
    if options.format == "text":
        print_text(findings, everything=options.all)
    elif options.format == "sarif":
        from perfnotes.report.sarif import write

        sys.stdout.write(write(findings, public_address(project, configure)))
    else:
        sys.stdout.write(report(options.format)(findings))
    return status


def print_text(findings: Sequence[Finding], *, everything: bool) -> None:
    """Print the findings as lines of text, those of severity note only with ``everything``.

    First come the files that cannot be read, because other findings may follow from that. On a
    terminal each finding comes with its source line, and the last line counts the findings of
    each severity.
    """
    from perfnotes.report.text import for_terminal, summary, write

    printed = [f for f in findings if everything or f.severity is not Severity.NOTE]
    printed.sort(key=lambda f: f.code not in UNREAD)
    if not sys.stdout.isatty():
        sys.stdout.write(write(printed))
        return
    colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    sys.stdout.write(for_terminal(printed, _lines_of, colour=colour))
    print(summary(findings) + ("" if everything else " (--all prints remarks too)"))


def explain(code: str) -> int:
    """Print the rule of a check code, with its examples; ``UsageError`` if there is none."""
    from perfnotes.checks import rules
    from perfnotes.report.explain import explained
    from perfnotes.text.nearest import nearest

    known = rules()
    rule = known.get(code.upper())
    if rule is None:
        guess = nearest(code.upper(), known)
        hint = f"did you mean {guess}?" if guess else f"the first is {next(iter(known))}"
        raise UsageError(f"no check has the code {code!r}: {hint}")
    sys.stdout.write(explained(rule))
    return 0


def _wanted(given: str, project: CheckedProject) -> Path:
    """Return the absolute path of a file or folder whose findings are wanted.

    A path outside of all that is checked, or a draft, gets a line on standard error but is no
    error, because a commit hook names every file of the commit. Raises ``UsageError`` if there is
    no such path.
    """
    if not os.path.lexists(given):
        raise UsageError(f"there is no {given}{_note_meant(given, project.folder)}")
    path = Path(given).resolve()
    unresolved = Path(os.path.abspath(given))  # noqa: PTH100 - keeps the place of a symbolic link
    checked = [project.folder]
    if project.notes is None:
        checked += [project.root / "docs", project.root / "mkdocs.yml"]
    inside = any(
        each in (place, *place.parents) or place in each.parents
        for each in (c.resolve() for c in checked)
        for place in (path, unresolved)
    )
    if not inside:
        places = ", ".join(shown_as(c) for c in checked)
        print(f"perfnotes: {given} is not checked: it lies outside of {places}", file=sys.stderr)
    elif _is_draft(path):
        said = "is a draft: only its front matter is checked, until `draft: true` is removed"
        print(f"perfnotes: {given} {said}", file=sys.stderr)
    return path


def _note_meant(given: str, notes: Path) -> str:
    """Return a hint at the path of the note that ``given`` names by its id or slug, or ""."""
    from perfnotes.source.names import NAMES
    from perfnotes.source.note_name import notes_named

    for id in notes_named(given, set(NAMES["NOTE"](notes)), notes):
        path = notes / id if (notes / id).is_dir() else notes / f"{id}.md"
        return f"; did you mean {shown_as(path)}?"
    return ""


def _is_draft(path: Path) -> bool:
    if path.suffix != ".md" or not path.is_file():
        return False
    from perfnotes.source.read import frontmatter
    from perfnotes.text.source import read_source

    source, _ = read_source(path, path.name)
    return bool(source and frontmatter.read(source, "note", lenient=True)[0].draft)


def _is_in(file: Path, wanted: Sequence[Path]) -> bool:
    resolved = file.resolve()
    return any(w in (resolved, *resolved.parents) for w in wanted)


@cache
def _lines_of(path: str) -> Sequence[str]:
    """Return the lines of a file as findings count them, or none if it cannot be read."""
    from perfnotes.text.source import read_source

    source, _ = read_source(Path(path), path, lenient=True)
    return source.text.split("\n") if source else ()


def print_coverage(site: Site, wanted: list[Path]) -> None:
    """Print, for each text and for all together, the share of quantities that have evidence."""
    from perfnotes.graph.coverage import WAIVED, Share, share

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
