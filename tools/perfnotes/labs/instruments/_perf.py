"""Counting events with ``perf stat``, and reading its output."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from perfnotes.labs.box import Box, CannotRunError, Finished, LabError
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import (
    ANY_STATUS,
    command_of,
    execute,
    own_folder,
    quoted,
    read_untrusted,
)
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

NEEDS = Needs(tools=("perf",), debian=("linux-perf",))
_UNITS = {"": (1.0, ""), "msec": (1e-3, "s"), "ns": (1e-9, "s"), "Joules": (1.0, "J")}
_UNKNOWN = ("event syntax error", "unknown event", "Bad event", "Cannot find PMU")
_FORBIDDEN = ("permission", "Permission", "not permitted", "perf_event_paranoid", "Access to perf")
_MODIFIER = re.compile(r":[a-zA-Z]+$|/[a-zA-Z]*$")


class Counted(Struct, frozen=True):
    """One line of perf's output.

    If the event was not counted, ``value`` is None and ``why`` is perf's reason.
    """

    event: str
    value: float | None
    unit: str
    share: float  # per cent of the run's time in which the counter was active
    why: str = ""


def read(text: str) -> list[Counted]:
    """The counts that ``perf stat -x'|'`` wrote, without comments and lines of metrics.

    ``LabError`` if a count is no number.
    """
    found = []
    for line in text.splitlines():
        fields = line.split("|")
        if line.startswith("#") or len(fields) < 5 or not fields[2]:
            continue
        value, unit, event, share = fields[0].strip(), fields[1], fields[2], fields[4]
        if value.startswith("<"):
            found.append(Counted(event, None, unit, 0.0, value.strip("<>")))
            continue
        try:
            # Some locales write a decimal comma.
            number = float(value.replace(",", "."))
            running = float(share.replace(",", ".") or 100)
        except ValueError as error:
            raise LabError(f"perf wrote {quoted(line)}, not a count") from error
        found.append(Counted(event, number, unit, running))
    return found


def quantity_name(event: str) -> str:
    """The name of an event's quantity: ``L1_dcache_loads`` for ``L1-dcache-loads``."""
    return re.sub(r"\W+", "_", event).strip("_")


def stat(
    run: Run, box: Box, events: Sequence[str], take: Callable[[list[Counted]], dict[str, Samples]]
) -> Measurement:
    """Count events of the run's command; ``take`` makes quantities of the counts.

    ``CannotRunError`` if perf, the kernel or the machine cannot count the events; ``LabError`` if
    the command fails.
    """
    with own_folder(box) as own:

        def counted(
            events: Sequence[str], arguments: Sequence[str], accept: Sequence[int]
        ) -> tuple[list[Counted], Finished]:
            out = own / "counts"
            out.unlink(missing_ok=True)
            start = ["perf", "stat", "-x|", "-o", str(out), "-e", ",".join(events), "--"]
            done = execute(run, box, [*start, *arguments], accept=accept)
            return read(read_untrusted(box, out) or ""), done

        # A trial with a program that does nothing shows which events perf cannot count here.
        found, done = counted(events, ["true"], ANY_STATUS)
        if not found:
            alone = {e: bool(counted([e], ["true"], ANY_STATUS)[0]) for e in events}
            raise error_without_counts(done.stderr, [e for e in events if not alone[e]] or events)
        for each in found:
            if each.why == "not supported":
                raise missing_event(each.event)
        found, done = counted(events, command_of(run, box), (0,))
        return Measurement(take(found), done.stdout)


def missing_event(event: str, how: str = "does not count") -> CannotRunError:
    """The error for an event that this machine cannot count."""
    plain = _MODIFIER.sub("", event)
    return CannotRunError(f"needs the hardware event {plain}, which this machine {how}")


def error_without_counts(printed: str, events: Sequence[str]) -> CannotRunError:
    """The error if ``perf stat`` printed no counts, from what it printed instead."""
    if any(text in printed for text in _UNKNOWN):
        return missing_event(events[0], "or its perf does not know")
    if any(text in printed for text in _FORBIDDEN):
        return CannotRunError(
            "needs the kernel's perf events, which are forbidden here"
            " (kernel.perf_event_paranoid, or the container's rules)"
        )
    return CannotRunError(f"needs a perf that works; this one printed {quoted(printed)}")


def samples(counted: Counted) -> Samples:
    """A count as one sample; times become seconds. ``LabError`` if the unit is unknown."""
    assert counted.value is not None
    if counted.unit not in _UNITS:
        raise LabError(f"perf gave {counted.event} in {counted.unit!r}, an unknown unit")
    by, unit = _UNITS[counted.unit]
    value = counted.value * by
    return Samples((int(value) if not unit and value.is_integer() else value,), unit)
