"""A Lab: an experiment in a note's folder, ``lab/lab.yml`` and the sources beside it.

``lab.yml`` lists what the lab needs, how it is built, its runs (each uses an instrument) and its
claims. A claim says what must hold for the measured quantities on every machine, and why. It also
names a control, another expression for which the same expectation must fail. A lab has the id of
its note.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from perfnotes.model.bilingual import Bilingual
from perfnotes.model.plot import Plot
from perfnotes.model.quantity.expectation import Expectation
from perfnotes.model.quantity.expression import Expression
from perfnotes.text.source import Source

COUNT, TIMING = "count", "timing"

PARAMETER = re.compile(r"(?<!\$)\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)\}")
"""A parameter in a command: ``{name}``. The ``${name}`` of a shell is none."""


class Needs(Struct, frozen=True):
    """What a lab or a run needs.

    ``debian`` names the packages that contain the tools. ``make`` names the targets of this
    project's Makefile that install them.
    """

    arch: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    debian: tuple[str, ...] = ()
    make: tuple[str, ...] = ()
    cpu: tuple[str, ...] = ()  # flags of /proc/cpuinfo
    python: tuple[str, ...] = ()  # modules
    libraries: tuple[str, ...] = ()  # as the dynamic linker calls them: libopenblas.so.0
    files: tuple[str, ...] = ()  # absolute paths, such as that of an installer's kernel
    cores: int = 1
    gpu: str = ""  # "nvidia" or "amd"
    core_files: bool = False  # a crash leaves a file "core" in the folder, if the limit is raised
    root: bool = False  # root's rights, or sudo without a password


class Limits(Struct, frozen=True):
    """Limits of each build step and each run: wall-clock seconds, and bytes of memory in use."""

    seconds: float = 120.0
    memory: int = 2 << 30


class Run(Struct, frozen=True):
    """One measurement: an instrument and its options, as ``lab.yml`` gives them."""

    id: str
    tool: str
    options: Mapping[str, Any]
    needs: Needs = Needs()
    limits: Limits = Limits()
    env: Mapping[str, str] = {}
    stdin: str = ""
    repeat: int = 1  # how many times the instrument measures; all samples are kept
    output: bool = False  # store what the run prints, so that notes can show it
    place: int = 0


class Value(Struct, frozen=True):
    """A number that notes may show: an expression over the runs' quantities, in a unit.

    ``kind`` is ``count`` or ``timing``.
    """

    id: str
    what: Bilingual
    expression: Expression
    unit: str
    kind: str
    place: int

    @property
    def runs(self) -> frozenset[str]:
        """The runs that the expression names."""
        return frozenset(n.partition(".")[0] for n in self.expression.names if "." in n)


class Claim(Value, frozen=True):
    """A value with an expectation, which must hold for ``expression`` and fail for ``control``.

    ``because`` is the reason for it. ``null`` says that the claim is that there is no effect.
    """

    expect: Expectation
    because: Bilingual
    control: Expression
    null: bool = False
    tolerance: float = 0.0  # share by which a re-run count may differ from the recorded one

    @property
    def all_runs(self) -> frozenset[str]:
        """The runs that the claim, its expectation or its control names."""
        names = (*self.expression.names, *self.control.names, *self.expect.names)
        return frozenset(n.partition(".")[0] for n in names if "." in n)


class Lab(Struct, frozen=True, dict=True):
    """A lab. ``folder`` is relative to the notes folder; ``files`` are its sources by name."""

    id: str
    folder: str
    source: Source
    title: Bilingual
    question: Bilingual
    duration: float  # approximate, in seconds
    needs: Needs
    parameters: Mapping[str, float]
    build: tuple[str, ...]
    runs: Mapping[str, Run]
    claims: Mapping[str, Claim]
    values: Mapping[str, Value]
    reference: str = ""  # the machine whose result the text shows
    limits: Limits = Limits()
    files: Mapping[str, bytes] = {}
    recipe: str = ""  # needs, parameters, limits, build and runs of lab.yml, as sorted JSON
    plots: Mapping[str, Plot] = {}
    permissions: tuple[str, ...] = ()  # exceptions from the sandbox that it asks for

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything the samples depend on: the sources and the recipe.

        Claims are not included, because they are judged anew whenever a result is read.
        """
        parts = {name: hashlib.sha256(data).hexdigest() for name, data in self.files.items()}
        text = json.dumps([self.recipe, parts], sort_keys=True)
        return "sha256:" + hashlib.sha256(text.encode()).hexdigest()

    @property
    def shown(self) -> Mapping[str, Value]:
        """All values and claims by id: everything that a note may bind a number to."""
        return {**self.values, **self.claims}

    @property
    def command(self) -> str:
        """The command that repeats the lab."""
        return f"perfnotes reproduce {self.id}"

    def filled_in(self, command: str) -> str:
        """Return a command with the value of each parameter; an unknown ``{name}`` stays."""

        def value(found: re.Match[str]) -> str:
            known = self.parameters.get(found["name"])
            return found[0] if known is None else parameter_text(known)

        return PARAMETER.sub(value, command)


def parameter_text(value: float) -> str:
    """Return a parameter's value as commands get it: a whole number without a decimal point."""
    return str(int(value)) if value.is_integer() else repr(value)
