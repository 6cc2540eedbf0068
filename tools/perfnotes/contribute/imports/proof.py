"""The proof that no word was lost: the words of a source against those of its drafts.

It reads the source by rules of its own, so that a mistake of the conversion is not repeated here:
marks, tags and addresses are taken out, and every word that is left must be in the drafts as often
as in the source. A line of which a word is missing is kept, whole, with the draft.
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
from perfnotes.contribute.imports.lined import ImportedPage
from perfnotes.contribute.imports.options import ImportOptions
from perfnotes.contribute.imports.words import words

_MOST = 12  # missing words that the report shows of one line


class Lost(Struct, frozen=True):
    """A line of a source with the words of it that no draft holds."""

    line: int
    text: str
    words: tuple[str, ...]


# What of the text between marks is for readers: words in these attributes.
_SHOWN = re.compile(
    r"(?:alt|title|caption|summary|label)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))",
    re.IGNORECASE,
)
_URL = re.compile(r"(?:https?:|ftp:|mailto:|www\.)[^\s<>\"'`|\]})]+", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*/?>", re.DOTALL)
_SILENT = re.compile(r"<(script|style|template)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)

_ADDRESS = re.compile(
    rf"(?<!\\)\]\(<?[^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*|{_URL.pattern}", re.IGNORECASE
)
_NAME = re.compile(r"^[^:\n]+:", re.MULTILINE)
_TRAIL = re.compile(r"(?<=\w)\]\](?=[A-Za-z])")  # [[cache]]s reads "caches"

_MARKDOWN = (
    re.compile(r"^[ \t>]*(?:[-*+] +|\d+[.)] +)?(?:```+|~~~+).*$", re.MULTILINE),
    re.compile(
        # Each search ends where another of its kind begins: to the text's end it would be slow.
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
    """Put every line with a word that no draft of its file holds aside, and tell it."""
    by_file: dict[str, list[Draft]] = {}
    for draft in drafts:
        by_file.setdefault(draft.file, []).append(draft)
    for file, parts in by_file.items():
        format = options.format or recognise(file, texts[file])[0]
        for each in lost(texts[file], format, parts):
            # Where a text was split, the part that begins before the line.
            draft = max((d for d in parts if d.line <= each.line), key=lambda d: d.line,
                        default=parts[0])  # fmt: skip
            draft.asides.append(f"line {each.line}: {each.text.strip()}")
            shown = " ".join(each.words[:_MOST]) + (" …" if len(each.words) > _MOST else "")
            draft.tell(
                f"not found again in the draft: {shown}; the line is kept in its front matter",
                "put the words where they belong, then take the comment out", each.line,
            )  # fmt: skip


def lost(text: str, format: str, parts: Iterable[Draft]) -> list[Lost]:
    """The lines of a source with words that are not in its drafts as often as in it."""
    left: Counter[str] = Counter()
    start = fields.split(text)[1] if format == "markdown" else 0
    for draft in parts:
        said = _said(draft, start > 0)
        if format == "mediawiki":
            said = _TRAIL.sub("", said)  # as code keeps it
        # An escaped & is the sign itself, and no part of an entity.
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
    """The source from ``start`` on without its marks, line by line as it was."""
    if format == "ipynb":
        return _notebook(text)
    blank = _blank(text[:start])
    text, start = blank + text[start:], len(blank)
    if format == "text":
        return _URL.sub(_lines, text)
    text = _SILENT.sub(_lines, text)
    if format == "markdown" and (properties := PROPERTIES.match(text, start)):
        a, b = properties.span("pairs")  # their names become those of front matter
        text = text[:a] + _NAME.sub("", text[a:b]) + text[b:]
    if format == "mediawiki":
        text = _TRAIL.sub("", text)
    for pattern in _MARKS.get(format, ()):
        text = pattern.sub(_attributes, text)
    text = _URL.sub(_lines, text)
    text = text.replace("<!--", "    ").replace("-->", "   ")
    return _unescaped(_TAG.sub(_attributes, text))


def _notebook(text: str) -> str:
    rows: list[list[str]] = [[] for _ in text.split("\n")]
    for line, string, is_markdown in notebookwords.shown(text):
        shown = visible(string, "markdown") if is_markdown else _URL.sub(_lines, string)
        rows[line - 1].append(" ".join(shown.split()))
    return "\n".join(" ".join(row) for row in rows)


def _said(draft: Draft, own_matter: bool) -> str:
    """All that a draft says, each thing once, and no address: those are no words of the source.

    What came of the source's own front matter does not stand for words of its text, nor does a
    description that was guessed, since that repeats the text.
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
        return found[0] if page.is_quoted(found.start()) else " "

    return _ADDRESS.sub(gone, page.text)


def _attributes(found: re.Match[str]) -> str:
    """As many lines as the match has, with the words of it that are for readers."""
    shown = [" ".join(filter(None, each.groups())) for each in _SHOWN.finditer(found[0])]
    return f" {' '.join(' '.join(s.split()) for s in shown)} " + _lines(found)


def _lines(found: re.Match[str]) -> str:
    return _blank(found[0])


def _blank(text: str) -> str:
    return " " + "\n" * text.count("\n")


def _unescaped(text: str) -> str:
    # A character for a line feed would move the lines.
    return html.unescape(text).replace("\r", " ") if "&" in text else text
