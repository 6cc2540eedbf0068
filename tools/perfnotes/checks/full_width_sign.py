"""PN515: a sign of a Chinese keyboard where Markdown or a formula needs an ASCII one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.spans import Spans
from perfnotes.text.tokens import MarkdownDocument

RULE = Rule(
    code="PN515",
    severity=Severity.WARNING,
    title="A full-width sign where Markdown needs an ASCII one",
    why=(
        "A Chinese keyboard writes `［`, `（`, `｜`, `＃` and the like. They resemble the signs of "
        "Markdown, but mean nothing to it, so the page shows the source instead of a link, "
        "a table, a heading or, where lines begin with `1、`, a list. `＝` is another character "
        "than `=`, so a formula in which it stands cannot be copied into a program. Signs in code "
        "and punctuation between words are left alone."
    ),
    wrong={"caches/rows.zh.md": "缓存按行保存内存，见[循环的顺序]（rows.md）。\n"},
    right={"caches/rows.zh.md": "缓存按行保存内存，见[循环的顺序](rows.md)。\n"},
)

LOOKS_AT: frozenset[str] = frozenset()

# No form looks further than this many characters, so that no text takes long.
_FAR = "{0,200}?"
_HAS_WIDE = re.compile("[\uff00-\uff65\u3000\u3010\u00b7\u2014]")
_MENDABLE = re.compile("[\u3001\uff0e\uff09\uff1d]")
_ADDRESS = (
    r"(?:[\w.-]{0,80}/|[\w-]{1,80}\.(?:md|svg)\b|[#\uff03]"
    r"|(?:lab|fact|plot|https?|mailto)[:\uff1a])"
)
_LINE = r"^[ \t]{0,40}"
# Each form: an expression whose group is the sign, what the text looks like, and what to write.
_FORMS = (
    (rf"[\]\uff3d](\uff08){_ADDRESS}", "a link", "[words](address)"),
    (rf"\]\({_ADDRESS}[^\s()\uff08]{_FAR}(\uff09)(?![^\n(]{_FAR}\))", "a link", "[words](address)"),
    (
        rf"\[-?@[A-Za-z][\w:-]{_FAR}(?:, [^\]\n]{_FAR})?([\uff0c\uff1b])[^\]\n]{_FAR}\]",
        "a citation",
        "[@key, sec. 1; @other]",
    ),
    (r"(\uff3b|\u3010)-?[@\uff20][A-Za-z]", "a citation", "[@key]"),
    (r"\[-?(\uff20)[A-Za-z]", "a citation", "[@key]"),
    (rf"\[\[[^\[\]|\n]{_FAR}(\uff5c)[^\[\]\n]{_FAR}\]\]", "a link", "[[note|words]]"),
    (r"(\uff3b\uff3b)[\w/#-]", "a link", "[[note]]"),
    (r"(\uff3b)\^\w{1,40}[\uff3d\]]", "a footnote", "[^1]"),
    (rf"{_LINE}\[\^\w{{1,40}}\](\uff1a)", "a footnote", "[^1]: words"),
    (rf"{_LINE}(\uff03)", "a heading", "## words"),
    (rf"{_LINE}#{{1,6}}(\u3000)", "a heading", "## words"),
    (rf"{_LINE}#{{1,6}} [^\n]{_FAR}(\uff5b)#", "the id of a heading", "{#id}"),
    (rf"{_LINE}(\uff5c)[^\n]{_FAR}\uff5c", "a table", "| cell | cell |"),
    (rf"{_LINE}\|[-:| ]{_FAR}(\u2014)[\u2014:| -]{_FAR}$", "a table", "|---|---|"),
    (rf"{_LINE}\|[^\n|]{_FAR}(\uff5c)[^\n]{_FAR}\|[ \t]*$", "a table", "| cell | cell |"),
    (rf"{_LINE}(\uff1e)", "a quote", "> words"),
    (rf"{_LINE}>[ \t]?(?:(\u3010)!|\[(\uff01))[A-Za-z]", "a callout", "> [!NOTE]"),
    (rf"{_LINE}\u3000{_FAR}(\uff40{{3}}|\u00b7{{3}})", "a code fence", "```"),
    (rf"{_LINE}(\u3000)\u3000{_FAR}(?:```|~~~)", "a code fence", "``` at the margin"),
    (rf"(\uff40)[^\uff40\n]{_FAR}\uff40", "code", "`code`"),
    (rf"(\uff0a\uff0a)[^\uff0a\n]{_FAR}\uff0a\uff0a", "bold words", "**words**"),
    (rf"(\uff01)\[[^\]\n]{_FAR}\]\(", "a figure", "![words](figure.svg)"),
    (rf"{_LINE}([\uff10-\uff19]{{1,3}})[.\uff0e)] ", "a list", "1. words"),
    (rf"{_LINE}([\uff0d\uff0a]) ", "a list", "- words"),
)


# Lines that begin as a list does in Chinese: `1、words`. With a digit behind it, it is no list.
_ITEM = re.compile(
    r"^(?P<lead>[ \t>]{0,20})(?P<number>[0-9\uff10-\uff19]{1,3})(?P<sign>[\u3001\uff0e\uff09])"
    r"[ \t\u3000]{0,9}(?![0-9\uff10-\uff19\s])",
    re.MULTILINE,
)
_ENDS_BEFORE_LIST = (":", "\uff1a")
# A full-width = that has a number, a name or code on one side, and words or those on the other.
_EQUALS = re.compile(r"\uff1d(?=[ ]?[\w`(\[$.+-])(?:(?<=[\w`)\]$%]\uff1d)|(?<=[\w`)\]$%] \uff1d))")
_ASCII = re.compile(r"[A-Za-z0-9`)\]$%] ?\uff1d|\uff1d ?[A-Za-z0-9`(\[$.+-]")


class Misplaced(NamedTuple):
    """A sign that ``fix`` can replace: the text from ``start`` to ``end`` becomes ``new``.

    ``at`` is the place of the sign.
    """

    at: int
    start: int
    end: int
    new: str
    message: str
    hint: str


def mendable(document: MarkdownDocument) -> Iterator[Misplaced]:
    """Yield the marks of lists and the signs ``＝`` of a text, outside of code and formulas."""
    text, start = document.text, document.start
    if not _MENDABLE.search(text, start):
        return
    code = _code(document)
    listed = -1  # the end of the line of the last mark
    for item in _ITEM.finditer(text, start):
        line = item.start()
        end_above = max(line - 1, start)
        above = text[max(text.rfind("\n", start, end_above) + 1, start) : end_above].strip(" \t>")
        number = unicodedata.normalize("NFKC", item["number"])
        announced = number == "1" and above.endswith(_ENDS_BEFORE_LIST)
        begins = not above or announced or listed == line - 1
        if code.around(item.start("sign")) or not begins:
            continue
        listed = text.find("\n", item.end())
        shown = f"{item['number']}{item['sign']}"
        message = f"{shown!r} begins no list in Markdown, and the lines run together"
        new, at = f"{number}. ", item.start("number")
        yield Misplaced(item.start("sign"), at, item.end(), new, message, f"write {new}words")
    for sign in _EQUALS.finditer(text, start):
        at = sign.start()
        if _ASCII.search(text, max(at - 2, start), at + 3) and not code.around(at):
            message = "'\uff1d' is a full-width sign beside a number or a name"
            yield Misplaced(at, at, at + 1, "=", message, "write =")


def _code(document: MarkdownDocument) -> Spans:
    return Spans([*document.code, *((m.start, m.end) for m in document.maths)])


@lru_cache(maxsize=1)
def _compiled() -> list[tuple[re.Pattern[str], str, str]]:
    """Return the forms, compiled when a text first needs them: most runs check no Chinese text."""
    return [(re.compile(form, re.MULTILINE), what, write) for form, what, write in _FORMS]


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Yield each full-width sign that stands where Markdown needs an ASCII one."""
    del site
    body = links.text.body
    text, start = body.document.text, body.document.start
    mended = []
    for each in mendable(body.document):
        mended.append((each.start, each.end))
        yield body.source.finding(each.at, RULE.code, each.message, each.hint)
    if not _HAS_WIDE.search(text, start):
        return
    code, told_already = _code(body.document), Spans(mended)
    told: dict[int, tuple[str, str, str]] = {}
    for form, what, write in _compiled():
        for match in form.finditer(text, start):
            at = match.start(match.lastindex or 0)
            if not code.around(at) and not told_already.around(at):
                told.setdefault(at, (match[match.lastindex or 0], what, write))
    for at, (sign, what, write) in sorted(told.items()):
        shown = "a full-width space" if not sign.strip() else f"'{sign}'"
        message = f"{shown} is no sign of Markdown, and this looks like {what}"
        yield body.source.finding(at, RULE.code, message, f"write {write}")
