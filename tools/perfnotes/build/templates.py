"""The theme's templates, compiled once; their bytecode is stored for the next build."""

from __future__ import annotations

from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from perfnotes.storage.codec import BYTES
from perfnotes.storage.digests import tool
from perfnotes.storage.store import Store


def environment(config: Any, store: Store) -> Any:
    """Return the theme's Jinja environment, as MkDocs makes it, with bytecode from ``store``."""
    env = config.theme.get_env()
    env.bytecode_cache = _StoredBytecode(store)
    return env


class _StoredBytecode(BytecodeCache):
    """Bytecode by a template's name and text. The store's seal proves that this user wrote it."""

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
