"""CSS of SVG files from strangers: what a browser could load by it is refused.

A style sheet loads files by at-rules (``@import``), by functions (``url()``, ``image-set()``) and
by spellings of these with escapes. So only at-rules and functions that load nothing are let
through, ``url()`` only with a fragment of the same file, and no escapes. No property loads a file
by a plain string or word, so the properties themselves may be any.
"""

from __future__ import annotations

import re

_AT_RULES = frozenset("media keyframes -webkit-keyframes supports".split())
_FUNCTIONS = frozenset(
    # colours
    "rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark "
    # numbers
    "var calc min max clamp "
    # transforms, paths and timing
    "matrix matrix3d perspective rotate rotate3d rotatex rotatey rotatez scale scale3d scalex "
    "scaley scalez skew skewx skewy translate translate3d translatex translatey translatez "
    "path inset circle ellipse polygon cubic-bezier steps linear "
    # filters
    "blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia "
    # selectors and conditions
    "not is where has nth-child nth-last-child nth-of-type nth-last-of-type lang host and or "
    # of editors
    "rect".split()
)
_TOKEN = re.compile(
    r"""
      /\*.*?\*/
    | "[^"\n\r\f\\]*" | '[^'\n\r\f\\]*'
    | url\(\s* (?: "\#[^"\n\\]*" | '\#[^'\n\\]*' | \#[^\s"'()\\]* ) \s*\)
    | @(?P<rule>[\w-]*)
    | (?P<function>[\w-]+)\(
    | [\w-]+
    | [^"'@\\]
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


def style_problem(style: str) -> str:
    """What a style sheet, or the value of an attribute, may not hold; nothing where it is clean."""
    at = 0
    while at < len(style):
        token = _TOKEN.match(style, at)
        if token is None:
            return "an escape" if style[at] == "\\" else "a string without an end"
        rule, function = token["rule"], token["function"]
        if rule is not None and rule.lower() not in _AT_RULES:
            return f"@{rule}"
        if function is not None and function.lower() not in _FUNCTIONS:
            reaches = function.lower() == "url"
            return "a reference outside the SVG file" if reaches else f"{function}()"
        if token[0] == "/" and style.startswith("/*", at):
            return "a comment without an end"
        at = token.end()
    return ""
