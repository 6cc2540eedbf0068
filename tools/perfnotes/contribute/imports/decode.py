"""Decodes bytes in UTF-8, UTF-16, UTF-32, GB18030, Windows' cp1252 or Latin-1."""

from __future__ import annotations

import codecs
import re

from msgspec import Struct

from perfnotes.text.hidden import HIDDEN

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]")
_SAMPLE = 65536  # bytes that are looked at for signs of another encoding
# Characters of GB2312's first two levels and its punctuation, as pairs of bytes.
_COMMON_HAN = re.compile(rb"[\xb0-\xf7\xa1\xa3][\xa1-\xfe]")
_HIGH = re.compile(rb"[\x80-\xff]")


class Decoded(Struct, frozen=True):
    """A decoded text.

    ``why`` is the reason for the encoding if that was a guess. ``replaced`` is the number of
    control characters that became U+FFFD, ``removed`` that of other characters that nobody sees.
    """

    text: str
    encoding: str
    why: str = ""
    replaced: int = 0
    removed: int = 0


class BinaryError(ValueError):
    """The bytes are no text."""


def decode(data: bytes, encoding: str = "") -> Decoded:
    """Decode in the given encoding, or in one that is guessed; the text is as ``clean`` makes it.

    Raises ``BinaryError`` if the bytes are no text, ``LookupError`` if ``encoding`` is unknown.
    """
    if encoding:
        mark = next((m for m, name in _MARKS if data.startswith(m) and encoding == name), b"")
        return _cleaned(data[len(mark) :].decode(encoding, "replace"), encoding, "")
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _cleaned(data[len(mark) :].decode(name, "replace"), name, "")
    wide = _utf16(data[:_SAMPLE])
    if wide:
        return _cleaned(data.decode(wide, "replace"), wide, "every other byte is zero")
    if b"\0" in data[:_SAMPLE] or _is_binary(data[:_SAMPLE]):
        raise BinaryError("the file is no text")
    try:
        return _cleaned(data.decode("utf-8"), "utf-8", "")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and error.start > len(data) - 4 > 0:
            return _cleaned(data.decode("utf-8", "replace"), "utf-8", "its last character is cut")
    text = _gb18030(data)
    if text is not None:
        return _cleaned(text, "gb18030", "it is not UTF-8, and its bytes are common Chinese")
    why = "it is not UTF-8, and its bytes are not Chinese"
    try:
        return _cleaned(data.decode("cp1252"), "cp1252", why)
    except UnicodeDecodeError:
        return _cleaned(data.decode("latin-1"), "latin-1", why)


def clean(text: str) -> tuple[str, int, int]:
    """The text with line feeds only, U+FFFD for control characters and no other hidden ones.

    Returns as well how many characters became U+FFFD, and how many were removed, apart from byte
    order marks.
    """
    text = _LINE_ENDS.sub("\n", text).replace("\ufeff", "")
    text, replaced = _CONTROL.subn("\ufffd", text)
    text, removed = HIDDEN.subn("", text)
    return text, replaced, removed


def _cleaned(text: str, encoding: str, why: str) -> Decoded:
    text, replaced, removed = clean(text)
    if replaced > 20 and replaced * 10 > len(text):
        raise BinaryError("the file is no text")
    return Decoded(text, encoding, why, replaced, removed)


def _utf16(sample: bytes) -> str:
    """The byte order if this is UTF-16 without a byte order mark, mostly ASCII; else ""."""
    if len(sample) < 4 or (len(sample) % 2 and len(sample) < _SAMPLE):
        return ""
    half = len(sample) // 2
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > half * 0.6 and even < half * 0.02:
        return "utf-16-le"
    if even > half * 0.6 and odd < half * 0.02:
        return "utf-16-be"
    return ""


def _is_binary(sample: bytes) -> bool:
    strange = sum(sample.count(bytes([b])) for b in range(32) if b not in (9, 10, 11, 12, 13, 27))
    return strange * 20 > len(sample)


def _gb18030(data: bytes) -> str | None:
    """The text if this is GB18030 and most bytes above 0x7f are of common Chinese characters."""
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError as error:
        if error.start < len(data) - 4:
            return None
        text = data.decode("gb18030", "replace")  # cut in its last character
    high = len(_HIGH.findall(data))
    return text if high and 2 * len(_COMMON_HAN.findall(data)) > high * 0.7 else None
