"""Run, record and verify the labs behind the notes' numbers.

A lab is the folder lab/ beside a note, with the sources of an experiment and lab.yml. LAB is the
id of that note (topic/slug), or the slug alone where only one note with a lab has it.
"""

from __future__ import annotations

import argparse
import json
import sys

from perfnotes.source.project import UsageError

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
    from perfnotes.cli.commands._options import add_notes
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
        add_notes(action)
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
    from perfnotes.cli.commands._lab_list import list_labs
    from perfnotes.cli.commands._lab_verify import verify_labs
    from perfnotes.labs.box import CannotRunError, LabError

    actions = {
        "list": list_labs, "run": _run, "record": _record, "replace": _replace,
        "verify": verify_labs,
    }  # fmt: skip
    try:
        return actions[options.action](options)
    except (LabError, CannotRunError) as error:
        print(f"perfnotes: {error}", file=sys.stderr)
        return 1


def _run(options: argparse.Namespace) -> int:
    from perfnotes.cli.commands._labs import lab_of, labs_of
    from perfnotes.cli.commands._record import measured
    from perfnotes.cli.commands._trust import may_run, nothing_ran, runnable
    from perfnotes.labs.report import (
        as_json,
        claims_table,
        failures,
        is_bad,
        summary,
        verdicts,
        where_it_ran,
    )

    labs = labs_of(options)
    lab = lab_of(labs, options.note)
    if not may_run(labs, runnable([lab]), options.trust):
        return nothing_ran()
    outcome = measured(labs, lab, keep=options.keep)
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


def _record(options: argparse.Namespace) -> int:
    from perfnotes.cli.commands._labs import lab_of, labs_of
    from perfnotes.cli.commands._record import measure_and_print, save
    from perfnotes.cli.commands._trust import may_run, nothing_ran, runnable
    from perfnotes.labs.box import LabError
    from perfnotes.labs.record import refusal, this_machine
    from perfnotes.labs.report import is_bad

    labs = labs_of(options)
    lab = lab_of(labs, options.note)
    machine = this_machine(options.machine)
    if why := refusal(labs, lab, machine.id):
        raise LabError(why)
    if not may_run(labs, runnable([lab]), options.trust):
        return nothing_ran()
    result, found = measure_and_print(labs, lab, machine)
    save(labs, result)
    if not lab.reference:
        print(f"add to lab.yml, so that notes show this result:\n  reference: {machine.id}")
    if any(is_bad(v) for v in found.values()):
        print("recorded, but a claim does not hold here: mend the claim or the lab, then publish")
        return 1
    return 0


def _replace(options: argparse.Namespace) -> int:
    from perfnotes.cli.commands._ask import agreed
    from perfnotes.cli.commands._labs import lab_of, labs_of
    from perfnotes.cli.commands._record import measure_and_print, save
    from perfnotes.cli.commands._trust import may_run, nothing_ran, runnable
    from perfnotes.labs.box import LabError
    from perfnotes.labs.record import set_reference, this_machine
    from perfnotes.labs.replace import describe_replacement
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
            raise UsageError(
                f"lab.yml of {lab.id} names no reference machine, so there is nothing to replace: "
                f"`perfnotes lab record {lab.id}` records a result and says what to add"
            )
        if machine.id != lab.reference:
            raise UsageError(
                f"the note shows {lab.reference}, and this machine is {machine.id}: `perfnotes "
                f"lab record {lab.id}`, then `perfnotes lab replace --adopt {machine.id} {lab.id}`"
            )
        if not may_run(labs, runnable([lab]), options.trust):
            return nothing_ran()
        new, found = measure_and_print(labs, lab, machine)
        bad = any(is_bad(v) for v in found.values())
    print(f"{lab.id}: what the note shows, before and after:")
    sys.stdout.write(describe_replacement(labs, lab, old, new, lab.reference))
    if not agreed("Replace it?", options.yes, has_dry_run=False):
        print("nothing was written")
        return 1
    if options.adopt:
        set_reference(labs, lab, options.adopt)
        print(f"{lab.folder}/lab.yml: reference: {options.adopt}")
    else:
        save(labs, new)
    return 1 if bad else 0
