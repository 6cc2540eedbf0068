"""The theme's templates, translated to Python once and stored for the next build."""

from __future__ import annotations

from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from perfnotes.storage.codec import BYTES
from perfnotes.storage.digests import tool
from perfnotes.storage.store import Store


def environment(config: Any, store: Store) -> Any:
    """Jinja's environment of the theme, as MkDocs makes it."""
    env = config.theme.get_env()
    env.bytecode_cache = _Translated(store)
    return env


class _Translated(BytecodeCache):
    """A template's code by its name and text, which only this user's own runs have written."""

    def __init__(self, store: Store) -> None:
        self._section = store.section("templates", BYTES)

    def load_bytecode(self, bucket: Bucket) -> None:
        found = self._section.get(self._key(bucket))
        if found:
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._section.put(self._key(bucket), bucket.bytecode_to_string())

    @staticmethod
    def _key(bucket: Bucket) -> str:
        return f"{tool()} {bucket.key} {bucket.checksum}"
