"""Small values that are kept by the ten thousand, so that bringing them back is quick."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T", bound=type[Any])


def packed(kind: T) -> T:
    """A dataclass with ``__slots__`` that is pickled as a call with its values.

    What Python does by itself looks up the fields of the class once more for each object, which
    takes more than twice as long.
    """
    values = attrgetter(*kind.__slots__)

    def reduce(self: object) -> tuple[type[Any], tuple[Any, ...]]:
        return kind, values(self)

    kind.__reduce__ = reduce  # type: ignore[assignment]
    return kind
