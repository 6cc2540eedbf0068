"""PN516: a mark that means something elsewhere and stands as text on the page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.source.read.vault import comments
from perfnotes.text.callouts import callout_marks
from perfnotes.text.cut import cut
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.spans import Spans
from perfnotes.text.tokens import MarkdownDocument

RULE = Rule(
    code="PN516",
    severity=Severity.WARNING,
    title="A mark that the page shows as text",
    why=(
        "`[!NOTE]` begins a box only as the first words of a quote. Elsewhere the page shows the "
        "mark itself, and so it does with the marks by which other programs write boxes, such as "
        "`:::note`, and comments, such as `%%later%%`. A quote is the form that code hosts know "
        "too. The same holds for a citation or link that is not finished, and for a fence of "
        "typographic quotation marks."
    ),
    wrong={"caches/rows.md": "[!NOTE]\nRows are in one piece.\n"},
    right={"caches/rows.md": "> [!NOTE]\n> Rows are in one piece.\n"},
)

LOOKS_AT: frozenset[str] = frozenset()
ANY_FOLDER = True

_SIGNS = ("[!", ":::", "///", "{%", "{{", "::", "%%")
_LEAD = r"^[ \t>]{0,40}(?:(?:[-*+]|\d{1,3}[.)])[ \t]{1,4}){0,3}"
_KINDS = (
    "admonition|alert|attention|callout|caution|danger|error|hint|important|info|note|notice|tip"
    "|warning"
)
_BRACKETS = re.compile(
    rf"{_LEAD}[*_]{{0,3}}(?P<mark>\[![ \t]?[A-Za-z][\w-]{{0,30}}[ \t]?\](?![(\[:]))", re.MULTILINE
)
_OTHERS = re.compile(
    rf"{_LEAD}(?P<mark>:{{3,9}}[ \t]?\{{?[.]?[A-Za-z][\w-]{{0,30}}|/{{3,9}}[ \t]?(?:{_KINDS})\b"
    rf"|\{{[{{]?[%<][ \t]?(?:{_KINDS})\b|\.\.[ \t](?:{_KINDS})::)",
    re.MULTILINE | re.IGNORECASE,
)
# What begins a citation, a link or a fence in the notes of this project, and how to finish it.
_UNFINISHED = (
    (re.compile(r"\[-?@[\w:.-]+"), "end the citation with ]"),
    (re.compile(r"\\cite[a-z]*\*?\{[^{}\n]*\}?"), "write [@key, sec. 3]"),
    (re.compile(r"^[ \t>]*(?P<mark>[‘’“”]{3})", re.MULTILINE), "write three backticks"),
    (
        re.compile(r"(?<![\w\])])\[(?!\^)[^\[\]\n]+\]\[(?![@^-])[^\[\]\n]*\]"),
        "write [words](address), or add a line with the name in brackets, a colon and the address",
    ),
)
_UNFINISHED_SIGNS = ("[@", "[-@", "\\cite", "‘‘‘", "’’’", "“““", "”””", "][")
_FAR = 40  # characters of a comment that a message shows


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Marks of boxes at the beginnings of lines, comments of Obsidian, and what is not finished."""
    body = links.text.body
    document = body.document
    text, start = document.text, document.start
    if site.library.own:
        for at, shown, hint in _unfinished(document):
            message = f"the page shows {shown!r} as text"
            yield body.source.finding(at, RULE.code, message, hint)
    if not any(sign in text for sign in _SIGNS):
        return
    code = Spans([*document.code, *((each.start, each.end) for each in document.maths)])
    boxes = callout_marks(document)
    for form in (_BRACKETS, _OTHERS):
        for match in form.finditer(text, start):
            at = match.start("mark")
            if at not in boxes and not code.around(at):
                message = f"the page shows {match['mark']!r} as text, and makes no box of it"
                hint = "write > [!NOTE], and > before each line of the box"
                yield body.source.finding(at, RULE.code, message, hint)
    for begin, end in comments(document) if "%%" in text else ():
        said = " ".join(text[begin + 2 : end - 2].split())
        if said:
            shown = cut(said, _FAR)
            message = f"readers see the comment {shown!r}"
            elsewhere = "" if site.library.own else ", or name a vault: a folder with .obsidian"
            hint = f"take it out{elsewhere}"
            yield body.source.finding(begin, RULE.code, message, hint)


def _unfinished(document: MarkdownDocument) -> Iterator[tuple[int, str, str]]:
    """Yield the place of each mark that begins nothing, the mark, and how to finish it."""
    text = document.text
    if not any(sign in text for sign in _UNFINISHED_SIGNS):
        return
    code = Spans([*document.code, *((each.start, each.end) for each in document.maths)])
    begun = {link.start for link in document.links}
    begun |= {cited.start for cited in document.citations if not cited.narrative}
    begun |= {offset + 1 for offset in document.escapes}
    for form, hint in _UNFINISHED:
        group = "mark" if "mark" in form.groupindex else 0
        for match in form.finditer(text, document.start):
            at, shown = match.start(group), match[group]
            if at not in begun and at - 1 not in begun and not code.around(at):
                yield at, cut(shown, _FAR), hint
