"""Escapes plain text for Markdown, and writes code spans, fences and addresses."""

from __future__ import annotations

import re

# An address in running text; the trailing punctuation belongs to the sentence.
URL = re.compile(
    r"https?://[^\s<>\"'`|\\^{}\u3000-\u303f\uff00-\uffef\u4e00-\u9fff\[\]]+", re.IGNORECASE
)
_TRAILING = ".,;:!?)'\"*_~"
_ALWAYS = re.compile(r"[\\`*\[\]<$]|[@](?=\w)|\{|~(?=~)|=(?==)|&(?=#?\w{1,31};)|(?<!\w)_|_(?!\w)")
_AT_START = re.compile(
    r"[ \t]*(?:(?P<sign>#{1,6}(?=[ \t]|$)|[-+](?=[ \t]|$)|>|=+[ \t]*$|-+[ \t]*$"
    r"|~~~|!!!|\?\?\?|:(?=[ \t])"
    r"|={3}|\|)|\d{1,9}(?P<dot>[.)](?=[ \t]|$)))"
)


def address(found: str) -> str:
    """A match of ``URL`` without the punctuation of the surrounding sentence at its end."""
    bare = found.rstrip(_TRAILING)
    rest = found[len(bare) :]
    # A closing bracket belongs to the address if the opening one does.
    if rest.startswith(")") and bare.count("(") > bare.count(")"):
        bare += ")"
    return bare


def escape(text: str, *, links: bool = True) -> str:
    """Escape text in the middle of a line; with ``links``, addresses in it become links.

    At the beginning of a line ``line_start`` is needed as well.
    """
    parts: list[str] = []
    at = 0
    for found in URL.finditer(text):
        bare = address(found[0])
        parts.append(_signs(text[at : found.start()]))
        parts.append(f"<{bare}>" if links else _signs(bare))
        at = found.start() + len(bare)
    parts.append(_signs(text[at:]))
    return "".join(parts)


def _signs(text: str) -> str:
    return _ALWAYS.sub(lambda m: "\\" + m[0], text)


def line_start(line: str) -> str:
    """Escape the beginning of a line, so that it begins no list, heading, quote or the like."""
    found = _AT_START.match(line)
    if not found:
        return line
    at = found.start("dot") if found["dot"] else found.start("sign")
    return f"{line[:at]}\\{line[at:]}"


def escape_bars(words: str) -> str:
    """Escape the bars of Markdown that becomes a cell of a table."""
    return re.sub(r"(?<!\\)\|", r"\\|", words)


def span(code: str) -> str:
    """A code span on one line."""
    code = " ".join(code.split())
    if not code:
        return ""
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if code[0] == "`" or code[-1] == "`" else ""
    return f"{ticks}{pad}{code}{pad}{ticks}"


def fence(code: str, language: str) -> str:
    """A fenced code block; the fence is longer than any run of backticks in the code."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    ticks = "`" * (longest + 1)
    return f"{ticks}{language}\n{code}\n{ticks}"


_IPV6 = re.compile(r"https?://\[[0-9a-f:.]+\]", re.IGNORECASE)


def destination(address: str) -> str:
    """An address, escaped for the parentheses of a link."""
    address = address.strip()
    host = _IPV6.match(address)  # the brackets of an IPv6 address must stay
    whole = host[0] if host else ""
    out = re.sub(r"[\x00-\x20<>\\()\"\[\]`]", lambda m: f"%{ord(m[0]):02X}", address[len(whole) :])
    return whole + out or "#"
