"""Reading cachegrind's output file."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from perfnotes.labs.box import LabError
from perfnotes.labs.instruments._names import Key, find


class Profile(Struct, frozen=True):
    """Counts per event, in the order of ``events``, by (file, function).

    A function with code inlined from other files has an entry for each file.
    """

    events: tuple[str, ...]
    functions: dict[Key, list[int]]
    total: tuple[int, ...]

    def sum_of(self, wanted: Sequence[str]) -> list[int]:
        """For each event, the sum of the counts of the wanted functions over all their files."""
        keys = dict.fromkeys(k for name in wanted for k in find(name, self.functions, "cachegrind"))
        return [sum(column) for column in zip(*(self.functions[k] for k in keys), strict=True)]


def read(text: str) -> Profile:
    """The profile in an output file; ``LabError`` if it cannot be read."""
    events: tuple[str, ...] = ()
    functions: dict[Key, list[int]] = {}
    total: tuple[int, ...] = ()
    file, current = "", None
    for number, line in enumerate(text.splitlines(), 1):
        key, _, rest = line.partition("=")
        if key in ("fl", "fi", "fe"):
            file = rest
        elif key == "fn":
            current = functions.setdefault((file, rest), [0] * len(events))
        elif line.startswith("events:"):
            events = tuple(line.split()[1:])
        elif line.startswith("summary:"):
            total = tuple(_numbers(line.split()[1:], len(events), number))
        elif line[:1].isdigit():
            if current is None:
                raise LabError(f"cachegrind's out file, line {number}: counts of no function")
            for i, each in enumerate(_numbers(line.split()[1:], len(events), number)):
                current[i] += each
    if not events or not total:
        raise LabError("cachegrind's out file holds no counts: did the program end by itself?")
    return Profile(events, functions, total)


def _numbers(words: Sequence[str], length: int, line: int) -> list[int]:
    try:
        found = [0 if word == "." else int(word.replace(",", "")) for word in words]
    except ValueError as error:
        raise LabError(f"cachegrind's out file, line {line}: {error}") from error
    if len(found) > length:
        raise LabError(f"cachegrind's out file, line {line}: more counts than events")
    return found + [0] * (length - len(found))
