"""PN510: options and marks of a code block without effect, such as a line that is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.outputs import content_range
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.nearest import nearest
from perfnotes.text.tokens import Fence

_EXAMPLE = """\
One read:

```c hl_lines="{line}"
int i = 0;
sum += a[i]; // ({mark})!
```

1. It misses.
"""
RULE = Rule(
    code="PN510",
    severity=Severity.WARNING,
    title="A mark in code that leads nowhere",
    why=(
        '`hl_lines="2 4-6"` behind the language of a fence highlights these lines, counted from 1. '
        "A comment that holds only `(1)!` becomes a mark for the first item of the numbered list "
        "right below the fence. Here the block has no such line, the list has no such item, or the "
        "fence has an option that nothing reads."
    ),
    wrong={"caches/rows.md": _EXAMPLE.format(line=3, mark=2)},
    right={"caches/rows.md": _EXAMPLE.format(line=2, mark=1)},
)
_OPTION = re.compile(r"(?<![\w\"'])([A-Za-z_]\w*)=(\"[^\"]*\"|'[^']*'|\S*)")
_KNOWN = ("hl_lines", "title", "linenums", "lab", "calc", "explore")
_LINES = re.compile(r"\"\d{1,4}(?:-\d{1,4})?(?: +\d{1,4}(?:-\d{1,4})?){0,19}\"")
_MARK = re.compile(r"(?://|/\*|#|--|;|%)[ \t]*\((\d{1,2})\)![ \t]*(?:\*/)?[ \t]*$", re.MULTILINE)
_SHOWS_SOURCE = ("markdown", "md", "text")  # in these, `(1)!` is text and not a mark
_LONGEST_LIST = 20_000  # characters below a block that are searched for the end of its list
_ITEM = re.compile(r"[ ]{0,3}(\d{1,9})[.)][ \t]+\S")

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Fences with a highlighted line, a mark or an option that leads nowhere."""
    body = links.text.body
    text = body.document.text
    for fence in body.document.blocks.fences:
        for at, message, hint in _problems(text, fence, own=site.library.own):
            yield body.source.finding(at, RULE.code, message, hint)


def _problems(text: str, fence: Fence, *, own: bool) -> Iterator[tuple[int, str, str]]:
    start, end = content_range(text, fence)
    count = text.count("\n", start, min(end, fence.end))
    for option in _OPTION.finditer(text, fence.info_start, fence.info_end):
        at = option.start()
        if option[1] == "hl_lines":
            problem = _lines_problem(option[2], count)
            if problem:
                lines = f"{count} line" if count == 1 else f"{count} lines"
                yield at, problem, f'the block has {lines}: hl_lines="1" or "1 3-4"'
        elif own and option[1] not in _KNOWN:
            guess = nearest(option[1], _KNOWN, 0.6)
            hint = f"did you mean {guess}?" if guess else "options are " + ", ".join(_KNOWN)
            yield at, f"nothing reads the option {option[1]!r} of this fence", hint
    if fence.language in _SHOWS_SOURCE:
        return
    marks = [*_MARK.finditer(text, start, min(end, fence.end))]
    items = _items_after(text, fence.end) if marks else set()
    for mark in marks:
        if int(mark[1]) not in items:
            message = f"no item {mark[1]} in a numbered list right below the block"
            yield mark.start(), message, "write the notes on lines there, as 1., 2., …"


def _lines_problem(given: str, count: int) -> str:
    if not _LINES.fullmatch(given):
        return f"hl_lines={given} names no lines"
    for part in given.strip('"').split():
        first, _, last = part.partition("-")
        if not 1 <= int(first) <= int(last or first) <= count:
            return f"the block has no line {part}"
    return ""


def _items_after(text: str, at: int) -> set[int]:
    """Return the numbers of the items of the list right after ``at``, as a browser counts them."""
    first, count = 0, 0
    for line in text[at : at + _LONGEST_LIST].split("\n")[1:]:
        item = _ITEM.match(line)
        if item:
            first = first or int(item[1])
            count += 1
        elif line.strip() and not (count and line[0].isspace()):
            break
    return set(range(first, first + count))
