"""Options that several commands have, and the numbers that options take."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

_LONGEST_WAIT = 24 * 3600  # seconds; the system refuses waits of some hundred years


def add_notes(parser: argparse._ActionsContainer) -> None:
    """Add ``--notes``, whose value ``notes_folder`` of ``source.project`` reads."""
    parser.add_argument(
        "--notes",
        type=given_path,
        metavar="DIR",
        help="any folder of Markdown; default: the project's own notes",
    )


def add_timeout(parser: argparse.ArgumentParser) -> None:
    """Add ``--timeout``, the longest wait in seconds for one answer from the network."""
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=20,
        metavar="SECONDS",
        help="longest wait for one answer; default: 20",
    )


def given_path(given: str) -> str:
    """Read a path. An empty one is refused, since the library takes it for the current folder."""
    if not given:
        raise argparse.ArgumentTypeError("the path is empty")
    return given


def whole(least: int) -> Callable[[str], int]:
    """Return a type for an option that takes a whole number of at least ``least``."""

    def read(given: str) -> int:
        try:
            number = int(given)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{given!r} is no whole number") from None
        if number < least:
            raise argparse.ArgumentTypeError(f"{number} given, at least {least} is needed")
        return number

    return read


def days(given: str) -> float:
    """Read a number of days that an option gives: 0 or more."""
    number = _number(given)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{given} given, at least 0 is needed")
    return number


def _seconds(given: str) -> float:
    number = _number(given)
    if not 0 < number <= _LONGEST_WAIT:
        wanted = f"write seconds, more than 0 and at most {_LONGEST_WAIT:,}"
        raise argparse.ArgumentTypeError(f"{given} given: {wanted}")
    return number


def _number(given: str) -> float:
    """Read a number. The words ``inf`` and ``nan``, which ``float`` reads too, are refused."""
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"{given!r} is no number")
    return number
