"""Makes builds without our caches fast enough to run many times in one process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from perfnotes.build.convert import JudgedHtml, convert_and_judge
from perfnotes.build.markdown import MarkdownEngine
from perfnotes.build.page_settings import PageSettings
from perfnotes.build.templates import environment
from perfnotes.cli import main as cli
from perfnotes.storage.store import Store

_TRANSLATED: dict[tuple[str, str], bytes] = {}
_ENGINES: dict[str, MarkdownEngine] = {}


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


def _engine(extensions: list[str], settings: dict[str, Any]) -> MarkdownEngine:
    """Return one engine for equal settings."""
    key = repr((extensions, settings))
    if key not in _ENGINES:
        _ENGINES[key] = MarkdownEngine(extensions, settings)
    return _ENGINES[key]


@lru_cache(maxsize=2000)
def _judged(engine: MarkdownEngine, text: str, twin: bytes, *, mend: bool) -> JudgedHtml:
    """Convert the text of a page, most of which are as in the build before, once."""
    return convert_and_judge(engine, text, twin, mend=mend)


@contextmanager
def _as_an_oracle() -> Iterator[None]:
    """Inside this context a build compiles or converts what is new to this process, and only it.

    What is known is found by the whole text, and nothing of our caches is asked. One process does
    all, because others would forget what they have converted.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("perfnotes.build.build.environment", _environment)
        patch.setattr("perfnotes.build.build.cores", lambda: 1)
        patch.setattr("perfnotes.build.publish.MarkdownEngine", _engine)
        patch.setattr("perfnotes.build.publish.convert_and_judge", _judged)
        yield


def build_without_cache(site: Path, *options: str) -> int:
    """Build the project of the working folder from its files alone; return the exit status."""
    with _as_an_oracle():
        return cli.main(["build", "--no-cache", "--site", str(site), *options])
