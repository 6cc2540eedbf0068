"""The theme's templates, translated to Python once and kept for the next build."""

from __future__ import annotations

from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from perfnotes.storage.cache import Objects, tool


def environment(config: Any, kept: Objects) -> Any:
    """Jinja's environment of the theme, as MkDocs makes it."""
    env = config.theme.get_env()
    env.bytecode_cache = _Translated(kept)
    return env


class _Translated(BytecodeCache):
    """A template's code by its name and text, which only this user's own runs have written."""

    def __init__(self, kept: Objects) -> None:
        self._kept = kept

    def load_bytecode(self, bucket: Bucket) -> None:
        found = self._kept.get(self._key(bucket))
        if found:
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept.put(self._key(bucket), bucket.bytecode_to_string())

    @staticmethod
    def _key(bucket: Bucket) -> str:
        return f"{tool()} {bucket.key} {bucket.checksum}"
