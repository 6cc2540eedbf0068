"""PN410: words that name one paper and lead to another."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.model.reference import Reference
from perfnotes.source.bib.citestyle import label
from perfnotes.source.bib.citestyle import links as addresses
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN410",
    severity=Severity.WARNING,
    title="Words that name another paper than they lead to",
    why=(
        "A link whose words are a name and a year is read as a citation. Its address belongs to a "
        "reference of `references.bib` with another year or other authors, so either the words or "
        "the address is wrong. The same holds for a name and a year in front of a key, as in "
        "`[Smith 1982, @drepper2007memory]`. Write `[@key]`, which shows the names and the year "
        "of the reference itself."
    ),
    wrong={
        "caches/rows.md": "Loops run along rows [Smith 1982, @drepper2007memory, sec. 3].\n",
    },
    right={
        "caches/rows.md": "Loops run along rows [see @drepper2007memory, sec. 3].\n",
    },
)

LOOKS_AT = frozenset({"reference"})

_NAMED = re.compile(r"(?P<names>[^\W\d_][^\d\n]{1,60}?)[,\s]*[(\uff08]?(?P<year>(?:1[89]|20)\d\d)"
                    r"[a-z]?[)\uff09]?")  # fmt: skip
_MEANS_NOTHING = re.compile(r"^(?:https?://)?(?:www\.|dx\.)?|/$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2,}")


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Links to papers, and words before the keys of citations, that name another paper."""
    body = links.text.body
    references = site.library.references
    by_address = site.derived(_by_address)
    for link, target in links.links:
        known = by_address.get(_bare(target.id)) if target.kind == "url" else None
        words = body.document.text[link.label_start : link.label_end]
        if known and _names_another(words, known):
            message = f"{words[:80]!r} leads to {label(known)}, which is {known.key!r}"
            yield body.source.finding(link.start, RULE.code, message, f"write [@{known.key}]")
    for citation, _ in links.citations:
        for item in citation.items:
            cited = references.get(item.key)
            if cited and _names_another(item.prefix.strip(" ,:"), cited):
                message = f"{item.prefix[:80]!r} stands before the key of {label(cited)}"
                hint = "write the key of the paper that the words name"
                yield body.source.finding(item.key_start, RULE.code, message, hint)


def _by_address(site: Site) -> Mapping[str, Reference]:
    """Return the references by each address that their entries give."""
    return {
        _bare(address): reference
        for reference in site.library.references.values()
        for _, address in addresses(reference)
    }


def _bare(address: str) -> str:
    return _MEANS_NOTHING.sub("", address.partition("#")[0]).casefold()


def _names_another(words: str, reference: Reference) -> bool:
    """Whether the words are a name and a year that are not those of the reference."""
    named = _NAMED.fullmatch(words.strip())
    if not named or named["names"][0].islower():
        return False
    if reference.year and named["year"] != reference.year:
        return True
    people = " ".join(person.family for person in (*reference.authors, *reference.editors))
    known = _words(f"{people} {label(reference)} {reference.title} {reference.venue}")
    return not _words(named["names"]) & known


def _words(text: str) -> set[str]:
    """Return the words of a text without accents, in lower case."""
    bare = unicodedata.normalize("NFKD", text).casefold()
    return {*_WORD.findall("".join(c for c in bare if not unicodedata.combining(c)))}
