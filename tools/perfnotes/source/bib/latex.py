"""Turns the LaTeX of bibliographies into plain Unicode.

``without_latex`` reads accents, special letters, dashes, quotes, simple math and commands such as
``\\emph{..}``. Braces are removed, and an unknown command is replaced by its argument. ``verbatim``
is for addresses and identifiers, in which a dash stays a dash. Both accept any text and never fail.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from perfnotes.source.bib.symbols import (
    ABOVE,
    ACCENT_SYMBOLS,
    ACCENT_WORDS,
    DECLARATIONS,
    OPERATORS,
    SUBSCRIPTS,
    SUPERSCRIPTS,
    SYMBOLS,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]+)\*?\s*"
    r"|\\(?P<symbol>.)"
    r"|(?P<mark>---?|``|''|[{}$~^_`'-])"
    r"|(?P<text>[^\\{}$~^_`'-]+)"
    r"|\\",
    re.DOTALL,
)
_TEXT_MARKS = {"--": "–", "---": "—", "``": "“", "''": "”", "~": " "}
_MATH_MARKS = {"-": "−", "--": "−−", "---": "−−−", "''": "″", "'": "′", "``": "“", "~": " "}
_SYMBOL_SPACES = dict.fromkeys("\\ \n,;:>", " ")
_SILENT = frozenset("/-!@()[]")
_ADDRESS = re.compile(r"\{([^{}]*)\}")
_DEEPEST = 100  # levels of nesting, the same limit as in pybtex
# Characters that could reorder or hide text on a page.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)


def without_latex(text: str) -> str:
    """Return the text that LaTeX would show, in one line, in Unicode's composed form (NFC)."""
    return tidy(unicodedata.normalize("NFC", _Reader(text).read("", math=False)))


