"""Converts TeX to MathML during the build, so that browsers show formulas without a script."""

from __future__ import annotations

import re
from functools import lru_cache
from xml.etree import ElementTree as ET

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>&~^|$@\"]")
# Environment that the converter does not know → one that looks the same, apart from numbers.
_ENVIRONMENTS = {
    "aligned": "split", "align": "align*", "alignedat": "split", "eqnarray": "split",
    "eqnarray*": "split", "gather": "matrix", "gather*": "matrix", "gathered": "matrix",
    "dcases": "cases",
}  # fmt: skip
_ENVIRONMENT = re.compile(r"\\(begin|end)\{([a-zA-Z]+\*?)\}")
_FRAME = re.compile(r"\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}")
_UNKNOWN = re.compile(r"<mi>(\\[A-Za-z]+)</mi>")
_ESCAPED = re.compile(r"\\([_%&#${}])")
# The converter does not escape these characters inside \text{…}.
_STRAY = re.compile(r"&(?!#)|<(?!/?m[a-z]*[ />])")
# The converter is recursive, so a formula with more could exhaust the stack.
_LONGEST = 4000  # characters
_MOST_GROUPS = 400


class MathError(ValueError):
    """The TeX cannot be converted; the message says why."""


@lru_cache(maxsize=4096)
def mathml(tex: str, display: bool) -> str:
    """Return a formula as one line of MathML. Raises ``MathError`` if it cannot be converted."""
    if len(tex) > _LONGEST or tex.count("{") > _MOST_GROUPS:
        most = f"{_LONGEST} characters or {_MOST_GROUPS} groups"
        raise MathError(f"the formula has more than {most}")
    if tex.count("{") - tex.count(r"\{") != tex.count("}") - tex.count(r"\}"):
        raise MathError("braces do not match")
    from latex2mathml.converter import convert  # noqa: PLC0415 - most builds have no new formula

    try:
        out = convert(_known(tex), display="block" if display else "inline")
    except (Exception, RecursionError) as error:  # the converter raises many kinds
        raise MathError(str(error) or type(error).__name__) from error
    try:
        root = ET.fromstring(_STRAY.sub(lambda m: "&amp;" if m[0] == "&" else "&lt;", out))
    except ET.ParseError as error:
        raise MathError(f"the converter's output is not XML: {error}") from error
    if any(name in element.attrib for element in root.iter() for name in ("class", "id")):
        # With a class of the site, a formula could look like a number that was measured.
        raise MathError("a formula may not give classes or ids")
    unknown = _UNKNOWN.search(out)
    if unknown:
        raise MathError(f"the command {unknown[1]} is not supported")
    if ">&<" in out:
        raise MathError("an environment is not supported, or an & is outside of any environment")
    if not display:
        root.attrib.pop("display", None)  # inline is the default
    return _written(root)


def _known(tex: str) -> str:
    """Replace environments that the converter does not know by those that it knows."""
    tex = _FRAME.sub("", tex)
    return _ENVIRONMENT.sub(lambda m: f"\\{m[1]}{{{_ENVIRONMENTS.get(m[2], m[2])}}}", tex)


def _written(element: ET.Element) -> str:
    """Write an element on one line, with characters that are special in Markdown as references."""
    name = element.tag.rpartition("}")[2]
    children = list(element)
    if name == "mrow" and len(children) == 1 and not element.attrib:
        return _written(children[0])  # a row of one element needs no <mrow>
    if name == "mo" and children:  # \mathrel{+}: an operator holds text alone
        for operator in element.iter():
            if operator is not element and operator.tag == element.tag:
                operator.attrib.update(element.attrib)
        return "".join(_written(child) for child in children)
    attributes = "".join(f' {key}="{_quoted(value)}"' for key, value in element.attrib.items())
    inside = "".join(_written(child) for child in children)
    text = element.text or ""
    text = _ESCAPED.sub(r"\1", text) if name == "mtext" else text.strip()
    return f"<{name}{attributes}>{_quoted(text)}{inside}</{name}>"


def _quoted(text: str) -> str:
    return _SPECIAL.sub(_reference, text)


def _reference(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"
