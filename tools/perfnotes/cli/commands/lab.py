"""Run, record and verify the labs behind the notes' numbers.

A lab is the folder lab/ beside a note, with the sources of an experiment and lab.yml. LAB is the
id of that note (topic/slug), or the slug alone where only one note with a lab has it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from perfnotes.source.project import UsageError

if TYPE_CHECKING:
    from perfnotes.labs.find import Labs
    from perfnotes.model.lab import Lab, Needs

EXAMPLE = "perfnotes lab run caches/row-order"

_ACTIONS = {
    "list": ("List the labs, what each lacks here, and their results.", "perfnotes lab list"),
    "run": (
        "Build and run a lab and print the value of each claim. Writes nothing.",
        "perfnotes lab run row-order --json",
    ),
    "record": (
        "Run a lab and write its result for this machine, lab/results/<machine>.json.",
        "perfnotes lab record caches/row-order",
    ),
    "replace": (
        "Replace the result that the note shows. Prints first which numbers would change.",
        "perfnotes lab replace caches/row-order --yes",
    ),
    "verify": (
        "Run count claims again, and check that recorded results belong to their lab's source.",
        "perfnotes lab verify --strict",
    ),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    from perfnotes.cli.commands._trust import add_trust

    below = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, (text, example) in _ACTIONS.items():
        action = below.add_parser(
            name,
            help=text.rstrip(".").partition(". ")[0],
            description=text,
            epilog=f"example:\n  {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        action.add_argument(
            "--notes", metavar="DIR", help="a notes folder; without it the project's own"
        )
        if name == "verify":
            action.add_argument("note", nargs="*", metavar="LAB", help="default: every lab")
            action.add_argument(
                "--strict", action="store_true", help="fail too if a claim was not run"
            )
            action.add_argument(
                "--changed-since",
                metavar="BASE",
                help="verify only labs that differ from BASE, and all their counts, values too",
            )
        elif name != "list":
            action.add_argument(
                "note", metavar="LAB", help="the lab, by the id or slug of its note"
            )
        if name != "list":
            add_trust(action)
        if name in ("list", "run", "verify"):
            action.add_argument("--json", action="store_true", help="print JSON, for scripts")
        if name == "list":
            action.add_argument(
                "--packages", action="store_true", help="print the Debian packages of all labs"
            )
        if name == "run":
            action.add_argument(
                "--keep", action="store_true", help="keep the scratch folder, and print its path"
            )
        if name in ("record", "replace"):
            action.add_argument(
                "--machine",
                metavar="NAME",
                default="",
                help="the id of this machine in results; default: made from its hardware",
            )
        if name == "replace":
            action.add_argument(
                "--adopt",
                metavar="MACHINE",
                default="",
                help="run nothing; make the recorded result of MACHINE the one that the note shows",
            )
            action.add_argument("--yes", action="store_true", help="write without asking")


def run(options: argparse.Namespace) -> int:
    from perfnotes.labs.box import CannotRunError, LabError

    actions = {
        "list": _list, "run": _run, "record": _record, "replace": _replace, "verify": _verify,
    }  # fmt: skip
    try:
        return actions[options.action](options)
    except (LabError, CannotRunError) as error:
        print(f"perfnotes: {error}", file=sys.stderr)
        return 1


def _list(options: argparse.Namespace) -> int:
    from perfnotes.cli.commands._labs import labs_of
    from perfnotes.labs.needs import missing_of_lab
    from perfnotes.labs.report import table
    from perfnotes.model.verdict import is_stale

    labs = labs_of(options)
    if options.packages:
        needs = [n for lab in labs.labs.values() for n in (lab.needs, *_needs_of_runs(lab))]
        print(*sorted({package for each in needs for package in each.debian}))
        return 0
    entries: list[dict[str, Any]] = []
    for id in labs.ids:
        if id in labs.broken:
            why = [str(finding) for finding in labs.broken[id]]
            entries.append({"lab": id, "title": "", "broken": why, "needs": "", "results": {}})
            continue
        lab = labs.labs[id]
        results = {
            machine: {"date": r.date, "stale": is_stale(lab, r), "unfit": list(r.unfit)}
            for machine, r in labs.results[id].items()
        }
        entries.append({
            "lab": id, "title": lab.title.en, "seconds": lab.duration, "reference": lab.reference,
            "needs": missing_of_lab(lab), "results": results,
        })  # fmt: skip
    if options.json:
        print(json.dumps(entries, ensure_ascii=False, indent=1))
        return 0
    rows = []
    for entry in entries:
        state = "cannot be read" if "broken" in entry else entry["needs"] or "can run here"
        found = entry["results"]
        shown = [f"{m}{' (stale)' if r['stale'] else ''}" for m, r in found.items()]
        time = f"{entry['seconds']:g} s" if "seconds" in entry else ""
        rows.append([str(entry["lab"]), time, str(state), ", ".join(shown) or "no result"])
    sys.stdout.write(table(rows, indent=""))
    return 0


def _needs_of_runs(lab: Lab) -> Iterator[Needs]:
    """Yields what each run of the lab needs, and what its instrument needs."""
    from perfnotes.labs.instruments import instruments

    for run in lab.runs.values():
        yield run.needs
        if run.tool in instruments():
            yield instruments()[run.tool].needs(run)


def _run(options: argparse.Namespace) -> int:
    from perfnotes.cli.commands._labs import lab_of, labs_of
    from perfnotes.cli.commands._trust import may_run
    from perfnotes.labs.report import (
        Progress,
        as_json,
        claims_table,
        failures,
        is_bad,
        summary,
        verdicts,
        where_it_ran,
    )  # fmt: skip
    from perfnotes.labs.run import run_lab

    labs = labs_of(options)
    lab = lab_of(labs, options.note)
    if not may_run(labs, _runnable([lab]), options.trust):
        return _nothing_ran()
    progress = Progress()
    try:
        outcome = run_lab(lab, labs.root, progress.tell, keep=options.keep, consent=True)
    finally:
        progress.end()
    result = outcome.result()
    found = verdicts(outcome, result)
    if options.json:
        print(json.dumps(as_json(outcome, result, found), ensure_ascii=False, indent=1))
    else:
        sys.stderr.write(failures(outcome))
        print(f"{lab.id}: {lab.title.en}")
        if outcome.not_run:
            print(f"  not run: {outcome.not_run}")
        else:
            sys.stdout.write(claims_table(lab, found))
            print(f"  {summary(found.values())}")
            print(f"  {where_it_ran(outcome)}")
            for reason in result.unfit:
                print(f"  timings deserve doubt: {reason}")
    if outcome.folder:
        print(f"the scratch folder is kept: {outcome.folder}", file=sys.stderr)
    return 1 if outcome.failed or any(is_bad(v) for v in found.values()) else 0


def _runnable(labs: Iterable[Lab]) -> list[Lab]:
    """Returns the labs that this machine has everything for. The others would not run anything."""
    from perfnotes.labs.needs import missing_of_lab

    return [lab for lab in labs if not missing_of_lab(lab)]


def _nothing_ran() -> int:
    print("nothing was run", file=sys.stderr)
    return 1


def _record(options: argparse.Namespace) -> int:
    from perfnotes.cli.commands._labs import lab_of, labs_of
    from perfnotes.cli.commands._record import measure_and_print, save
    from perfnotes.cli.commands._trust import may_run
    from perfnotes.labs.box import LabError
    from perfnotes.labs.record import refusal, this_machine
    from perfnotes.labs.report import is_bad

    labs = labs_of(options)
    lab = lab_of(labs, options.note)
    machine = this_machine(options.machine)
    if why := refusal(labs, lab, machine.id):
        raise LabError(why)
    if not may_run(labs, _runnable([lab]), options.trust):
        return _nothing_ran()
    result, found = measure_and_print(labs, lab, machine)
    save(labs, result)
    if not lab.reference:
        print(f"add to lab.yml, so that notes show this result:\n  reference: {machine.id}")
    if any(is_bad(v) for v in found.values()):
        print("recorded, but a claim does not hold here: mend the claim or the lab, then publish")
        return 1
    return 0


def _replace(options: argparse.Namespace) -> int:
    from perfnotes.cli.commands._labs import ask, lab_of, labs_of
    from perfnotes.cli.commands._record import measure_and_print, save
    from perfnotes.cli.commands._trust import may_run
    from perfnotes.labs.box import LabError
    from perfnotes.labs.record import set_reference, this_machine
    from perfnotes.labs.replace import told
    from perfnotes.labs.report import is_bad
    from perfnotes.model.verdict import is_stale

    labs = labs_of(options)
    lab = lab_of(labs, options.note)
    results = labs.results[lab.id]
    old = results.get(lab.reference)
    bad = False
    if options.adopt:
        if options.adopt not in results:
            known = ", ".join(sorted(results)) or "none"
            raise UsageError(f"{lab.id} has no result of {options.adopt!r} (results: {known})")
        new = results[options.adopt]
        if is_stale(lab, new):
            raise LabError(f"the lab's source has changed since {options.adopt} was recorded")
    else:
        machine = this_machine(options.machine)
        if not lab.reference:
            raise UsageError(f"no machine is the reference: perfnotes lab record {lab.id}")
        if machine.id != lab.reference:
            raise UsageError(
                f"the note shows {lab.reference}, and this machine is {machine.id}: `perfnotes "
                f"lab record {lab.id}`, then `perfnotes lab replace --adopt {machine.id} {lab.id}`"
            )
        if not may_run(labs, _runnable([lab]), options.trust):
            return _nothing_ran()
        new, found = measure_and_print(labs, lab, machine)
        bad = any(is_bad(v) for v in found.values())
    print(f"{lab.id}: what the note shows, before and after:")
    sys.stdout.write(told(labs, lab, old, new, lab.reference))
    if not ask("Replace it?", options.yes):
        print("nothing was written")
        return 1
    if options.adopt:
        set_reference(labs, lab, options.adopt)
        print(f"{lab.folder}/lab.yml: reference: {options.adopt}")
    else:
        save(labs, new)
    return 1 if bad else 0


def _verify(options: argparse.Namespace) -> int:
    from perfnotes.cli.commands._labs import id_of, labs_of
    from perfnotes.cli.commands._trust import may_run
    from perfnotes.labs.report import Progress, table
    from perfnotes.labs.verify import counted, verify

    labs = labs_of(options)
    ids = list(dict.fromkeys(id_of(labs, name) for name in options.note)) or labs.ids
    if options.changed_since:
        labs, ids = _changed(labs, ids, options)
    if not may_run(
        labs, _runnable(counted(labs, ids, values=bool(options.changed_since))), options.trust
    ):
        return _nothing_ran()
    progress = Progress()
    try:
        reports = verify(labs, ids, progress.tell, values=bool(options.changed_since))
    finally:
        progress.end()
    wrong = [line for report in reports for line in report.wrong]
    not_run = [line for report in reports for line in report.not_run]
    if options.json:
        data = [vars(report) for report in reports]
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
    """Returns the labs as a rerun takes them, and the ids of those that differ from the revision.

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
