"""Run a note's lab on this machine and compare the outcome with what is published.

Prints first what it will build and run, then each claim with the published value, your value, and
whether the claim holds here. Writes nothing without --save. Asks before it runs code that differs
from the trusted branch. All code runs in a sandbox where the system has one.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from perfnotes.labs.find import Labs
    from perfnotes.model.lab import Lab
    from perfnotes.model.verdict import Verdict

EXAMPLE = "perfnotes reproduce caches/false-sharing"


def arguments(parser: argparse.ArgumentParser) -> None:
    from perfnotes.cli.commands._options import add_notes
    from perfnotes.cli.commands._trust import add_trust

    parser.add_argument(
        "note", metavar="LAB", help="the lab, by its note's id (topic/slug) or slug"
    )
    add_notes(parser)
    add_trust(parser)
    parser.add_argument(
        "--save",
        action="store_true",
        help="write lab/results/<machine>.json, to send as a pull request",
    )
    parser.add_argument("--machine", metavar="NAME", default="", help="another id for this machine")


def run(options: argparse.Namespace) -> int:
    from perfnotes.cli.commands._labs import lab_of, labs_of
    from perfnotes.cli.commands._record import measured, save
    from perfnotes.cli.commands._trust import may_run, nothing_ran
    from perfnotes.labs.box import CannotRunError, LabError
    from perfnotes.labs.needs import missing
    from perfnotes.labs.record import refusal, result_of, this_machine
    from perfnotes.labs.report import failures, is_bad, summary, verdicts, where_it_ran

    labs = labs_of(options)
    lab = lab_of(labs, options.note)
    _print_plan(labs, lab)
    if lacks := missing(lab.needs):
        print(f"not run: {lacks}")
        return 0
    try:
        machine = this_machine(options.machine)
        if options.save and (why := refusal(labs, lab, machine.id)):
            raise LabError(why)
        if not may_run(labs, [lab], options.trust):
            return nothing_ran()
        outcome = measured(labs, lab)
        sys.stderr.write(failures(outcome))
        found = verdicts(outcome)
        _print_comparison(labs, lab, found)
        print(f"  {summary(found.values())}")
        print(f"  {where_it_ran(outcome)}")
        for reason in outcome.result().unfit:
            print(f"  timings deserve doubt: {reason}")
        claims = [found[id] for id in lab.claims]
        status = 1 if outcome.failed or any(is_bad(v) for v in claims) else 0
        if options.save:
            result = result_of(labs, outcome, machine)
            shown = save(labs, result)
            print(f"to send it: git add {shown}, commit, and open a pull request")
        elif not outcome.failed and not refusal(labs, lab, machine.id):
            where = labs.shown_file(lab.id, machine.id)
            print(f"to send yours: perfnotes reproduce {lab.id} --save writes {where};")
            print("  commit that file and open a pull request: the page shows it beside ours")
        return status
    except (LabError, CannotRunError) as error:
        print(f"perfnotes: {error}", file=sys.stderr)
        return 1


def _print_plan(labs: Labs, lab: Lab) -> None:
    """Print the lab's question, its commands, and what it asks for beyond the sandbox."""
    from perfnotes.labs.permissions import MEANINGS, permissions_of
    from perfnotes.labs.versions import commands

    print(f"{lab.id}: {lab.title.en}")
    print(f"  {lab.question.en}")
    shown = f"{labs.shown}/{lab.folder}" if labs.shown else lab.folder
    print(f"  sources: {shown}; takes about {lab.duration:g} s, in a scratch folder")
    for permission in permissions_of(lab):
        print(f"  asks for {permission}: to {MEANINGS[permission]}")
    for line in lab.build:
        print(f"  build  {_filled(line, lab)}")
    for run in lab.runs.values():
        what = "; ".join(_filled(c, lab) for c in commands(run)) or ", ".join(
            f"{k} {v}" for k, v in run.options.items()
        )
        print(f"  run    {run.id} ({run.tool}): {what}")
    print()


def _filled(command: str, lab: Lab) -> str:
    """Return the command with the values of the lab's parameters in it."""
    from perfnotes.labs.command_line import split

    return shlex.join(split(command, lab.parameters))


def _print_comparison(labs: Labs, lab: Lab, found: Mapping[str, Verdict]) -> None:
    """Print the claims and values as a table: published, measured here, expected, verdict."""
    from perfnotes.labs.report import amount, first_line, table
    from perfnotes.model.verdict import HOLDS, is_stale, judge_all
    from perfnotes.text.printable import one_line

    published = labs.results[lab.id].get(lab.reference)
    theirs = judge_all(lab, published) if published else {}
    rows = [["claim", "published", "yours", "expected", ""]]
    for id, claim in lab.claims.items():
        own, their = found[id], theirs.get(id)
        state = own.state + (f": {first_line(own.why)}" if own.why else "")
        rows.append([
            id, amount(their.spread if their else None, claim.unit),
            amount(own.spread, claim.unit), claim.expect.text, state,
        ])  # fmt: skip
    for id, value in lab.values.items():
        own, their = found[id], theirs.get(id)
        state = "" if own.state == HOLDS else f"{own.state}: {first_line(own.why)}"
        rows.append([
            id, amount(their.spread if their else None, value.unit),
            amount(own.spread, value.unit), "", state,
        ])  # fmt: skip
    if published:
        words = f"{published.machine.id}, {published.machine.cpu}, {published.date}"
        print(f"published: {one_line(words)}")
        if is_stale(lab, published):
            print("  the lab's source has changed since that was recorded")
    else:
        print("published: no result of the reference machine")
    sys.stdout.write(table(rows))
