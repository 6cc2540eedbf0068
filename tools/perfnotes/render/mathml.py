"""Math at build time: TeX becomes MathML, which browsers set without a script."""

from __future__ import annotations

import re
from functools import lru_cache

from latex2mathml.converter import convert

from perfnotes.render.markup import escape

_TEXT = re.compile(r">([^<]+)<")
_MARKDOWN = re.compile(r"[\\`*_{}\[\]#!|~^=$@+\-.()]")
_LONGEST = 4000  # characters; the converter recurses


class MathError(ValueError):
    """The TeX cannot be converted; the message says why."""


@lru_cache(maxsize=4096)
def mathml(tex: str, display: bool) -> str:
    """One line of MathML, the TeX kept as its annotation. Raises MathError."""
    if len(tex) > _LONGEST or tex.count("{") > 400:
        raise MathError(f"the formula has more than {_LONGEST} characters or 400 groups")
    if tex.count("{") - tex.count(r"\{") != tex.count("}") - tex.count(r"\}"):
        raise MathError("braces do not match")
    try:
        out = convert(tex, display="block" if display else "inline")
    except (Exception, RecursionError) as error:  # the converter raises many kinds
        raise MathError(str(error) or type(error).__name__) from error
    out = " ".join(out.split())
    # Markdown must not see an operator such as * or _ as its own.
    out = _TEXT.sub(lambda m: ">" + _MARKDOWN.sub(_reference, m[1]) + "<", out)
    label = escape(" ".join(tex.split()))
    label = _MARKDOWN.sub(_reference, label)
    return out.replace("<math ", f'<math alttext="{label}" ', 1)


def _reference(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"
