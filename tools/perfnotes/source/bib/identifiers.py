"""Checks DOIs, arXiv ids and web addresses, and makes links of them."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from msgspec import Struct

from perfnotes.text.cut import cut

_DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/\S+")
_DOI_PREFIX = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:)\s*", re.IGNORECASE)
_ARXIV = re.compile(r"[0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?|[a-z-]+(?:\.[A-Z]{2})?/[0-9]{7}(?:v[0-9]+)?")
_ARXIV_PREFIX = re.compile(
    r"(?:https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/|arxiv:)\s*", re.IGNORECASE
)
_ARXIV_MENTION = re.compile(
    r"(?:arxiv\.org/(?:abs|pdf)/|arxiv[:.]\s*|corr,?\s+abs/)"
    r"([0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?|[a-z-]+(?:\.[A-Z]{2})?/[0-9]{7}(?:v[0-9]+)?)",
    re.IGNORECASE,
)
_URL_CHARACTERS = re.compile(r"[^\s<>\"\\^`{|}\x00-\x20\x7f]+")


class Identifier(Struct, frozen=True):
    """A value without prefix, or "" if it is malformed, and what is wrong with it."""

    value: str
    problem: str = ""
    hint: str = ""


def doi(text: str) -> Identifier:
    """Check a DOI such as ``10.1145/1356052.1356053``."""
    bare = _DOI_PREFIX.sub("", text, count=1) if _DOI_PREFIX.match(text) else text
    if not _DOI.fullmatch(bare):
        return Identifier("", f"not a DOI: {_shown(text)}", "a DOI looks like 10.1145/1356052")
    if bare != text:
        return Identifier(bare, "the DOI carries a prefix", f"write {bare}")
    return Identifier(bare)


def arxiv(text: str) -> Identifier:
    """Check an arXiv id such as ``2205.14135`` or ``cs/0312018``."""
    bare = text
    if _ARXIV_PREFIX.match(text):
        bare = _ARXIV_PREFIX.sub("", text, count=1).removesuffix(".pdf")
    if not _ARXIV.fullmatch(bare):
        return Identifier(
            "", f"not an arXiv id: {_shown(text)}", "an arXiv id looks like 2205.14135"
        )
    if bare != text:
        return Identifier(bare, "the arXiv id carries a prefix", f"write {bare}")
    return Identifier(bare)


def arxiv_mention(text: str) -> str:
    """Return the arXiv id inside an address or a journal's name, or an empty string."""
    found = _ARXIV_MENTION.search(text)
    return found[1] if found else ""


def web_url(text: str) -> Identifier:
    """Check a web address: http or https, with a host and without a user name."""
    hint = "an address starts with https:// or http://"
    bad = Identifier("", f"not a web address: {_shown(text)}", hint)
    try:
        parts = urlsplit(text)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        return bad
    if parts.scheme not in ("http", "https") or not host:
        return bad
    if parts.username is not None:
        return Identifier("", "the address carries a user name", "leave it out")
    if not _URL_CHARACTERS.fullmatch(text):
        problem = f"the address has a character that is not allowed in addresses: {_shown(text)}"
        return Identifier("", problem, "percent-encode it")
    return Identifier(text)


def doi_link(value: str) -> str:
    """Return the web address of a DOI."""
    return "https://doi.org/" + quote(value, safe="/:;()._-,+=@!$*~")


def arxiv_link(value: str) -> str:
    """Return the web address of an arXiv abstract."""
    return "https://arxiv.org/abs/" + quote(value, safe="/.-")


def _shown(text: str) -> str:
    return repr(cut(text, 60))
