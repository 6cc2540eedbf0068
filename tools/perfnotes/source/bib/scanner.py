"""Finds and parses the entries of a BibTeX file.

Each entry is parsed by pybtex on its own, so that an error in one does not lose the others. This
module decides where an entry ends: at its closing brace, or if there is none, at the next line that
starts like an entry. A percent sign outside of entries comments out the rest of its line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from pybtex.database.input.bibtex import LowLevelParser, UndefinedMacro, month_names
from pybtex.scanner import PrematureEOF, PybtexSyntaxError, Token
from pybtex.utils import CaseInsensitiveDict

from perfnotes.source.bib.latex import tidy
from perfnotes.text.cut import cut

if TYPE_CHECKING:
    from perfnotes.text.findings import Finding
    from perfnotes.text.source import Source

# At most so many errors of one file are reported. A file with more is probably no BibTeX.
MOST_ERRORS = 200
LARGEST_EXPANSION = 4_000_000  # characters that a file's strings and crossrefs may grow to

_HEAD = re.compile(r"@\s*([A-Za-z][A-Za-z0-9_-]*)\s*([{(])")
_LINE_HEAD = re.compile(r"^[ \t]*(?=@[ \t]*[A-Za-z]+[ \t]*[{(])", re.MULTILINE)
_LINE_WORD = re.compile(r"^[ \t]*@[ \t]*([A-Za-z]+)", re.MULTILINE)
_MARK = re.compile(r"[@%{}]")
_KEY = re.compile(r"\s*([^\s,=(){}@\"]+)")
_INSIDE_PARENTHESES = re.compile(r'[{")]')


class BibEntry(Struct, frozen=True):
    """An entry as it is written. ``fields`` are in LaTeX; ``places`` are the fields' offsets.

    ``repeated`` has the name and offset of each field that appears again.
    """

    type: str
    key: str
    fields: dict[str, str]
    places: dict[str, int]
    offset: int
    repeated: tuple[tuple[str, int], ...] = ()

    def place(self, name: str) -> int:
        """Return the offset of the field, or of the entry if it has no such field."""
        return self.places.get(name, self.offset)


class Budget(Struct):
    """How many characters the expansion of strings and crossrefs may still add."""

    left: int = LARGEST_EXPANSION

    def take(self, amount: int) -> bool:
        """Use up ``amount`` characters; return whether there were that many left."""
        self.left -= amount
        return self.left >= 0


def scan(source: Source, budget: Budget) -> tuple[list[BibEntry], list[Finding]]:
    """Return the entries in the order of the file, and a finding (PN401) for each that is broken.

    ``budget`` limits how far strings may expand.
    """
    scanner = _Scanner(source, budget)
    scanner.run()
    return scanner.entries, scanner.findings


class _Scanner:
    def __init__(self, source: Source, budget: Budget) -> None:
        self.source = source
        self.text = source.text
        self.entries: list[BibEntry] = []
        self.findings: list[Finding] = []
        self.budget = budget
        self.strings = CaseInsensitiveDict(month_names)
        self.closing = _closing_braces(self.text)
        self.heads = [found.end() for found in _LINE_HEAD.finditer(self.text)]
        words = _LINE_WORD.finditer(self.text)
        self.words = {self.text.index("@", found.start()): found[1] for found in words}
        # Up to this offset lies the text of a broken entry, in which every line that looks like an
        # entry ends the one before.
        self.broken_until = 0
        self.loose = 0  # braces that are opened outside of entries and not closed yet

    def run(self) -> None:
        at = 0
        while (mark := _MARK.search(self.text, at)) is not None:
            if len(self.findings) >= MOST_ERRORS:
                self._error(mark.start(), "too many errors: the rest of the file is not read", "")
                return
            at = self._step(mark.start(), mark.group())

    def _step(self, at: int, mark: str) -> int:
        """Handle the mark at ``at`` and return the offset at which to go on."""
        if mark == "%":
            newline = self.text.find("\n", at)
            return newline if newline >= 0 else len(self.text)
        if mark != "@":
            self._loose_brace(at, mark)
            return at + 1
        head = _HEAD.match(self.text, at)
        if head is None:
            return self._no_head(at)
        self.loose = 0
        return self._command(head)

    def _loose_brace(self, at: int, mark: str) -> None:
        if mark == "{":
            self.loose += 1
        elif self.loose > 0:
            self.loose -= 1
        else:
            self._error(at, "a closing brace outside of any entry",
                        "the entry before it has one closing brace too many")  # fmt: skip
            self.loose = len(self.text)  # no second finding of this kind before the next entry

    def _no_head(self, at: int) -> int:
        """Handle an at sign that begins no entry, which is an error only at the start of a line."""
        name = self.words.get(at)
        if name is not None and name.lower() != "comment":
            name = cut(name, 60)
            self._error(at, f"no brace after '@{name}'", f"an entry looks like @{name}{{key, ...}}")
        return at + 1

    def _command(self, head: re.Match[str]) -> int:
        at, name = head.start(), head[1].lower()
        later = bisect_right(self.heads, at)
        following = self.heads[later] if later < len(self.heads) else len(self.text)
        end = self._end(head, following)
        if end is not None and end > following and at < self.broken_until:
            end = None
        if end is None:
            delimiter = "brace" if head[2] == "{" else "parenthesis"
            self._error(at, f"{self._named(head)} is never closed",
                        f"a closing {delimiter} is missing")  # fmt: skip
            return following
        if name == "comment" or self._parse(at, end, head):
            return end
        self.broken_until = max(self.broken_until, end)
        return min(end, following)

    def _end(self, head: re.Match[str], limit: int) -> int | None:
        """Return the offset after the delimiter that closes the entry, or None if none does."""
        opening = head.end() - 1
        if head[2] == "{":
            close = self.closing.get(opening)
            return None if close is None else close + 1
        at, quoted = head.end(), False
        while (found := _INSIDE_PARENTHESES.search(self.text, at, limit)) is not None:
            at = found.end()
            if found.group() == "{":
                close = self.closing.get(found.start())
                if close is None:
                    return None
                at = close + 1
            elif found.group() == '"':
                quoted = not quoted
            elif not quoted:
                return at
        return None

    def _parse(self, at: int, end: int, head: re.Match[str]) -> bool:
        parser = _Parser(self.text[at:end], self.strings, self.budget)
        try:
            command, content = next(iter(parser))
        except PybtexSyntaxError as error:
            place = at + min(parser.pos, end - at - 1)
            message = f"{self._named(head)} does not parse: {_reason(error)}"
            self._error(place, message, _advice(error, self.text, place))
            return False
        if command.lower() in ("string", "preamble"):
            return True
        self.entries.append(_entry(command, content, parser.places, at))
        return True

    def _named(self, head: re.Match[str]) -> str:
        kind = head[1].lower()
        if kind in ("string", "preamble", "comment"):
            return f"this @{kind}"
        found = _KEY.match(self.text, head.end(), head.end() + 200)
        return f"the entry '{cut(found[1], 60)}'" if found else f"this @{cut(kind, 60)}"

    def _error(self, at: int, message: str, hint: str) -> None:
        self.findings.append(self.source.finding(at, "PN401", message, hint))


class _Parser(LowLevelParser):  # type: ignore[misc]
    """pybtex's parser of one entry, extended to record the place of each field.

    ``skip_to`` searches for braces and quotes together. That of pybtex searches for each of them to
    the end of the text, which takes quadratic time if one is missing.
    """

    pos: int

    def __init__(self, text: str, strings: Any, budget: Budget) -> None:
        super().__init__(text, macros=strings)
        self.budget = budget
        self.places: list[int] = []
        self.literals = {
            "{": self.LBRACE, "}": self.RBRACE, '"': self.QUOTE, "@": self.AT
        }  # fmt: skip

    def skip_to(self, patterns: list[Any]) -> Any:
        wanted = "".join(c for c, literal in self.literals.items() if literal in patterns)
        found = re.compile(f"[{re.escape(wanted)}]").search(self.text, self.pos)
        if found is None:
            return None
        value = self.text[self.pos : found.end()]
        self.pos = found.end()
        self.update_lineno(value)
        return Token(value, self.literals[found.group()])

    def parse_field(self) -> None:
        self.eat_whitespace()
        start, known = self.pos, len(self.current_fields)
        super().parse_field()
        if self.current_field_name and self.current_value:
            self.places[known:] = [start]

    def substitute_macro(self, name: str) -> str:
        value: str = super().substitute_macro(name)
        if not self.budget.take(len(value)):
            raise PybtexSyntaxError("the strings of this file grow too large", self)
        return value


def _entry(command: str, content: Any, places: list[int], at: int) -> BibEntry:
    key, pairs = content
    fields: dict[str, str] = {}
    offsets: dict[str, int] = {}
    repeated: list[tuple[str, int]] = []
    for (written, parts), place in zip(pairs, places, strict=True):
        name = written.lower()
        if name in fields:
            repeated.append((name, at + place))
            continue
        fields[name] = tidy("".join(parts))
        offsets[name] = at + place
    return BibEntry(command.lower(), key, fields, offsets, at, tuple(repeated))


def _closing_braces(text: str) -> dict[int, int]:
    """Return the offset of the closing brace for each opening brace that has one."""
    opened: list[int] = []
    closing: dict[int, int] = {}
    for found in re.finditer(r"[{}]", text):
        if found.group() == "{":
            opened.append(found.start())
        elif opened:
            closing[opened.pop()] = found.start()
    return closing


def _reason(error: PybtexSyntaxError) -> str:
    if isinstance(error, UndefinedMacro):
        return f"the string '{cut(str(error.args[0]), 60)}' is not defined"
    if isinstance(error, PrematureEOF):
        return "it ends too early"
    return str(error.args[0])


def _advice(error: PybtexSyntaxError, text: str, place: int) -> str:
    if isinstance(error, UndefinedMacro):
        return "put words in braces, or define the string before its first use"
    if isinstance(error, PrematureEOF):
        return "a brace or a quotation mark is missing"
    if "unbalanced" in str(error.args[0]):
        return "each opening brace needs its closing one"
    if text[place] == "%":
        return "BibTeX has no comments inside an entry: move it outside"
    if text[place].isalpha() and "'}'" in str(error.args[0]):
        return "a comma is missing before this field"
    return "a field looks like name = {value},"
