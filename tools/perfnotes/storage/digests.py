"""Hashes of texts, of files' contents and of this program; results are stored under them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path


def digest(*parts: str | bytes) -> str:
    """Return a hash of the parts as 32 hex digits.

    The length of each part is hashed too, so ("ab", "c") and ("a", "bc") differ.
    """
    result = blake2b(digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        result.update(len(data).to_bytes(8, "little"))
        result.update(data)
    return result.hexdigest()


def content_digest(data: bytes) -> str:
    """Return a hash of one file's bytes as 32 hex digits."""
    return blake2b(data, digest_size=16).hexdigest()


@cache
def program_digest() -> str:
    """Return a hash of this program: its own files, Python, and the installed packages."""
    here = str(Path(__file__).parents[1])
    start = len(here) + 1
    parts: list[str | bytes] = [sys.version, sys.platform]
    for base, folders, names in os.walk(here):
        folders[:] = sorted(f for f in folders if f != "__pycache__")
        for name in sorted(names):
            if name.endswith((".py", ".json", ".yml")):
                file = f"{base}/{name}"
                # Every command does this; pathlib takes as long again as the system's calls.
                with open(file, "rb", buffering=0) as opened:  # noqa: PTH123
                    parts += [file[start:], opened.readall()]
    return digest(*parts, *_packages())


def _packages() -> Iterator[str]:
    for place in sys.path:
        if place.endswith("-packages"):
            with suppress(OSError):
                yield from sorted(n for n in os.listdir(place) if n.endswith("-info"))  # noqa: PTH208
