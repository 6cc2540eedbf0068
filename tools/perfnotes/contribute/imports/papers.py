"""Finds the reference that an address means, by DOI, arXiv id or web address."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from perfnotes.model.reference import Reference

_DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+){0,8}/[^\s?#&<>\"]+", re.IGNORECASE)
_ARXIV = re.compile(
    r"arxiv\.org/(?:abs|pdf|html)/((?:[0-9]{4}\.[0-9]{4,5})|(?:[a-z-]+(?:\.[A-Z]{2})?/[0-9]{7}))",
    re.IGNORECASE,
)
_BARE_ARXIV = re.compile(r"arxiv:\s*((?:[0-9]{4}\.[0-9]{4,5})|(?:[a-z-]+/[0-9]{7}))", re.IGNORECASE)
_VERSION = re.compile(r"v[0-9]+$")


class Papers:
    """The references by their identifiers."""

    def __init__(self, references: Iterable[Reference]) -> None:
        self._keys: dict[str, str] = {}
        for reference in references:
            names = [
                f"doi:{reference.doi.casefold()}" if reference.doi else "",
                f"arxiv:{_VERSION.sub('', reference.arxiv).casefold()}" if reference.arxiv else "",
                _normal(reference.url) if reference.url else "",
            ]
            for name in filter(None, names):
                self._keys.setdefault(name, reference.key)

    def key(self, address: str) -> tuple[str, str]:
        """The key of the reference that an address means, and the identifier that both have.

        Two empty strings if no reference has an identifier of this address.
        """
        text = unquote(address)
        arxiv = _ARXIV.search(text) or _BARE_ARXIV.match(text)
        if arxiv and (key := self._keys.get(f"arxiv:{arxiv[1].casefold()}")):
            return key, f"arXiv id {arxiv[1]}"
        doi = _DOI.search(text)
        if doi:
            value = doi[0].rstrip(".,;)").casefold().removesuffix(".pdf").removesuffix("/pdf")
            if key := self._keys.get(f"doi:{value}"):
                return key, f"DOI {value}"
        if key := self._keys.get(_normal(address)):
            return key, "address"
        return "", ""


def _normal(address: str) -> str:
    """An address without scheme, ``www.``, tracking parameters, fragment and last slash.

    Addresses that differ in these lead to the same page. Empty if this is no web address.
    """
    try:
        parts = urlsplit(address.strip())
        host = (parts.hostname or "").removeprefix("www.")
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    if not host or parts.scheme.lower() not in ("http", "https"):
        return ""
    query = "&".join(q for q in parts.query.split("&") if q and not q.startswith(("utm_", "ref=")))
    path = unquote(parts.path).rstrip("/").removesuffix("/index.html")
    return f"{host}{port}{path}" + (f"?{query}" if query else "")
