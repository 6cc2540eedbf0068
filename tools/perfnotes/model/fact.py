"""A Fact: a constant of some hardware or program with its source, or a formula over other facts.

A fact belongs to an Entity such as ``v100-sxm2``, and its id is ``v100-sxm2/memory-bandwidth``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from perfnotes.model.bilingual import NO_WORDS, Bilingual
from perfnotes.model.quantity.expression import Expression, ExpressionError, UnknownNameError
from perfnotes.model.quantity.units import UnitError, unit
from perfnotes.model.quantity.vector import QuantityError, Vector, number
from perfnotes.text.source import Source
from perfnotes.text.tokens import Citation

_LONGEST_CIRCLE = 8


class Fact(Struct, frozen=True):
    """A fact has either a ``value``, in ``unit`` as its source gives it, or a ``formula``.

    ``title`` is what pages call the fact; it is empty if the file gives none. ``what`` explains
    the number in a few words, and ``qualifier`` says what it holds for, such as "each direction".
    ``inputs`` maps the names in the formula to the ids of the facts that they stand for. ``file``
    is the id of the fact's file. ``place`` and ``source_place`` are offsets in it: of the fact, and
    of its source.
    """

    entity: str
    name: str
    unit: str
    value: float | None = None
    formula: Expression | None = None
    inputs: Mapping[str, str] = {}
    source: str = ""  # as the file has it: "[@key, p. 4]"
    citations: tuple[Citation, ...] = ()
    title: Bilingual = NO_WORDS
    what: Bilingual = NO_WORDS
    qualifier: Bilingual = NO_WORDS
    file: str = ""
    place: int = 0
    source_place: int = 0

    @property
    def id(self) -> str:
        return f"{self.entity}/{self.name}"

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the references that the fact's source cites, each once."""
        return tuple(dict.fromkeys(i.key for c in self.citations for i in c.items))


class Entity(Struct, frozen=True):
    """The subject of facts: a GPU, a memory standard, a program."""

    id: str
    name: Bilingual
    kind: str
    year: int
    facts: Mapping[str, Fact]
    place: int = 0


class Column(Struct, frozen=True):
    """A column of a table that compares entities.

    For each entity the column shows the first of ``facts`` that the entity has, in the first of
    ``units`` into which the value converts exactly.
    """

    facts: tuple[str, ...]
    title: Bilingual = NO_WORDS
    units: tuple[str, ...] = ()


class FactFile(Struct, frozen=True):
    """One file of ``notes/facts/``, with its entities in the order of the file.

    ``columns`` has the columns of a table for each kind of entity that the file gives columns for.
    """

    id: str
    title: Bilingual
    description: Bilingual
    entities: Mapping[str, Entity]
    source: Source
    columns: Mapping[str, tuple[Column, ...]] = {}


class FactError(ValueError):
    """A formula cannot be computed; the message says why."""


@dataclass
class Facts:
    """All facts by id, and their computed values."""

    files: dict[str, FactFile] = field(default_factory=dict)
    by_id: dict[str, Fact] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    _values: dict[str, Vector] = field(default_factory=dict)
    _failed: dict[str, str] = field(default_factory=dict)  # messages of errors, by id

    def __getstate__(self) -> dict[str, object]:
        """Pickle without the computed values: their units keep a hash of this process only."""
        return self.__dict__ | {"_values": {}, "_failed": {}}

    def definitions(self) -> str:
        """Return all that gives the facts their values: units, numbers, formulas and inputs."""
        return "\n".join(
            f"{id} {fact.unit} {fact.value!r} {fact.formula and fact.formula.text} {fact.inputs}"
            for id, fact in self.by_id.items()
        )

    def value(self, id: str) -> Vector:
        """Return the value of a fact in its own unit.

        Raises ``FactError`` if its formula, or one that it depends on, cannot be computed.
        """
        # Each fact in ``path`` needs the next one. A loop instead of recursion, because chains of
        # formulas may be longer than Python's recursion limit.
        path = {id: None}
        while path and id not in self._failed:
            fact = self.by_id[next(reversed(path))]
            missing = [i for i in fact.inputs.values() if i in self.by_id and i not in self._values]
            try:
                if missing:
                    self._descend(path, missing[0])
                    continue
                if fact.id not in self._values:
                    self._values[fact.id] = self._compute(fact)
                path.popitem()
            except FactError as error:
                self._failed |= dict.fromkeys(path, str(error))
        if id in self._failed:
            raise FactError(self._failed[id])
        return self._values[id]

    def _descend(self, path: dict[str, None], needed: str) -> None:
        """Add to ``path`` the fact ``needed``, which the last fact of the path needs.

        Raises ``FactError`` if ``needed`` has failed already or is on the path already: a circle.
        """
        if needed in self._failed:
            raise FactError(self._failed[needed])
        if needed in path:
            ids = list(path)
            circle = [*ids[ids.index(needed) :], needed]
            shown = [*circle[:6], "…", needed] if len(circle) > _LONGEST_CIRCLE else circle
            raise FactError(f"a formula that needs itself: {' → '.join(shown)}")
        path[needed] = None

    def _compute(self, fact: Fact) -> Vector:
        """Compute a fact whose inputs are computed already."""
        try:
            if fact.formula is None:
                assert fact.value is not None
                return number(fact.value, fact.unit)
            return fact.formula.evaluate(lambda name: self._input(fact, name)).to(unit(fact.unit))
        except (ExpressionError, QuantityError, UnitError) as error:
            raise FactError(str(error)) from error

    def _input(self, fact: Fact, name: str) -> Vector:
        id = fact.inputs.get(name)
        if id is None or id not in self.by_id:
            raise UnknownNameError(f"no fact is called {name!r}")
        return self._values[id]
