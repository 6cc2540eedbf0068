"""Checks the CSS of SVG files from strangers: it must not make a browser load anything.

A style sheet loads files by at-rules (``@import``), by functions (``url()``, ``image-set()``) and
by these written with escapes. So only at-rules and functions that load nothing are allowed,
``url()`` only with a fragment of the same file, and escapes not at all. No property loads a file
that is given as a plain string or word, so all properties are allowed.
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
    # written by drawing programs
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
    """Return a name for the first thing in a style sheet or attribute value that is not allowed.

    It is empty if everything is allowed.
    """
    at = 0
    while at < len(style):
        token = _TOKEN.match(style, at)
        if token is None:
            return "an escape" if style[at] == "\\" else "a string without an end"
        rule, function = token["rule"], token["function"]
        if rule is not None and rule.lower() not in _AT_RULES:
            return f"@{rule}"
        if function is not None and function.lower() not in _FUNCTIONS:
            is_url = function.lower() == "url"
            return "a reference outside the SVG file" if is_url else f"{function}()"
        if token[0] == "/" and style.startswith("/*", at):
            return "a comment without an end"
        at = token.end()
    return ""
