"""A Fact: a constant of some hardware or program with its source, or a formula over other facts.

Facts belong to an Entity (``v100-sxm2``) and are called ``v100-sxm2/memory-bandwidth``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from perfnotes.model.bilingual import Bilingual
from perfnotes.model.quantity.expression import Expression, ExpressionError, UnknownNameError
from perfnotes.model.quantity.units import UnitError, unit
from perfnotes.model.quantity.vector import QuantityError, Vector, number
from perfnotes.text.source import Source
from perfnotes.text.tokens import Citation

_LONGEST_CIRCLE = 8
NO_WORDS = Bilingual("")


@dataclass(frozen=True)
class Fact:
    """``value`` in ``unit`` as its source gives it, or ``formula``, whose result is computed.

    ``inputs`` leads from the formula's names to the ids of the facts that they stand for.
    """

    entity: str
    name: str
    unit: str
    value: float | None = None
    formula: Expression | None = None
    inputs: Mapping[str, str] = field(default_factory=dict)
    source: str = ""  # as it is written: "[@key, p. 4]"
    citations: tuple[Citation, ...] = ()
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
        """The references that its source names."""
        return tuple(dict.fromkeys(i.key for c in self.citations for i in c.items))


@dataclass(frozen=True)
class Entity:
    """What facts are about: a GPU, a memory standard, a program."""

    id: str
    name: Bilingual
    kind: str
    year: int
    facts: Mapping[str, Fact]
    place: int = 0


@dataclass(frozen=True)
class FactFile:
    """One file of ``notes/facts/``, its entities in the order of the file."""

    id: str
    title: Bilingual
    description: Bilingual
    entities: Mapping[str, Entity]
    source: Source


class FactError(ValueError):
    """A formula that cannot be computed; the text says why."""


@dataclass
class Facts:
    """All facts by id, and what each comes to."""

    files: dict[str, FactFile] = field(default_factory=dict)
    by_id: dict[str, Fact] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    _values: dict[str, Vector] = field(default_factory=dict)
    _failed: dict[str, str] = field(default_factory=dict)  # why, by id

    def __getstate__(self) -> dict[str, object]:
        """What was computed is left out: its units belong to this process."""
        return self.__dict__ | {"_values": {}, "_failed": {}}

    def value(self, id: str) -> Vector:
        """What a fact is, in its own unit; ``FactError`` where its formula fails."""
        path = {id: None}  # each needs the next; a loop, since chains of formulas may be long
        while path and id not in self._failed:
            fact = self.by_id[next(reversed(path))]
            lacking = [i for i in fact.inputs.values() if i in self.by_id and i not in self._values]
            try:
                if lacking:
                    self._descend(path, lacking[0])
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
        """Go on to a fact that the last one of ``path`` needs."""
        if needed in self._failed:
            raise FactError(self._failed[needed])
        if needed in path:
            ids = list(path)
            circle = [*ids[ids.index(needed) :], needed]
            shown = [*circle[:6], "…", needed] if len(circle) > _LONGEST_CIRCLE else circle
            raise FactError(f"a formula that needs itself: {' → '.join(shown)}")
        path[needed] = None

    def _compute(self, fact: Fact) -> Vector:
        """A fact whose inputs are known."""
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
            raise UnknownNameError(f"no fact answers to {name!r}")
        return self._values[id]
