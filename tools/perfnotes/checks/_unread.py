"""Leaves out findings that are only consequences of a file that cannot be read.

If ``tags.yml`` cannot be read, every tag is unknown; without a note, links to it lead nowhere.
Such findings would hide the one that matters, the finding of the file. They come back once the
file can be read, if they still hold.
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


class _Cause(Struct, frozen=True):
    """A kind of file that cannot be read, and the findings that are consequences of that.

    ``file`` matches the file's path below ``notes/``. ``unused`` matches the code and message of
    findings that also mean that nothing is taken from the file. Consequences are the findings with
    one of the ``codes`` whose path or message contains ``words``. If ``file`` has a group ``slug``,
    the slug of a note, they contain that slug instead.
    """

    file: str
    codes: str
    unused: str = ""
    words: str = ""


_CAUSES = (
    _Cause(r"topics\.yml", "PN801", words="the topic"),
    _Cause(r"tags\.yml", "PN205"),
    _Cause(r"glossary\.yml", "PN301 PN305"),
    _Cause(r"symptoms\.yml", "PN213 PN218 PN407", "PN203"),
    _Cause(r"tools\.yml", "PN407", "PN203"),
    _Cause(r"references\.bib", "PN217 PN219 PN404 PN405 PN406 PN903 PN908 PN920 PN924", "PN401"),
    _Cause(r"facts/.*", f"PN902 {_EVIDENCE}", "PN902 (?!.*no fact)", "no fact"),
    _Cause(r"facts/.*", "PN407 PN908 PN920 PN924", "PN902 (?!.*no fact)"),
    _Cause(r"[^/]+/(?P<slug>[^/]+)/lab/lab\.yml", f"PN906 {_EVIDENCE}", "PN901"),
    _Cause(r"[^/]+/.*\.md", "PN218 PN407 PN804"),
    _Cause(r"[^/]+/(?P<slug>[^/]+?)(/index)?(\.zh)?\.md", f"{_LINKS} {_OF_A_NOTE} {_EVIDENCE}"),
)


def without_consequences(findings: Iterable[Finding], library: Library) -> Iterator[Finding]:
    """Yield the findings except the consequences of files that could not be read."""
    tests = {*_consequences(library)} if library.own else set()
    for finding in findings:
        place = f"{finding.path} {finding.message}"
        if not any(finding.code in codes and re.search(words, place) for codes, words in tests):
            yield finding


def _consequences(library: Library) -> Iterator[tuple[str, str]]:
    """Yield the codes of consequences, and a regular expression for their path and message."""
    for finding in library.findings:
        file = finding.path.removeprefix(library.shown(""))
        for cause in _CAUSES:
            found = re.fullmatch(cause.file, file)
            said = f"{finding.code} {finding.message}"
            is_unused = cause.unused and re.match(cause.unused, said)
            if found and (finding.code in UNREAD or is_unused):
                slug = found.groupdict().get("slug")
                word = rf"(?<![\w-]){re.escape(slug)}(?![\w-])" if slug else cause.words
                yield cause.codes, word
