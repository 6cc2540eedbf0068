"""Asking before a lab's code runs.

The user is asked about code that differs from the trusted branch, that asks for more than the
sandbox allows, or that would run without a sandbox.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from perfnotes.source.project import UsageError

if TYPE_CHECKING:
    from perfnotes.labs.find import Labs
    from perfnotes.model.lab import Lab

_SHOWN = 10  # labs, and files of each, that a question names
_NO_SANDBOX = "without a sandbox, the code can do everything that you can do"


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--trust``, which ``may_run`` asks for.

    It has no other name: ``--yes`` means everywhere that a command writes without asking.
    """
    parser.add_argument(
        "--trust",
        action="store_true",
        help="do not ask about code that is not on the trusted branch or leaves the sandbox",
    )


def may_run(labs: Labs, chosen: Sequence[Lab], trust: bool) -> bool:
    """Return whether these labs may run.

    Code may run if it is the same as on the trusted branch and stays in the sandbox. For any other
    code the person at the terminal decides. With ``trust`` nobody is asked, and all code may run.
    Raises ``UsageError`` if somebody has to be asked and there is no terminal.
    """
    from perfnotes.labs.sandbox import find

    sandbox = find()
    if trust:
        if isinstance(sandbox, str) and chosen:
            print(f"perfnotes: no sandbox: {sandbox}; {_NO_SANDBOX}", file=sys.stderr)
        return True
    reasons = list(_reasons(labs, chosen, sandbox if isinstance(sandbox, str) else ""))
    if not reasons:
        return True
    from perfnotes.text.printable import printable

    question = f"{printable(chr(10).join(reasons))}\nRun this code?"
    if not sys.stdin.isatty():
        raise UsageError(f"{question} Nobody is there to ask: read it, then add --trust")
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def runnable(labs: Iterable[Lab]) -> list[Lab]:
    """Return the labs for which this machine has everything. The others would run nothing."""
    from perfnotes.labs.needs import missing

    return [lab for lab in labs if not missing(lab.needs)]


def nothing_ran() -> int:
    """Say that nothing was run, and return the exit status for that."""
    print("nothing was run", file=sys.stderr)
    return 1


def _reasons(labs: Labs, chosen: Sequence[Lab], no_sandbox: str) -> Iterator[str]:
    """Yield, line by line, why somebody should look at these labs before they run."""
    from perfnotes.labs.permissions import MEANINGS, permissions_of
    from perfnotes.labs.trust import differences, trusted_branch

    branch = trusted_branch(labs.root) if chosen else None
    changed = {lab.id: differences(branch, labs.root, lab) for lab in chosen} if branch else {}
    changed = {id: names for id, names in changed.items() if names}
    if branch and branch.problem and changed:
        yield f"nobody can say whose code this is: {branch.problem}"
    elif branch and changed:
        yield f"not as on the trusted branch, {branch.name}:"
    yield from _first(f"  {id}: {', '.join(_first(names))}" for id, names in changed.items())
    for lab in chosen:
        for permission in permissions_of(lab):
            yield f"{lab.id} asks for {permission}: to {MEANINGS[permission]}"
    if no_sandbox and chosen:
        yield f"no sandbox: {no_sandbox}; {_NO_SANDBOX}"


def _first(lines: Iterable[str]) -> list[str]:
    """Return the first lines, and one more that says how many are left out."""
    found = list(lines)
    more = len(found) - _SHOWN
    return [*found[:_SHOWN], *([f"and {more} more"] if more > 0 else [])]
