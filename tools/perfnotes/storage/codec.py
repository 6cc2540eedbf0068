"""How the values of a section become bytes: JSON, bytes as they are, or Python objects by pickle.

The bytes are sealed (``storage.seal``), so only what this user's own runs have written is decoded.
Pickle is used in this module and nowhere else for what stays on disk. Besides the seal, it makes
objects of the listed classes alone, so a pickle can never call a function.
"""

from __future__ import annotations

import io
import json
import pickle
from abc import ABC, abstractmethod
from typing import Any

_MIB = 1024 * 1024
_OTHERS = {
    ("array", "array"), ("array", "_array_reconstructor"), ("builtins", "list"),
    ("builtins", "dict"), ("builtins", "set"), ("builtins", "frozenset"), ("builtins", "tuple"),
    ("builtins", "str"), ("collections", "Counter"), ("collections", "defaultdict"),
    ("pathlib", "PosixPath"),
}  # fmt: skip


class Codec(ABC):
    """Encodes the values of a section, of which ``largest`` bytes are kept."""

    def __init__(self, largest: int) -> None:
        self.largest = largest

    @abstractmethod
    def encode(self, value: Any) -> bytes:
        """Return the value as bytes. What it raises for a value depends on the codec."""

    @abstractmethod
    def decode(self, data: bytes) -> Any:
        """Return the value that was encoded. Bytes of another version can raise anything."""


class _Json(Codec):
    def encode(self, value: Any) -> bytes:
        return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode()

    def decode(self, data: bytes) -> Any:
        return json.loads(data)


class _Bytes(Codec):
    def encode(self, value: Any) -> bytes:
        return bytes(value)

    def decode(self, data: bytes) -> Any:
        return data


class _Pickle(Codec):
    def encode(self, value: Any) -> bytes:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)

    def decode(self, data: bytes) -> Any:
        return _ClassesOnly(io.BytesIO(data)).load()


class _ClassesOnly(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _OTHERS:
            return super().find_class(module, name)
        if module.partition(".")[0] == "perfnotes":
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no class of a stored value")


JSON = _Json(16 * _MIB)
BYTES = _Bytes(16 * _MIB)
PICKLE = _Pickle(96 * _MIB)
RECORD = _Pickle(384 * _MIB)  # what a whole build leaves: three times as large as its notes
