"""``pairs``: the time of whole processes, run in turn.

Each round runs every command once, and every second round in reverse order, so that a slow drift
of the machine affects all commands alike. There are ``pairs`` rounds (15 unless given), after a
first one that is not counted. Quantities per command, one sample for each round: ``<name>`` (CPU
time of the process and its children, s) and ``<name>_wall`` (wall time, s).
"""

from __future__ import annotations

from collections.abc import Mapping

from perfnotes.labs.box import Box, LabError
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import execute
from perfnotes.labs.instruments._schema import COMMAND, by_name, options
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

OPTIONS = options(
    "commands",
    commands={**by_name(COMMAND), "minProperties": 1, "maxProperties": 20},
    pairs={"type": "integer", "minimum": 1, "maximum": 1000},
)
_ROUNDS = 15


def needs(_run: Run) -> Needs:
    """Nothing."""
    return Needs()


def measure(run: Run, box: Box) -> Measurement:
    """Run all rounds; the output is that of the first round, which is not counted."""
    commands: Mapping[str, str] = run.options["commands"]
    for name in commands:
        if f"{name}_wall" in commands:
            raise LabError(f"commands: {name}_wall is the wall time of {name}: use another name")
    arguments = {name: box.arguments(command) for name, command in commands.items()}
    output = "".join(execute(run, box, each).stdout for each in arguments.values())
    cpu: dict[str, list[float]] = {name: [] for name in arguments}
    wall: dict[str, list[float]] = {name: [] for name in arguments}
    for number in range(run.options.get("pairs", _ROUNDS)):
        for name in list(arguments)[:: -1 if number % 2 else 1]:
            done = execute(run, box, arguments[name])
            cpu[name].append(done.cpu)
            wall[name].append(done.seconds)
    quantities = {name: Samples(tuple(samples), "s") for name, samples in cpu.items()}
    quantities |= {f"{name}_wall": Samples(tuple(s), "s") for name, s in wall.items()}
    return Measurement(quantities, output)
