"""``perf``: events that the processor counts, such as cycles and cache misses.

Quantities: one for each event in ``events``, with its name; characters that a name cannot hold
become ``_`` (``L1-dcache-loads`` is ``L1_dcache_loads``). They are counts, or J for energy. Events
are counted in user mode unless they have a modifier (``cycles:k``), since not every user may count
the kernel's events. If the machine has no such counter, or not enough counters for all events at
once, the run is reported as not run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from perfnotes.labs.box import Box, CannotRunError, LabError
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import quoted
from perfnotes.labs.instruments._perf import (
    NEEDS,
    Counted,
    missing_event,
    quantity_name,
    samples,
    stat,
)
from perfnotes.labs.instruments._schema import COMMAND, options
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

_EVENT = {
    "type": "string",
    "maxLength": 200,
    "pattern": r"^[A-Za-z0-9_][A-Za-z0-9_.:-]*(/[A-Za-z0-9_.=,:-]*/[A-Za-z]*)?$",
}
OPTIONS = options(
    "command",
    "events",
    command=COMMAND,
    events={
        "type": "array",
        "items": _EVENT,
        "minItems": 1,
        "maxItems": 20,
        "uniqueItems": True,
    },
)


def needs(_run: Run) -> Needs:
    """Perf; ``measure`` finds out whether it can count the events."""
    return NEEDS


def measure(run: Run, box: Box) -> Measurement:
    """Count the events of one run of the command."""
    events: list[str] = run.options["events"]
    return stat(
        run, box, [_in_user_mode(e) for e in events], lambda found: quantities(events, found)
    )


def quantities(events: Sequence[str], found: Sequence[Counted]) -> dict[str, Samples]:
    """The quantities of the events, by name.

    ``CannotRunError`` if an event was not counted all the time; ``LabError`` if perf's output
    lacks it.
    """
    taken: dict[str, Samples] = {}
    for event in events:
        lines = [each for each in found if _is_same_event(each.event, event)]
        if not lines:
            names = ", ".join(each.event for each in found)
            raise LabError(f"perf wrote no count of {event}; it wrote {quoted(names)}")
        counted = [each for each in lines if each.value is not None]
        if not counted:
            how = "did not count" if lines[0].why == "not counted" else "does not count"
            raise missing_event(event, how)
        # If a counter was active only a part of the time, perf prints an estimate, not a count.
        if len(counted) > 1 or counted[0].share < 99.5:
            share = min(each.share for each in counted)
            raise CannotRunError(
                f"needs counters for all events at once: {event} was counted {share:.0f} %"
                " of the time, or on cores of more than one kind"
            )
        if quantity_name(event) in taken:
            raise LabError(f"two events are called {quantity_name(event)}")
        taken[quantity_name(event)] = samples(counted[0])
    return taken


def _in_user_mode(event: str) -> str:
    """The event with the modifier for user mode, unless it has a modifier already."""
    if event.endswith("/"):
        return f"{event}u"
    return event if "/" in event or re.search(r":[a-zA-Z]+$", event) else f"{event}:u"


def _is_same_event(printed: str, event: str) -> bool:
    """Whether perf printed a count under this name for the event of ``lab.yml``."""
    asked = _in_user_mode(event)
    # On a processor with two kinds of cores perf writes a line for each kind: cpu_core/cycles/u.
    plain, _, modifier = asked.rpartition(":")
    return printed in (asked, event) or bool(
        plain and re.fullmatch(rf"\w+/{re.escape(plain)}/{re.escape(modifier)}", printed)
    )
