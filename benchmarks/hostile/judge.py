"""Finding what a finished page or figure would run, or would fetch from other hosts.

This shares no code with ``perfnotes.site.safety`` and ``perfnotes.text.svg``, so that it does not
share their mistakes. It lists what browsers act on; those modules list what notes may contain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree import ElementTree

from selectolax.lexbor import LexborHTMLParser

_RUNS = ("script", "iframe", "object", "embed", "applet", "frame", "frameset", "portal")
_ASKS = ("link", "base", "meta", "style", "form", "audio", "video", "source", "track")
_ADDRESSES = (
    "href", "src", "xlink:href", "action", "formaction", "data", "poster", "srcset", "ping",
    "background", "cite", "manifest", "from", "to", "values", "by",
)  # fmt: skip
_SCRIPT = re.compile(r"(?:javascript|vbscript|data:text/html|data:application)", re.IGNORECASE)
_HOST = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?[\\/]{2}", re.IGNORECASE)
_CSS = re.compile(r"url\(\s*['\"]?(?!#|['\"]?#)|@import|image-set|expression\(", re.IGNORECASE)
_BLANK = re.compile(r"[\x00-\x20]+")


@dataclass(frozen=True)
class Verdict:
    """What was found: ``scripts`` would run, ``requests`` would ask another host."""

    scripts: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()


def page(html: str) -> Verdict:
    """Judge the HTML of a note's text."""
    scripts: list[str] = []
    requests: list[str] = []
    root = LexborHTMLParser(html).root
    for node in root.traverse() if root else ():
        tag = node.tag or ""
        if tag in _RUNS:
            scripts.append(f"<{tag}>")
        elif tag in _ASKS:
            requests.append(f"<{tag}>")
        _attributes(tag, {k: v or "" for k, v in node.attributes.items()}, scripts, requests)
    return Verdict(tuple(scripts), tuple(requests))


def figure(data: bytes) -> Verdict:
    """Judge an SVG file that is opened by itself."""
    scripts: list[str] = []
    requests: list[str] = []
    for element in ElementTree.fromstring(data).iter():
        tag = str(element.tag).rpartition("}")[2]
        if tag in (*_RUNS, "handler", "foreignObject"):
            scripts.append(f"<{tag}>")
        if tag == "style" and _CSS.search("".join(element.itertext())):
            requests.append("<style>")
        named = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
        _attributes(tag, named, scripts, requests)
    return Verdict(tuple(scripts), tuple(requests))


def _attributes(
    tag: str, attributes: dict[str, str], scripts: list[str], requests: list[str]
) -> None:
    for name, value in attributes.items():
        compact = _BLANK.sub("", value)
        if name.startswith("on") or name == "srcdoc":
            scripts.append(f"{name} of <{tag}>")
        elif name in _ADDRESSES and _SCRIPT.match(compact):
            scripts.append(f"{name}={value[:30]} of <{tag}>")
        elif name in _ADDRESSES and tag != "a" and _HOST.match(compact) and name != "cite":
            requests.append(f"{name}={value[:30]} of <{tag}>")
        elif name == "ping" or (_CSS.search(value) and name not in ("title", "alt", "aria-label")):
            requests.append(f"{name} of <{tag}>")
