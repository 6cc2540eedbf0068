"""A Source: the text of one file, which turns an offset into a line and a column.

Files are UTF-8, with or without a byte order mark, with any line ending. Line endings become line
feeds. Offsets and columns count characters of the text after that.
"""

from __future__ import annotations

import stat
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from perfnotes.text.findings import Finding
from perfnotes.text.hidden import HIDDEN, hidden_name
from perfnotes.text.lazy_field import lazy_field, state_without_loading

LARGEST_FILE = 1024 * 1024  # bytes; far above any note that a person reads


@dataclass(frozen=True)
class Source:
    """One file's text; ``path`` is the name that findings show.

    A source that was stored without its text loads the text when somebody asks for it.
    """

    path: str
    text: str = lazy_field()

    def __getstate__(self) -> dict[str, object]:
        return state_without_loading(self)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, both counted from 1, of the character at ``offset``."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column, or of the text's end if they lie beyond it."""
        starts = self._line_starts
        at = starts[line - 1] + column - 1 if 0 < line <= len(starts) else len(self.text)
        return min(at, len(self.text))

    def line(self, number: int) -> str:
        """Return the line with this number, without its line feed, or "" if there is none."""
        lines = self.text.split("\n", number)
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def finding(self, offset: int, code: str, message: str, hint: str = "") -> Finding:
        line, column = self.position(offset)
        return Finding(self.path, line, column, code, message, hint)


class Data(NamedTuple):
    """A file's bytes, or None and a finding that says why it cannot be read."""

    bytes: bytes | None
    findings: tuple[Finding, ...] = ()


def read_data(file: Path, shown: str) -> Data:
    """Read a file; ``bytes`` is None if it is too large or cannot be read.

    A device such as ``/dev/zero`` has no size and no end, so it is not opened.
    """
    try:
        status = file.stat()
        size = status.st_size
        if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
            return Data(
                None,
                (
                    Finding(
                        shown,
                        1,
                        1,
                        "PN103",
                        "cannot read the file: it is a device, a pipe or a socket",
                    ),
                ),
            )
        if size <= LARGEST_FILE:
            return Data(file.read_bytes())
        message = f"the file has {size:,} bytes, more than the {LARGEST_FILE:,} allowed"
        return Data(None, (Finding(shown, 1, 1, "PN102", message, "split it into several files"),))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return Data(None, (Finding(shown, 1, 1, "PN103", f"cannot read the file: {reason}"),))


def read_source(
    file: Path, shown: str, *, lenient: bool = False
) -> tuple[Source | None, list[Finding]]:
    """Return a file's text, or None, and the findings about it. For ``lenient`` see ``decode``."""
    return source_of(read_data(file, shown), shown, lenient=lenient)


def source_of(
    data: Data, shown: str, *, lenient: bool = False
) -> tuple[Source | None, list[Finding]]:
    """As ``read_source``, for a file that was read already."""
    if data.bytes is None:
        return None, list(data.findings)
    source, findings = decode(data.bytes, shown, lenient=lenient)
    hidden = HIDDEN.search(source.text) if source else None
    if source and hidden:
        more = len(HIDDEN.findall(source.text, hidden.end()))
        others = f", and {more:,} more in this file" if more else ""
        message = f"the character {hidden_name(hidden[0])} is not seen{others}"
        hint = "remove it; in code, write an escape"
        findings.append(source.finding(hidden.start(), "PN107", message, hint))
    return source, findings


def decode(
    data: bytes, shown: str, *, lenient: bool = False
) -> tuple[Source | None, list[Finding]]:
    """Decode UTF-8 and turn every line ending into a line feed.

    Bytes that are not UTF-8, and the control characters NUL, STX and ETX, give a finding and no
    text. With ``lenient`` they also give a finding, but are replaced by U+FFFD.
    """
    findings: list[Finding] = []
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        now = ", which may be UTF-16 now" if b"\0" in data else ""
        hint = f"save the file as UTF-8{now}"
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        findings.append(
            Finding(
                shown, line, column, "PN101",
                f"byte 0x{data[error.start]:02x} is not UTF-8", hint,
            )
        )  # fmt: skip
        if not lenient:
            return None, findings
        text = data.decode("utf-8-sig", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        # Markdown engines use control characters as placeholders of their own.
        at = text.index("\0")
        hint = "remove it, or save the file as UTF-8 if it is UTF-16 now"
        findings.append(Source(shown, text).finding(at, "PN101", "a NUL character", hint))
        if not lenient:
            return None, findings
        text = text.replace("\0", "\ufffd")
    # Python-Markdown marks stored HTML with STX and ETX. A note with them could forge such a mark.
    if "\x02" in text or "\x03" in text:
        at = min(i for i in (text.find("\x02"), text.find("\x03")) if i >= 0)
        findings.append(
            Source(shown, text).finding(
                at, "PN101", "a control character (STX or ETX)", "remove it"
            )
        )
        if not lenient:
            return None, findings
        text = text.replace("\x02", "\ufffd").replace("\x03", "\ufffd")
    return Source(shown, text), findings
