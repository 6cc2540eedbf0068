"""Fields of dataclasses that are left out of a pickle and loaded when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_LOAD = "load "


class _LoadedLater:
    """Loads a field that the object does not have yet; one that it has is found without this."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        load = instance is not None and instance.__dict__.get(f"{_LOAD}{self._name}")
        if not load:  # asked of the class, this says that the field has no default
            raise AttributeError(self._name)
        value = instance.__dict__[self._name] = load()
        return value


def loaded_later() -> Any:
    """Declare a field of a dataclass that ``load_later`` may be told of."""
    return _LoadedLater()


def load_later(instance: object, name: str, load: Callable[[], object]) -> None:
    """Call ``load`` for a field when it is first asked for, if the object does not have it."""
    instance.__dict__[f"{_LOAD}{name}"] = load


def loader_of(instance: object, name: str) -> object:
    """Return what ``load_later`` was told to call for a field, or None."""
    return instance.__dict__.get(f"{_LOAD}{name}")


def state_without_loading(instance: object) -> dict[str, Any]:
    """Return the state to pickle: all that the object has, without how to load the rest."""
    return {k: v for k, v in instance.__dict__.items() if not k.startswith(_LOAD)}
