"""``perfnotes lab verify``: runs count claims again, and compares results with their labs."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from msgspec import to_builtins

from perfnotes.source.project import UsageError

if TYPE_CHECKING:
    from perfnotes.labs.find import Labs


def verify_labs(options: argparse.Namespace) -> int:
    from perfnotes.cli.commands._labs import id_of, labs_of
    from perfnotes.cli.commands._trust import may_run, nothing_ran, runnable
    from perfnotes.labs.report import Progress, table
    from perfnotes.labs.verify import labs_to_run, verify

    labs = labs_of(options)
    ids = list(dict.fromkeys(id_of(labs, name) for name in options.note)) or labs.ids
    if options.changed_since:
        labs, ids = _changed(labs, ids, options)
    if not may_run(
        labs, runnable(labs_to_run(labs, ids, values=bool(options.changed_since))), options.trust
    ):
        return nothing_ran()
    progress = Progress()
    try:
        reports = verify(labs, ids, progress.tell, values=bool(options.changed_since))
    finally:
        progress.end()
    wrong = [line for report in reports for line in report.wrong]
    not_run = [line for report in reports for line in report.not_run]
    if options.json:
        data = to_builtins(reports)
        print(json.dumps(data, ensure_ascii=False, indent=1))
    else:
        for report in reports:
            none = "cannot be read" if report.lab in labs.broken else "no count claim was run"
            lines = [list(line) for line in report.lines] or [[none, "", ""]]
            print(report.lab)
            sys.stdout.write(table(lines))
        for line in wrong:
            print(line)
        for line in not_run:
            print(line)
        claims = sum(len(report.lines) for report in reports) - len(not_run)
        print(
            f"labs: {len(reports)}; count claims run: {claims}, not run: {len(not_run)}; "
            f"wrong: {len(wrong)}"
        )
        for where in sorted({report.where for report in reports if report.where}):
            print(where)
    return 1 if wrong or (options.strict and not_run) else 0


def _changed(labs: Labs, ids: list[str], options: argparse.Namespace) -> tuple[Labs, list[str]]:
    """Return the labs for a rerun, and the ids of those that differ from the revision.

    Raises ``UsageError`` if the revision cannot be read, or with ``--notes``.
    """
    from perfnotes.review.rerun import changed_since
    from perfnotes.review.revision import RevisionError
    from perfnotes.source.project import project_root

    if options.notes:
        raise UsageError("--changed-since compares the project's own notes: leave --notes out")
    try:
        labs, changed = changed_since(labs, project_root(), options.changed_since)
    except RevisionError as error:
        raise UsageError(str(error)) from None
    return labs, [id for id in ids if id in changed]
