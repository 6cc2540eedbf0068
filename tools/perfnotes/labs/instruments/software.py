"""``software``: events that the kernel counts, through perf; these work in virtual machines too.

Quantities: one for each event in ``events``, with ``_`` for ``-``: ``page_faults minor_faults
major_faults context_switches cpu_migrations alignment_faults emulation_faults cgroup_switches``
(counts), ``task_clock cpu_clock`` (s, to 10 µs). Events are counted from the program's exec to its
end, those of its children included.
"""

from __future__ import annotations

from collections.abc import Sequence

from perfnotes.labs.box import Box, CannotRunError, LabError
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import quoted
from perfnotes.labs.instruments._perf import NEEDS, Counted, quantity_name, samples, stat
from perfnotes.labs.instruments._schema import COMMAND, options
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

EVENTS = (
    "alignment-faults cgroup-switches context-switches cpu-clock cpu-migrations emulation-faults "
    "major-faults minor-faults page-faults task-clock"
).split()
OPTIONS = options(
    "command",
    "events",
    command=COMMAND,
    events={"type": "array", "items": {"enum": EVENTS}, "minItems": 1, "uniqueItems": True},
)


def needs(_run: Run) -> Needs:
    """Perf."""
    return NEEDS


def measure(run: Run, box: Box) -> Measurement:
    """Count the events of one run of the command."""
    events: list[str] = run.options["events"]
    return stat(run, box, events, lambda found: quantities(events, found))


def quantities(events: Sequence[str], found: Sequence[Counted]) -> dict[str, Samples]:
    """The quantities of the events, by name.

    ``CannotRunError`` if an event cannot be counted here; ``LabError`` if perf's output lacks it.
    """
    by_event = {each.event: each for each in found}
    taken = {}
    for event in events:
        if f"{event}:u" in by_event:
            # Without the right to count in the kernel, perf adds `:u`; switches are then always 0.
            raise CannotRunError(
                "needs kernel.perf_event_paranoid of 1 or less:"
                " perf may not count what happens in the kernel"
            )
        if event not in by_event:
            raise LabError(
                f"perf wrote no count of {event}; it wrote {quoted(', '.join(by_event))}"
            )
        if by_event[event].value is None:
            raise CannotRunError(f"needs the event {event}, which this system does not count")
        taken[quantity_name(event)] = samples(by_event[event])
    return taken
