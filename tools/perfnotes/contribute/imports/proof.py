"""Proves that no word was lost, by comparing the words of a source with those of its drafts.

The source is read by other rules than in the conversion, so that a mistake there is found: markup
and addresses are removed, and every word that is left must be in the drafts as often as in the
source. A source line with a missing word is kept, whole, in a comment of the draft.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from perfnotes.contribute.imports import fields, notebookwords
from perfnotes.contribute.imports.draft import Draft
from perfnotes.contribute.imports.formats import recognise
from perfnotes.contribute.imports.formats.markdown import PROPERTIES
from perfnotes.contribute.imports.imported_page import ImportedPage
from perfnotes.contribute.imports.options import ImportOptions
from perfnotes.contribute.imports.words import words
from perfnotes.text.hidden import HIDDEN

_MOST = 12  # missing words of one line that the report shows


class Lost(Struct, frozen=True):
    """A line of a source, with those of its words that are in no draft."""

    line: int
    text: str
    words: tuple[str, ...]


# Attributes in markup whose values readers see.
_SHOWN = re.compile(
    r"(?:alt|title|caption|summary|label)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))",
    re.IGNORECASE,
)
_URL = re.compile(r"(?:https?:|ftp:|mailto:|www\.)[^\s<>\"'`|\]})]+", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*/?>", re.DOTALL)
_SILENT = re.compile(r"<(script|style|template)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_PAGE_TITLE = re.compile(r"<title\b[^<>]*>(?P<words>[^<]*)</title\s*>", re.IGNORECASE)
_PAGE_HEADING = re.compile(r"<h1\b[^<>]*>(?P<words>.*?)(?:</h1\s*>|\Z)", re.DOTALL | re.IGNORECASE)

# The addresses of a draft: those of links, and those in the text.
_ADDRESS = re.compile(
    rf"(?<!\\)\]\(<?[^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*|{_URL.pattern}", re.IGNORECASE
)
# The name of one of Notion's properties.
_NAME = re.compile(r"^[^:\n]+:", re.MULTILINE)
_TRAIL = re.compile(r"(?<=\w)\]\](?=[A-Za-z])")  # [[cache]]s reads "caches"

# What is no visible text in a source, by its format. A match is replaced by the values of those of
# its attributes that readers see.
_MARKDOWN = (
    re.compile(r"^[ \t>]*(?:[-*+] +|\d+[.)] +)?(?:```+|~~~+).*$", re.MULTILINE),
    re.compile(
        # A match ends where another of its kind begins; otherwise unclosed ones would be slow.
        r"\{\{[<%](?:(?!\{\{[<%]).)*?[%>]\}\}|\{%(?:(?!\{%).)*?%\}|\{\{[^{}\n]*\}\}",
        re.DOTALL,
    ),
    re.compile(r"^[ \t>]*\[[^\]\n]+\]:[ \t]*\S+", re.MULTILINE),  # link definitions, footnotes
    re.compile(r"\]\(\s*<?[^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*>?"),
    re.compile(r"\]\(<[^<>\n]*>"),
    re.compile(r"\]\[[^\]\n]*\]"),
    re.compile(r"\[\^[^\[\]\s]+\]"),
    re.compile(r"\[![^\[\]\n]*\][+-]?"),
    re.compile(r"!?\[\[[^\[\]|\n]*\|"),
    re.compile(r"!\[\[[^\[\]\n]*\]\]"),
    re.compile(r"\{[:.#][^{}\n]*\}"),
    re.compile(r"\[\[?_?TOC_?\]?\]|^[ \t]*!!!.*$", re.MULTILINE),
    re.compile(r"^[ \t>]*\d+[.)](?=\s)", re.MULTILINE),  # numbers of lists are made anew
)
_MEDIAWIKI = (
    re.compile(r"\{\{\s*#?(?:[\w.:/-][\w .:/-]*)?(?=[|}])|\|\s*[\w-][\w -]*=(?!=)"),
    re.compile(r"^[ \t:*#]*\{\|.*$|^\|-.*$|^[|!](?!\|)[^|\n\[{]*\|(?!\|)", re.MULTILINE),
    re.compile(r"(?:\|\||!!)[^|!\n\[{]*\|(?!\|)"),
    re.compile(
        r"\[\[\s*(?::\s*)?(?:file|image|media)\s*:[^|\[\]]*"
        r"(?:\|\s*(?:thumb|thumbnail|frame|frameless|border|left|right|center|none|upright"
        r"|\d*x?\d+px|(?:upright|alt|link|lang|page|class)=[^|\[\]]*)(?=[|\]]))*",
        re.IGNORECASE,
    ),
    re.compile(r"\[\[[^\[\]|\n]*\|"),
    re.compile(r"^\s*#redirect", re.IGNORECASE),
    re.compile(r"__[A-Z]+__"),
)  # fmt: skip
_DOKUWIKI = (
    re.compile(r"\{\{[^{}|\n]*"),
    re.compile(r"\[\[[^\[\]|\n]*\||\[\[\s*(?:wp|doku|rfc)\s*>", re.IGNORECASE),
    re.compile(r"~~[^~\n]*~~"),
    re.compile(r"<(?:code|file)\b[^<>]*>", re.IGNORECASE),
)
_RST = (
    re.compile(r":[\w.+-]+(?::[\w.+-]+){0,3}:(?=`)"),  # roles
    re.compile(
        r"^[ \t]*\.\. (?:\|[^|\n]*\| )?(?:code|code-block|sourcecode|highlight|image|figure)::.*$",
        re.MULTILINE,
    ),
    re.compile(r"^[ \t]*\.\. [\w:+-]+::", re.MULTILINE),
    re.compile(r"^[ \t]+:(?!(?:alt|caption|header):)[\w-]+:(?=[ \t]|$).*$", re.MULTILINE),
    re.compile(r"^[ \t]+:(?:alt|caption|header):", re.MULTILINE),
    re.compile(r"^[ \t]*\.\. _[^:\n]*:.*$", re.MULTILINE),
    re.compile(r"\[#?\w*\]_|^\.\. \[#?\w*\]", re.MULTILINE),
    re.compile(r"^[ \t]*\d+[.)](?=\s)", re.MULTILINE),
)
_ORG = (
    re.compile(r"^[ \t]*#\+(?:begin|end)_\w+.*$", re.IGNORECASE | re.MULTILINE),
    re.compile(r"^[ \t]*#\+\w+:", re.MULTILINE),
    re.compile(
        r"^[ \t]*:(?:properties|end|custom_id|id|logbook):.*$", re.IGNORECASE | re.MULTILINE
    ),
    re.compile(r"\[\[[^\[\]\n]*\](?=\[)|\[\[file:[^\[\]\n]*\]\]"),
    re.compile(r"\[fn:[^\]:\n]*[\]:]|\[[xX]\]"),
    re.compile(r"^[ \t]*\d+[.)](?=\s)", re.MULTILINE),
)
_MARKS = {"markdown": _MARKDOWN, "mediawiki": _MEDIAWIKI, "dokuwiki": _DOKUWIKI, "rst": _RST,
          "org": _ORG}  # fmt: skip


def keep_all(drafts: Sequence[Draft], texts: Mapping[str, str], options: ImportOptions) -> None:
    """Keep each source line aside that has a word which is in no draft of its file; report it."""
    by_file: dict[str, list[Draft]] = {}
    for draft in drafts:
        by_file.setdefault(draft.file, []).append(draft)
    for file, parts in by_file.items():
        format = options.format or recognise(file, texts[file])[0]
        for each in lost(texts[file], format, parts):
            # If the text was split, the line belongs to the last part that begins before it.
            draft = max((d for d in parts if d.line <= each.line), key=lambda d: d.line,
                        default=parts[0])  # fmt: skip
            draft.asides.append(f"line {each.line}: {each.text.strip()}")
            shown = " ".join(each.words[:_MOST]) + (" …" if len(each.words) > _MOST else "")
            draft.tell(
                f"not found again in the draft: {shown}; the line is kept in its front matter",
                "put the words where they belong, then take the comment out", each.line,
            )  # fmt: skip


def lost(text: str, format: str, parts: Iterable[Draft]) -> list[Lost]:
    """The lines of a source with words that its drafts have less often than the source."""
    left: Counter[str] = Counter()
    start = fields.split(text)[1] if format == "markdown" else 0
    for draft in parts:
        said = _text_of(draft, start > 0)
        if format == "mediawiki":
            said = _TRAIL.sub("", said)  # links that were kept as code, as in the source
        # An escaped & is a plain character, not the beginning of an entity.
        left.update(words(said if format == "text" else _unescaped(said.replace("\\&", "& "))))
    found = []
    lines = text.split("\n")
    for number, line in enumerate(visible(text, format, start).split("\n"), 1):
        gone = []
        for word in words(line):
            if left[word] > 0:
                left[word] -= 1
            else:
                gone.append(word)
        if gone:
            found.append(Lost(number, lines[number - 1], tuple(gone)))
    return found


def visible(text: str, format: str, start: int = 0) -> str:
    """The visible text of a source behind ``start``, with the lines of the source."""
    if format == "ipynb":
        return _notebook(text)
    blank = _blank(text[:start])
    text, start = blank + text[start:], len(blank)
    if format == "text":
        return _URL.sub(_line_ends, text)
    text = _SILENT.sub(_line_ends, text)
    if format == "html":
        text = _one_title(text)
    if format == "markdown" and (properties := PROPERTIES.match(text, start)):
        a, b = properties.span("pairs")  # their names become those of front matter
        text = text[:a] + _NAME.sub("", text[a:b]) + text[b:]
    if format == "mediawiki":
        text = _TRAIL.sub("", text)
    for pattern in _MARKS.get(format, ()):
        text = pattern.sub(_shown_attributes, text)
    text = _URL.sub(_line_ends, text)
    text = text.replace("<!--", "    ").replace("-->", "   ")
    return _unescaped(_TAG.sub(_shown_attributes, text))


def _one_title(text: str) -> str:
    """A page of HTML without its title, if its first heading says the same: the draft has one."""
    title, heading = _PAGE_TITLE.search(text), _PAGE_HEADING.search(text)
    if not title or not heading:
        return text
    said = [_unescaped(_TAG.sub(" ", each["words"])).split() for each in (title, heading)]
    if said[0] != said[1]:
        return text
    return text[: title.start()] + _line_ends(title) + text[title.end() :]


def _notebook(text: str) -> str:
    rows: list[list[str]] = [[] for _ in text.split("\n")]
    for line, string, is_markdown in notebookwords.shown(text):
        shown = visible(string, "markdown") if is_markdown else _URL.sub(_line_ends, string)
        rows[line - 1].append(" ".join(shown.split()))
    return "\n".join(" ".join(row) for row in rows)


def _text_of(draft: Draft, own_matter: bool) -> str:
    """The text of a draft, its front matter and its comments, without addresses.

    If the source had front matter (``own_matter``), the draft's came from there and does not stand
    for words of the text, so only its title counts. A guessed description never counts, because it
    repeats words of the text.
    """
    rows = [draft.title, _without_addresses(draft.page), *draft.page.asides]
    kept = [aside for aside in draft.asides if aside.startswith("line ")]
    if not own_matter:
        kept = [
            *draft.asides,
            *draft.authors,
            *draft.aliases,
            draft.date,
            draft.updated,
            draft.slug,
        ]
        if not any(guess.what.startswith("the description is") for guess in draft.guesses):
            kept.append(draft.description)
    return "\n".join([*rows, *kept])


def _without_addresses(page: ImportedPage) -> str:
    def gone(found: re.Match[str]) -> str:
        return found[0] if page.is_verbatim(found.start()) else " "

    return _ADDRESS.sub(gone, page.text)


def _shown_attributes(found: re.Match[str]) -> str:
    """The values in a match of those attributes that readers see, and the match's line ends."""
    shown = [" ".join(filter(None, each.groups())) for each in _SHOWN.finditer(found[0])]
    return f" {' '.join(' '.join(s.split()) for s in shown)} " + _line_ends(found)


def _line_ends(found: re.Match[str]) -> str:
    return _blank(found[0])


def _blank(text: str) -> str:
    return " " + "\n" * text.count("\n")


def _unescaped(text: str) -> str:
    # An entity may stand for a carriage return, which would count as a line end, or for a character
    # that nobody sees, which the import removes.
    return HIDDEN.sub("", html.unescape(text).replace("\r", " ")) if "&" in text else text
