"""Fields of dataclasses that are left out of a pickle and loaded when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_LOAD = "load "


class _LazyField:
    """Loads a field when it is first read.

    Python asks a descriptor without ``__set__`` only if the object does not have the field.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        load = instance is not None and instance.__dict__.get(f"{_LOAD}{self._name}")
        if not load:  # for the class itself, this tells dataclass that there is no default
            raise AttributeError(self._name)
        value = instance.__dict__[self._name] = load()
        return value


def lazy_field() -> Any:
    """Declare a field of a dataclass for which ``set_loader`` may be called."""
    return _LazyField()


def set_loader(instance: object, name: str, load: Callable[[], object]) -> None:
    """Let the field ``name`` be computed by ``load`` when it is first read, unless it is set."""
    instance.__dict__[f"{_LOAD}{name}"] = load


def loader_of(instance: object, name: str) -> object:
    """Return the function that ``set_loader`` got for a field, or None."""
    return instance.__dict__.get(f"{_LOAD}{name}")


def state_without_loading(instance: object) -> dict[str, Any]:
    """Return the state to pickle: the fields that are set, without their loaders."""
    return {k: v for k, v in instance.__dict__.items() if not k.startswith(_LOAD)}
