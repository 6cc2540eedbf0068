"""DokuWiki's markup."""

from __future__ import annotations

import html
import re

from perfnotes.contribute.imports import codelang
from perfnotes.contribute.imports.escape import (
    destination,
    escape,
    escape_bars,
    fence,
    line_start,
    span,
)
from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.formats._wiki import (
    Stash,
    escape_between,
    line_of,
    link,
    without_marks,
)
from perfnotes.contribute.imports.imported_page import ImportedPage

ENDINGS = ("txt", "dokuwiki")

_LIKELY = re.compile(r"^[ \t]*={4,6} [^=\n]+ ={4,6}[ \t]*$", re.MULTILINE)  # a heading
_HEADING = re.compile(r"(={2,6})[ \t]*+(?=[^=\s])")
# No element may contain the beginning of another of its kind. Otherwise each of thousands of
# elements that are never closed would be searched to the end of the page.
_CODE = re.compile(
    r"<(?P<tag>code|file)(?P<given>[^<>\n]*)>(?P<code>(?:(?!<(?P=tag)[ >]).)*?)</(?P=tag)>",
    re.DOTALL,
)
_NOWIKI = re.compile(r"<nowiki>((?:(?!<nowiki>).)*?)</nowiki>|%%(.*?)%%", re.DOTALL)
_FOOTNOTE = re.compile(r"\(\(((?:(?!\(\().)*?)\)\)", re.DOTALL)
# A macro, such as ~~NOTOC~~.
_MACRO = re.compile(r"~~[A-Z]+~~")
_ITEM = re.compile(r"(?P<lead>(?:  |\t)+)(?P<mark>[*-])[ \t]*")
# Other sites that every DokuWiki knows by these names (its conf/interwiki.conf).
_SITES = {
    "wp": "https://en.wikipedia.org/wiki/",
    "doku": "https://www.dokuwiki.org/",
    "rfc": "https://tools.ietf.org/html/rfc",
}
_INLINE = re.compile(
    r"\[\[(?P<target>[^\[\]|\n]+?)(?:\|(?P<label>(?:(?!\[\[).)*?))?\]\](?!\])"
    r"|\{\{(?P<file>[^{}|\n]+?)(?:\|(?P<words>[^{}\n]*))?\}\}"
    r"|\*\*(?P<strong>.+?)\*\*|(?<!:)//(?P<lean>.+?)(?<!:)//|''(?P<mono>.+?)''|__(?P<under>.+?)__"
    r"|<(?P<small>sub|sup|del)>(?P<inner>(?:(?!<(?P=small)>).)+?)</(?P=small)>|\\\\(?:[ \t]|$)"
    r"|https?://[^\s<>\[\]{}|\"'\ue000\ue001]+"
)


def likely(text: str) -> bool:
    return _LIKELY.search(text[:50_000]) is not None


def read(path: str, text: str) -> tuple[Fields, ImportedPage]:
    stash = Stash(path)
    rows = _set_aside(without_marks(text), stash).split("\n")
    out: list[str] = []
    lines: list[int] = []
    i = 0
    while i < len(rows):
        made, step = _rows(rows, i, stash)
        out += made
        lines += [i + 1] * len(made)
        i += step
    ends = stash.endnotes()
    out += ends
    lines += [len(rows)] * len(ends)
    return Fields(), stash.page(out, lines)


def _heading(row: str) -> tuple[int, str] | None:
    """The number of ``=`` before a heading, and its words; None if the row is no heading."""
    found = _HEADING.match(row)
    after = len(row) - len(row.rstrip("="))
    if not found or after < 2:
        return None
    return len(found[1]), row[found.end() : len(row) - min(after, 6)].rstrip(" \t")


