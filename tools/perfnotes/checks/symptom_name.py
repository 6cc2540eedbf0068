"""PN215: a symptom that is only the name of the phenomenon."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from perfnotes.checks._examples import NOTE_WITH_SYMPTOM, PLACES
from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.graph.symptoms import note_and_translations
from perfnotes.model.note import Meta
from perfnotes.model.term import Term
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.source import Source

_WORD = re.compile(r"[a-z0-9_]+|[^\W_a-z0-9]")
# Words such as "I have a problem with", which do not describe what a person sees.
_EMPTY = frozenset(
    "a an the i my we our you your there this that it is are was be have has had get got see of in "
    "on with due to because too much many lot problem problems issue issues 我 我的 有 是 的 了 "
    "问 题 太 多 很 遇 到 出 现 发 生 因 为 由 于 存 在".split()
)
_FIRST_LETTERS = 3
_FEWEST = 4  # English words, or Chinese characters, besides the names

RULE = Rule(
    code="PN215",
    severity=Severity.WARNING,
    title="A symptom that only names the phenomenon",
    why=(
        "Readers who know the name of the cause search for the name. Symptoms are for all others: "
        "they say what a person sees before knowing the name. A sentence that says little more "
        "than the note's title, one of its aliases or a glossary term helps none of them."
    ),
    wrong={
        "symptoms.yml": PLACES,
        "caches/rows.md": NOTE_WITH_SYMPTOM.format(see="I have a problem with my cache lines."),
    },
    right={
        "symptoms.yml": PLACES,
        "caches/rows.md": NOTE_WITH_SYMPTOM.format(
            see="My loop over the columns of a matrix is slow."
        ),
    },
)

LOOKS_AT = frozenset({"term"})


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Symptoms that say little more than names of their note or of glossary terms."""
    texts = note_and_translations(site, links)
    said = "\n".join(s.see.casefold() for text in texts for s in text.meta.symptoms)
    names: list[tuple[str, str]] = []
    for text, spellings in zip(texts, site.derived(_spellings), strict=False) if said else ():
        # Only terms that occur in the note's symptoms are looked for in each symptom.
        names += [*_names(text.meta), *_occurring(said, spellings)]
        yield from _judge(text.meta, text.body.source, names)


def _spellings(site: Site) -> tuple[dict[str, list[tuple[str, str]]], ...]:
    """Return how terms are spelled in English, then in Chinese; for ``site.derived``.

    The spellings are grouped by as many first letters as ``_FIRST_LETTERS`` says; shorter ones
    stand under "".
    """
    return tuple(_by_first_letters(site.library.terms.values(), lang) for lang in ("en", "zh"))


def _by_first_letters(terms: Iterable[Term], lang: str) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for pair in _folded(spelling for term in terms for spelling in term.spellings(lang)):
        start = pair[0][:_FIRST_LETTERS]
        found.setdefault(start if len(start) == _FIRST_LETTERS else "", []).append(pair)
    return found


def _occurring(said: str, spellings: dict[str, list[tuple[str, str]]]) -> list[tuple[str, str]]:
    """Return the spellings that occur in a text.

    Only those whose first letters the text has are looked for: all of them take twice as long.
    """
    parts = dict.fromkeys(["", *(said[i : i + _FIRST_LETTERS] for i in range(len(said)))])
    return [pair for part in parts for pair in spellings.get(part, ()) if pair[0] in said]


def _names(meta: Meta) -> list[tuple[str, str]]:
    return _folded((meta.title, *meta.aliases))


def _folded(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return each name twice: in lower case for comparison, and as it is written."""
    return [(name.casefold(), name) for name in names if name]


def _judge(meta: Meta, source: Source, names: list[tuple[str, str]]) -> Iterator[Finding]:
    for i, symptom in enumerate(meta.symptoms):
        said = symptom.see.casefold()
        named = [(folded, name) for folded, name in names if folded in said]
        for folded, _ in sorted(named, key=_length, reverse=True):
            said = said.replace(folded, " ")
        rest = {word for word in _WORD.findall(said) if word not in _EMPTY}
        if named and len(rest) < _FEWEST:
            message = f"the symptom {symptom.id!r} only names {max(named, key=_length)[1]!r}"
            hint = "say what a person sees who does not know that name"
            at = meta.place("symptoms", i, "see")
            yield source.finding(at, RULE.code, message, hint)


def _length(name: tuple[str, str]) -> int:
    return len(name[1])
