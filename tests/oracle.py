"""Makes builds without our caches fast enough to run many times in one process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from perfnotes.build.page_settings import PageSettings
from perfnotes.build.templates import environment
from perfnotes.storage.store import Store

_TRANSLATED: dict[tuple[str, str], bytes] = {}


class _InMemory(BytecodeCache):
    """Keeps Jinja's compiled templates, which take half of the time of a small site."""

    def load_bytecode(self, bucket: Bucket) -> None:
        found = _TRANSLATED.get((bucket.key, bucket.checksum))
        if found:
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        _TRANSLATED[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


def _environment(settings: PageSettings, _: object) -> Any:
    env = environment(settings, Store(None))
    env.bytecode_cache = _InMemory()
    return env


@contextmanager
def templates_translated_once() -> Iterator[None]:
    """Inside this context a build compiles a template only if its text is new to the process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("perfnotes.build.build.environment", _environment)
        yield
