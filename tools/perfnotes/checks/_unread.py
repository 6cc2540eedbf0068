"""Findings that merely follow from a file that cannot be read are left out until it can be.

Without its table, every tag is unknown; without a note, every link to it leads nowhere. What is
wrong is the file, and the other findings would hide that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from perfnotes.model.library import Library
from perfnotes.source.unread import UNREAD
from perfnotes.text.findings import Finding

_EVIDENCE = "PN909 PN910 PN911 PN912 PN913 PN914 PN915 PN920 PN922 PN923 PN924"
_LINKS = "PN207 PN209 PN301 PN303 PN304 PN305"
_OF_A_NOTE = "PN701 PN702 PN703 PN704 PN901 PN908 PN931 PN932"


class _Rule(Struct, frozen=True):
    """Which findings follow when a file cannot be read.

    ``file`` matches the file's path below ``notes/``. A finding whose code and message ``unused``
    matches says as well that nothing is taken from the file. Of the findings with the ``codes``,
    those follow that have ``words`` in their path or message. If ``file`` tells the slug of a note,
    that is the word.
    """

    file: str
    codes: str
    unused: str = ""
    words: str = ""


_RULES = (
    _Rule(r"topics\.yml", "PN801", words="the topic"),
    _Rule(r"tags\.yml", "PN205"),
    _Rule(r"glossary\.yml", "PN301 PN305"),
    _Rule(r"symptoms\.yml", "PN213 PN218 PN407", "PN203"),
    _Rule(r"tools\.yml", "PN407", "PN203"),
    _Rule(r"references\.bib", "PN217 PN219 PN404 PN405 PN406 PN903 PN908 PN920 PN924", "PN401"),
    _Rule(r"facts/.*", f"PN902 {_EVIDENCE}", "PN902 (?!.*no fact)", "no fact"),
    _Rule(r"facts/.*", "PN407 PN908 PN920 PN924", "PN902 (?!.*no fact)"),
    _Rule(r"[^/]+/(?P<slug>[^/]+)/lab/lab\.yml", f"PN906 {_EVIDENCE}", "PN901"),
    _Rule(r"[^/]+/.*\.md", "PN218 PN407 PN804"),
    _Rule(r"[^/]+/(?P<slug>[^/]+?)(/index)?(\.zh)?\.md", f"{_LINKS} {_OF_A_NOTE} {_EVIDENCE}"),
)


def without_followers(findings: Iterable[Finding], library: Library) -> Iterator[Finding]:
    """Yield the findings but for those that follow from a file that could not be read."""
    tests = {*_followers(library)} if library.own else set()
    for finding in findings:
        place = f"{finding.path} {finding.message}"
        if not any(finding.code in codes and re.search(words, place) for codes, words in tests):
            yield finding


def _followers(library: Library) -> Iterator[tuple[str, str]]:
    """Yield the codes of findings that follow, and an expression for their words."""
    for cause in library.findings:
        file = cause.path.removeprefix(library.shown(""))
        for rule in _RULES:
            found = re.fullmatch(rule.file, file)
            is_unused = rule.unused and re.match(rule.unused, f"{cause.code} {cause.message}")
            if found and (cause.code in UNREAD or is_unused):
                slug = found.groupdict().get("slug")
                yield rule.codes, rf"(?<![\w-]){re.escape(slug)}(?![\w-])" if slug else rule.words