def verbatim(text: str) -> str:
    """Return an address or identifier without the escapes and braces of LaTeX."""
    text = re.sub(r"\\url\s*\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"\\textasciitilde\s?|\\~(?:\{\})?|\$\\sim\$", "~", text)
    text = re.sub(r"\\([_%#&$~{}^/-])", r"\1", text)
    return tidy(text.replace("{", "").replace("}", ""))


def tidy(text: str) -> str:
    """Return the text with single blanks and without control and invisible characters."""
    return " ".join(_INVISIBLE.sub("", text).split())


class _Reader:
    """Reads a text once. Every method reads on from the offset ``at`` and returns plain text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.quotes = 0  # single quotes that were opened (with a grave accent) and not closed yet

    def read(self, until: str, *, math: bool) -> str:
        """Read up to and including the token ``until``, or to the end of the text."""
        parts: list[str] = []
        self.depth += 1
        while (token := _TOKEN.match(self.text, self.at)) is not None:
            self.at = token.end()
            if token.group() == until:
                break
            parts.append(self._piece(token, math))
        self.depth -= 1
        return "".join(parts)

    def _piece(self, token: re.Match[str], math: bool) -> str:
        if token["text"] is not None:
            return token["text"]
        if token["word"] is not None:
            spaced = math and token.group()[-1].isspace() and self._space_before(token.start())
            text = self._word(token["word"], math)
            # LaTeX ignores the space after a command. In math, a sign with spaces on both sides
            # keeps them here.
            return text + " " if spaced and text and not text[-1].isalnum() else text
        if token["symbol"] is not None:
            return self._symbol(token["symbol"], math)
        return self._mark(token["mark"] or "", math)

    def _space_before(self, at: int) -> bool:
        return at > 0 and self.text[at - 1].isspace()

    def argument(self, math: bool) -> str:
        """Read the argument of a command: the next group, command or single character."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        token = _TOKEN.match(self.text, self.at)
        if token is None or token["mark"] == "}" or self.depth > _DEEPEST:
            return ""
        self.at = token.end()
        if token["text"] is not None:
            self.at = token.start() + 1
            return self.text[token.start()]
        self.depth += 1
        piece = self._piece(token, math)
        self.depth -= 1
        return piece

    def _mark(self, mark: str, math: bool) -> str:
        if mark == "{":
            return self.read("}", math=math) if self.depth <= _DEEPEST else ""
        if mark == "}":
            return ""
        if mark == "$":
            return "" if math else self._formula()
        return self._math_mark(mark) if math else self._text_mark(mark)

    def _formula(self) -> str:
        if self.text.find("$", self.at) < 0:
            return "$"
        return _tidy_math(self.read("$", math=True))

    def _math_mark(self, mark: str) -> str:
        if mark == "^":
            return _shifted(self.argument(math=True), SUPERSCRIPTS, "^")
        if mark == "_":
            return _shifted(self.argument(math=True), SUBSCRIPTS, "_")
        return _MATH_MARKS.get(mark, mark)

    def _text_mark(self, mark: str) -> str:
        if mark == "`":
            self.quotes += 1
            return "‘"
        if mark == "'" and self.quotes:
            self.quotes -= 1
            return "’"
        return _TEXT_MARKS.get(mark, mark)

    def _symbol(self, symbol: str, math: bool) -> str:
        if symbol in ACCENT_SYMBOLS:
            return _accented(self.argument(math), ACCENT_SYMBOLS[symbol], symbol)
        if symbol == "(" and not math and self.depth <= _DEEPEST:
            return _tidy_math(self.read("\\)", math=True))
        return "" if symbol in _SILENT else _SYMBOL_SPACES.get(symbol, symbol)

    def _word(self, word: str, math: bool) -> str:
        text = "" if word in DECLARATIONS else SYMBOLS.get(word)
        if text is not None:
            return text
        if word in OPERATORS:
            return f" {word} " if math else word
        if word in ACCENT_WORDS:
            return _accented(self.argument(math), ACCENT_WORDS[word])
        if word in _COMMANDS:
            return _COMMANDS[word](self, math)
        # The command is unknown. Its argument, a group in braces, is read as text afterwards.
        return "" if self.text.startswith("{", self.at) else word


def _accented(base: str, mark: str, symbol: str = "") -> str:
    if not base:
        return symbol if symbol in "~^" else ""
    first = {"ı": "i", "ȷ": "j"}.get(base[0], base[0]) if mark in ABOVE else base[0]
    return unicodedata.normalize("NFC", first + mark) + base[1:]


def _shifted(text: str, table: dict[str, str], sign: str) -> str:
    """Return ``text`` in the characters of ``table`` (superscripts or subscripts), if it has all.

    Otherwise ``text`` is returned after ``sign``, with parentheses if it needs them.
    """
    text = text.strip()
    if all(c in table for c in text):
        return "".join(table[c] for c in text)
    return sign + _grouped(text) if sign else text


def _grouped(text: str) -> str:
    text = text.strip()
    return text if len(text) <= 1 or text.isalnum() else f"({text})"


def _tidy_math(text: str) -> str:
    text = re.sub(r"\s+", " ", text)
    return re.sub(r"(?<=[(\[]) | (?=[)\](])", "", text).strip()


def _hidden(reader: _Reader, math: bool) -> str:
    reader.argument(math)
    return ""


def _space(reader: _Reader, math: bool) -> str:
    reader.argument(math)
    return " "


def _second(reader: _Reader, math: bool) -> str:
    reader.argument(math)
    return reader.argument(math)


def _address(reader: _Reader, math: bool) -> str:
    found = _ADDRESS.match(reader.text, reader.at)
    if found is None:
        return reader.argument(math)
    reader.at = found.end()
    return verbatim(found[1])


def _fraction(reader: _Reader, math: bool) -> str:
    return f"{_grouped(reader.argument(math))}/{_grouped(reader.argument(math))}"


def _root(reader: _Reader, math: bool) -> str:
    return f"√{_grouped(reader.argument(math))}"


def _ensured(reader: _Reader, _: bool) -> str:
    return _tidy_math(reader.argument(math=True))


def _superscript(reader: _Reader, math: bool) -> str:
    return _shifted(reader.argument(math), SUPERSCRIPTS, "")


def _subscript(reader: _Reader, math: bool) -> str:
    return _shifted(reader.argument(math), SUBSCRIPTS, "")


_COMMANDS: dict[str, Callable[[_Reader, bool], str]] = {
    **dict.fromkeys(("noopsort", "SortNoop", "cite", "footnote", "thanks", "label"), _hidden),
    **dict.fromkeys(("hspace", "vspace", "color"), _space),
    **dict.fromkeys(("href", "textcolor", "colorbox"), _second),
    **dict.fromkeys(("url", "path", "nolinkurl"), _address),
    **dict.fromkeys(("frac", "dfrac", "tfrac", "sfrac", "nicefrac"), _fraction),
    "sqrt": _root,
    "ensuremath": _ensured,
    "textsuperscript": _superscript,
    "textsubscript": _subscript,
}
