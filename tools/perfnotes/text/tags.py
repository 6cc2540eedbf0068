"""Finds raw HTML tags and autolinks."""

from __future__ import annotations

import re

from perfnotes.text.masked import Masked
from perfnotes.text.tokens import HtmlTag, Link

_VALUE = r"(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\")"
TAG = re.compile(
    rf"<(?:/(?P<closed>[A-Za-z][A-Za-z0-9-]*)\s*"
    rf"|(?P<name>[A-Za-z][A-Za-z0-9-]*)(?:\s+[A-Za-z_:@][\w.:@-]*(?:\s*=\s*{_VALUE})?)*\s*/?)>"
)
_TAG_ADDRESS = re.compile(
    r"\s(?P<name>href|src)\s*=\s*(?P<quote>[\"']?)(?P<url>(?<=\")[^\"]*|(?<=')[^']*|[^\s\"'=<>`]+)",
    re.IGNORECASE,
)
_AUTO = re.compile(r"<(?P<url>[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*)>")
_MAIL = re.compile(r"<[^<>@\s\"'=]+@[^<>\s\"'=]+>")


class Tags(Masked):
    """The part of the inline scanner for everything that begins with ``<``."""

    def angle(self, at: int, end: int) -> int:
        """Read what begins with the ``<`` at ``at``; return the offset to go on from."""
        masked, doc = self.masked, self.doc
        auto = _AUTO.match(masked, at, end)
        if auto:
            a, b = auto.span("url")
            doc.links.append(Link("auto", at, auto.end(), a, b, doc.text[a:b], a, b))
            return auto.end()
        mail = _MAIL.match(masked, at, end)
        if mail:
            a, b = at + 1, mail.end() - 1
            dest = "mailto:" + doc.text[a:b]
            doc.links.append(Link("auto", at, mail.end(), a, b, dest, a, b))
            return mail.end()
        if masked.startswith("<!--", at):
            close = self.closing("-->", at + 4)
            if close >= 0:
                doc.code.append((at, close + 3))
                return close + 3
        tag = TAG.match(masked, at, min(end, self.pairs.paragraph_end(at)))
        if tag:
            return self.tag(tag)
        following = masked[at + 1 : at + 2]
        if following.isascii() and (following.isalpha() or following in ("/", "!", "?")):
            self.edit(at, at + 1, "&lt;")  # to the engine this is a tag, to a code host it is text
        return at + 1

    def tag(self, tag: re.Match[str]) -> int:
        at, stop = tag.span()
        name = (tag["name"] or tag["closed"]).lower()
        self.doc.tags.append(HtmlTag(at, stop, name if tag["name"] else f"/{name}"))
        if not tag["name"]:
            return stop
        if name in ("a", "img"):
            wanted = "href" if name == "a" else "src"
            for address in _TAG_ADDRESS.finditer(tag[0]):
                if address["name"].lower() == wanted:
                    a, b = (at + each for each in address.span("url"))
                    self.doc.links.append(Link("html", at, stop, at, at, self.doc.text[a:b], a, b))
                    break
        if name in ("code", "pre", "script", "style", "kbd", "samp") and tag[0][-2] != "/":
            close = self.closing(f"</{name}", stop)
            if close >= 0:
                self.doc.code.append((stop, close))
                return close
        return stop
