"""How the values of a section become bytes: JSON, bytes as they are, or Python objects by pickle.

The bytes are sealed (``storage.seal``), so only what this user's own runs have written is decoded.
No other module pickles what stays on disk. Besides the seal there is a second guard: only the
listed names and classes of perfnotes are loaded, so a pickle can call no other function.
"""

from __future__ import annotations

import io
import json
import pickle
from abc import ABC, abstractmethod
from typing import Any

_MIB = 1024 * 1024
_LISTED = {
    ("array", "array"), ("array", "_array_reconstructor"), ("builtins", "list"),
    ("builtins", "dict"), ("builtins", "set"), ("builtins", "frozenset"), ("builtins", "tuple"),
    ("builtins", "str"), ("collections", "Counter"), ("collections", "defaultdict"),
    ("pathlib", "PosixPath"),
}  # fmt: skip


class Codec(ABC):
    """Encodes the values of a section, which may hold ``largest`` bytes in all."""

    def __init__(self, largest: int) -> None:
        self.largest = largest

    @abstractmethod
    def encode(self, value: Any) -> bytes:
        """Return the value as bytes. Raises any exception if the codec cannot encode the value."""

    @abstractmethod
    def decode(self, data: bytes) -> Any:
        """Return the value that was encoded. Raises any exception for bytes of another version."""


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
    """Loads objects of listed classes. A function or another class raises UnpicklingError."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _LISTED:
            return super().find_class(module, name)
        if module.partition(".")[0] == "perfnotes":
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no class of a stored value")


JSON = _Json(16 * _MIB)
BYTES = _Bytes(16 * _MIB)
PICKLE = _Pickle(96 * _MIB)
# The record of a whole build, which is three times as large as the notes.
RECORD = _Pickle(384 * _MIB)