def _rows(rows: list[str], i: int, stash: Stash) -> tuple[list[str], int]:
    """The Markdown of the block at row ``i``, and how many rows it takes."""
    row = rows[i]
    heading, item = _heading(row.strip(" \t")), _ITEM.match(row)
    if heading:
        signs, words = heading
        return ["", f"{'#' * (7 - signs)} {_inline(words, stash)}", ""], 1
    if item:
        pad = "   " * (len(item["lead"].expandtabs(2)) // 2 - 1)
        words = line_start(_inline(row[item.end() :], stash))
        made = f"{pad}{'1.' if item['mark'] == '-' else '-'} {words}"
        before = [] if i and _ITEM.match(rows[i - 1]) else [""]
        after = [] if i + 1 < len(rows) and _ITEM.match(rows[i + 1]) else [""]
        return [*before, made, *after], 1
    if row[:1] in ("^", "|") and len(row.strip()) > 1:
        j = i
        while j < len(rows) and rows[j][:1] in ("^", "|"):
            j += 1
        return ["", *_table(rows[i:j], stash), ""], j - i
    if re.match(r"-{4,}[ \t]*$", row):
        return ["", "---", ""], 1
    if row.startswith("  ") and row.strip() and "\ue000" not in row:
        j = i
        while (
            j < len(rows)
            and rows[j].startswith("  ")
            and rows[j].strip()
            and not _ITEM.match(rows[j])
        ):
            j += 1
        code = "\n".join(stash.restore(r[2:]) for r in rows[i:j])
        language, why = codelang.guess(code)
        stash.tell(i + 1, f"indented lines became code: {language}, as {why}")
        return ["", stash.put(fence(code, language)), ""], j - i
    quote = re.match(r">+[ \t]?", row)
    if quote:
        return [f"{'> ' * quote[0].count('>')}{line_start(_inline(row[quote.end() :], stash))}"], 1
    return [line_start(_inline(row.strip(), stash))], 1


def _set_aside(text: str, stash: Stash) -> str:
    """Put code, ``<nowiki>`` text and footnotes behind placeholders."""

    def code(found: re.Match[str]) -> str:
        words = found["given"].split()
        language = codelang.our_name(words[0]) if words else ""
        body = found["code"].strip("\n")
        if not language:
            language, why = codelang.guess(body)
            stash.tell(line_of(found), f"code without a language: {language}, as {why}")
        if words[1:]:
            stash.asides.append(" ".join(words[1:]))
        return stash.put(f"\n\n{fence(body, language)}\n\n") + "\n" * found[0].count("\n")

    def footnote(found: re.Match[str]) -> str:
        mark = stash.footnote(_inline(found[1].replace("\n", " "), stash))
        return mark + "\n" * found[0].count("\n")

    text = _CODE.sub(code, text)
    text = _NOWIKI.sub(lambda m: stash.put(escape(html.unescape(m[1] or m[2] or ""))), text)
    text = _MACRO.sub("", text)
    return _FOOTNOTE.sub(footnote, text)


def _inline(text: str, stash: Stash, depth: int = 0) -> str:
    if depth > 8:
        return escape(text)

    def make(found: re.Match[str]) -> str:
        if found["target"] is not None:
            return _link(found["target"].strip(), found["label"], stash, depth)
        if found["file"]:
            name, _, parameters = found["file"].strip().partition("?")
            stash.asides += [found[0]] if parameters else []
            words = escape((found["words"] or "").strip(), links=False)
            name = name if name.startswith("http") else name.strip(":").replace(":", "/")
            return f"![{words}]({destination(name)})"
        if found["mono"]:
            return span(stash.restore(found["mono"]))
        if found["under"]:
            return _inline(found["under"], stash, depth + 1)
        if found["small"]:
            inner = _inline(found["inner"], stash, depth + 1)
            tag = found["small"]
            if tag != "del":
                return f"<{tag}>{inner}</{tag}>"
            return inner if "~" in inner else f"~~{inner}~~"
        for group, mark in (("strong", "**"), ("lean", "*")):
            if found[group]:
                inner = _inline(found[group], stash, depth + 1)
                clean = inner == inner.strip() and "*" not in inner
                return f"{mark}{inner}{mark}" if clean and inner else inner
        if found[0].startswith("\\\\"):
            return "<br>"
        return escape(found[0])

    return escape_between(text, _INLINE, make)


def _link(target: str, label: str | None, stash: Stash, depth: int) -> str:
    words = _inline(label.strip(), stash, depth + 1) if label and label.strip() else ""
    if re.match(r"[a-z][a-z0-9+.-]*://", target, re.IGNORECASE):
        if not words or "](" in words:
            return f"{escape(target)} {words}".strip()
        return f"[{words}]({destination(target)})"
    site, mark, page = target.partition(">")
    if mark and site.strip().lower() in _SITES and page.strip():
        address = _SITES[site.strip().lower()] + page.strip().replace(" ", "_")
        shown = words or escape(page.strip())
        return shown if "](" in shown else f"[{shown}]({destination(address)})"
    shown = words or escape(target)
    return shown if "](" in shown else link(shown, target.replace(":", "/"))


def _table(rows: list[str], stash: Stash) -> list[str]:
    table: list[list[str]] = []
    for row in rows:
        safe = re.sub(
            r"\[\[[^\[\]\n]*\]\]|\{\{[^{}\n]*\}\}", lambda m: stash.put(_inline(m[0], stash)), row
        )
        cells = re.split(r"[\^|]", safe.strip())[1:]
        if cells and not cells[-1].strip():
            cells.pop()
        made = [stash.restore(_inline(c.strip(), stash)) for c in cells]
        table.append([escape_bars(" ".join(cell.split())) for cell in made])
    width = max((len(row) for row in table), default=0) or 1
    lines = [f"| {' | '.join([*row, *([''] * (width - len(row)))])} |" for row in table]
    lines.insert(1, "|" + " --- |" * width)
    return lines
