"""The theme's templates, compiled once; their bytecode is stored for the next build."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from jinja2 import BytecodeCache, Environment, FileSystemLoader, pass_context
from jinja2.bccache import Bucket

from perfnotes.build.page_settings import PageSettings
from perfnotes.storage.codec import BYTES
from perfnotes.storage.digests import program_digest
from perfnotes.storage.store import Store


def environment(settings: PageSettings, store: Store) -> Environment:
    """Return the theme's Jinja environment, as MkDocs makes it, with bytecode from ``store``."""
    loader = FileSystemLoader(settings.theme.folders)
    env = Environment(loader=loader, auto_reload=False, bytecode_cache=_StoredBytecode(store))
    env.filters["url"] = _url
    return env


@pass_context
def _url(context: Mapping[str, Any], address: str) -> str:
    """Return ``address`` as the page that is made links to it, like MkDocs' filter of this name."""
    address = address or "."
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or address.startswith(("/", "#")):
        return address
    if not context["page"]:
        return posixpath.join(context["base_url"], address)
    return relative_to_page(address, context["page"].url)


def relative_to_page(address: str, page: str) -> str:
    """Return the link from the page at the address ``page`` to ``address``, as MkDocs writes it.

    Both addresses begin at the root of the site, so ``..`` leads no further up than there.
    """
    found = posixpath.relpath(f"/{address}", f"/{page}")
    return f"{found}/" if address.endswith("/") else found


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
        return f"{program_digest()} {bucket.key} {bucket.checksum}"
