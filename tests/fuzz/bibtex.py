"""Fuzzes the BibTeX reader: no traceback, no hang, only valid keys, no entry lost silently."""

from __future__ import annotations

import re

from perfnotes.source.bib import bibtex
from perfnotes.text.source import Source, decode
from tests.fuzz._loop import ROOT, main, texts

TOKENS = (
    "@article{", "@book(", "@string{x = ", "@preamble{", "@comment{", "@misc{a2020b,\n", "}", "{",
    "(", ")", ",", "\n", " = ", '"', "#", "author = {", "title = {", "year = {2020}", "year = 2020",
    "journal = x", "and ", " AND others", "van der ", "Jr., ", "\\'e", '\\"{o}', "\\aa ", "\\",
    "$x^2$", "\\ensuremath{", "--", "~", "%", "doi = {10.1/", "https://doi.org/10.1145/1",
    "eprint = {2205.14135}", "url = {javascript:x}", "crossref = {a2020b}", "xdata = {", "jan",
    "{" * 60, "}" * 60, "\\u{" * 20, " # x" * 60, "缓存", "\U0001f600", "\u0301", "\ufeff", "\x85",
)  # fmt: skip

# A plain entry. No drawn text is in it, and none that follows can change it.
_PLAIN = "\n@misc{sentinel2020plain,\n  title = {A plain title},\n  year  = {2020}\n}\n"


def holds(text: str) -> None:
    """Check the property for the text alone, and for the text after a valid entry."""
    source, _ = decode(text.encode("utf-8", "surrogatepass"), "notes/references.bib")
    if source is None:
        return
    _read(source)
    references = _read(Source("notes/references.bib", f"{_PLAIN}\n{source.text}"))
    assert "sentinel2020plain" in references, "the text behind an entry made the entry vanish"


def _read(source: Source) -> set[str]:
    references, findings = bibtex.read(source)
    lines = source.text.split("\n")
    for finding in findings:
        assert 1 <= finding.line <= len(lines)
        assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1
    for key, reference in references.items():
        assert bibtex.is_key(key)
        assert source.text[reference.offset] == "@"
        again, _ = bibtex.read(Source("entry", reference.bibtex))
        assert set(again) <= {key}
        words = re.findall(r"[a-z]{3,}", reference.title)
        for word in words if key in again else ():
            assert word in again[key].title, "the entry to copy has lost a word of its title"
    entries = len(re.findall(r"^@misc\{[a-z0-9]+,$", source.text, re.MULTILINE))
    assert not entries or references or findings, "an entry is gone without a word"
    return set(references)


if __name__ == "__main__":
    whole = (ROOT / "notes" / "references.bib").read_text("utf-8")
    main(holds, texts(TOKENS, [whole[i : i + 1200] for i in range(0, len(whole), 4001)]), "bibtex")
