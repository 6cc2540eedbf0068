"""Counting events with ``perf stat``, and reading what it wrote."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from perfnotes.labs.box import Box, CannotRunError, Finished, LabError
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import ANY_STATUS, execute, folder, quoted, words, written
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

NEEDS = Needs(tools=("perf",), debian=("linux-perf",))
_UNITS = {"": (1.0, ""), "msec": (1e-3, "s"), "ns": (1e-9, "s"), "Joules": (1.0, "J")}
_UNKNOWN = ("event syntax error", "unknown event", "Bad event", "Cannot find PMU")
_FORBIDDEN = ("permission", "Permission", "not permitted", "perf_event_paranoid", "Access to perf")
_MODIFIER = re.compile(r":[a-zA-Z]+$|/[a-zA-Z]*$")


@dataclass(frozen=True)
class Counted:
    """One line of perf's: ``value`` is None where the event was not counted, ``why`` says so."""

    event: str
    value: float | None
    unit: str
    share: float  # of the time in which the counter ran
    why: str = ""


def read(text: str) -> list[Counted]:
    """What ``perf stat -x'|'`` wrote, comments and lines that hold only a metric left out."""
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
            # In some locales a comma stands before the decimals.
            number = float(value.replace(",", "."))
            running = float(share.replace(",", ".") or 100)
        except ValueError as error:
            raise LabError(f"perf wrote {quoted(line)}, not a count") from error
        found.append(Counted(event, number, unit, running))
    return found


def name(event: str) -> str:
    """The quantity's name: ``L1-dcache-loads`` is ``L1_dcache_loads``."""
    return re.sub(r"\W+", "_", event).strip("_")


def stat(
    run: Run, box: Box, events: Sequence[str], take: Callable[[list[Counted]], dict[str, Samples]]
) -> Measurement:
    """Count events of the run's command; ``take`` makes quantities of what perf wrote."""
    with folder(box) as own:

        def counted(
            events: Sequence[str], arguments: Sequence[str], accept: Sequence[int]
        ) -> tuple[list[Counted], Finished]:
            out = own / "counts"
            out.unlink(missing_ok=True)
            start = ["perf", "stat", "-x|", "-o", str(out), "-e", ",".join(events), "--"]
            done = execute(run, box, [*start, *arguments], accept=accept)
            return read(written(box, out) or ""), done

        # First of a program that does nothing: this is how perf tells what it cannot do here.
        found, done = counted(events, ["true"], ANY_STATUS)
        if not found:
            alone = {e: bool(counted([e], ["true"], ANY_STATUS)[0]) for e in events}
            raise refusal(done.stderr, [e for e in events if not alone[e]] or events)
        for each in found:
            if each.why == "not supported":
                raise not_there(each.event)
        found, done = counted(events, words(run, box), (0,))
        return Measurement(take(found), done.stdout)


def not_there(event: str, how: str = "does not count") -> CannotRunError:
    """An event that this machine has no counter for."""
    plain = _MODIFIER.sub("", event)
    return CannotRunError(f"needs the hardware event {plain}, which this machine {how}")


def refusal(said: str, events: Sequence[str]) -> CannotRunError:
    """Why perf counted nothing at all, from what it printed."""
    if any(text in said for text in _UNKNOWN):
        return not_there(events[0], "or its perf does not know")
    if any(text in said for text in _FORBIDDEN):
        return CannotRunError(
            "needs the kernel's perf events, which are forbidden here"
            " (kernel.perf_event_paranoid, or the container's rules)"
        )
    return CannotRunError(f"needs a perf that works; this one printed {quoted(said)}")


def samples(counted: Counted) -> Samples:
    """One sample, in seconds where perf gives milliseconds."""
    assert counted.value is not None
    if counted.unit not in _UNITS:
        raise LabError(f"perf gave {counted.event} in {counted.unit!r}, which is not known here")
    by, unit = _UNITS[counted.unit]
    value = counted.value * by
    return Samples((int(value) if not unit and value.is_integer() else value,), unit)
