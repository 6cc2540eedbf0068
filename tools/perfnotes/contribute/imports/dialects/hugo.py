"""Hugo: shortcodes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.contribute.imports.codelang import guess, our_name
from perfnotes.contribute.imports.escape import destination, fence, span
from perfnotes.contribute.imports.imported_page import Change, ImportedPage

_OPEN = r"\{\{[<%]"
_CLOSE = r"[>%]\}\}"
_HIGHLIGHT = re.compile(
    rf"^[ \t]*{_OPEN}\s*highlight\s+\"?(?P<lang>[\w+#.-]+)\"?(?P<options>[^\n]*?){_CLOSE}[ \t]*"
    rf"\n?(?P<code>(?:(?!{_OPEN}\s*highlight\b).)*?)\n?"  # the next one would have to end first
    rf"[ \t]*{_OPEN}\s*/\s*highlight\s*{_CLOSE}[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_SHORTCODE = re.compile(
    rf"{_OPEN}(?P<slash>\s*/)?\s*(?P<name>[\w/.-]+)(?P<rest>(?:(?!{_OPEN}).)*?)(?:\n\s*)?{_CLOSE}"
)
_VALUE = r"(?:\"(?:[^\"\\]|\\.)*\"|`[^`]*`|[^\s\"`=]+)"
_ARGUMENT = re.compile(rf"(?:(?P<key>[\w-]+)\s*=\s*)?(?P<value>{_VALUE})")
_REFERENCE = ("ref", "relref")
_CALLOUTS = {"notice", "alert", "callout", "hint", "admonition", "note", "tip", "warning", "info",
             "important", "caution", "danger"}  # fmt: skip
_KINDS = {"note": "NOTE", "info": "NOTE", "tip": "TIP", "hint": "TIP", "success": "TIP",
          "warning": "WARNING", "warn": "WARNING", "danger": "CAUTION", "caution": "CAUTION",
          "error": "CAUTION", "important": "IMPORTANT"}  # fmt: skip


def fences(page: ImportedPage) -> Iterator[Change]:
    """``{{< highlight c >}}`` blocks."""
    for found in _HIGHLIGHT.finditer(page.text):
        language = our_name(found["lang"])
        said = ""
        if not language:
            language, why = guess(found["code"])
            said = f"code in {found['lang']!r}, which is no known language: {language}, as {why}"
        options = found["options"].strip()
        yield Change(found.start(), found.end(), fence(found["code"], language), said, "", options)


def changes(page: ImportedPage) -> Iterator[Change]:
    text = page.text
    skip = 0
    for found in _SHORTCODE.finditer(text):
        if found.start() < skip or page.is_verbatim(found.start()):
            continue
        name = found["name"].lower()
        named, plain = _arguments(found["rest"].rstrip().removesuffix("/"))
        if name in _REFERENCE and not found["slash"]:
            target = named.get("path") or (plain[0] if plain else "")
            yield Change(found.start(), found.end(), f"wiki:{destination(target)}")
        elif name in ("figure", "img", "image") and not found["slash"] and named.get("src"):
            yield _figure(found.start(), found.end(), named)
        elif name in _CALLOUTS and not found["slash"]:
            change = _callout(page, found, name, named, plain)
            if change:
                skip = change.end
                yield change
            else:
                yield _verbatim(found)
        elif name in ("youtube", "vimeo") and plain:
            host = {"youtube": "https://www.youtube.com/watch?v=", "vimeo": "https://vimeo.com/"}
            address = host[name] + destination(plain[0])
            said = f"the {name} shortcode became a link"
            yield Change(found.start(), found.end(), f"<{address}>", said)
        else:
            yield _verbatim(found)


def _verbatim(found: re.Match[str]) -> Change:
    said = f"{found[0][:80]} is kept as code: only Hugo can fill it in"
    return Change(found.start(), found.end(), span(found[0]), said, "write what it stands for")


def _arguments(rest: str) -> tuple[dict[str, str], list[str]]:
    named: dict[str, str] = {}
    plain: list[str] = []
    for found in _ARGUMENT.finditer(rest):
        value = found["value"]
        if value[:1] in '"`' and len(value) > 1:
            value = value[1:-1].replace('\\"', '"')
        if found["key"]:
            named[found["key"].lower()] = value
        else:
            plain.append(value)
    return named, plain


def _figure(start: int, end: int, named: dict[str, str]) -> Change:
    shown = [named[k] for k in ("title", "caption", "attr") if named.get(k)]
    words = named.get("alt") or (shown[0] if shown else "")
    words = re.sub(r"([\[\]\\])", r"\\\1", " ".join(words.split()))
    new = f"![{words}]({destination(named['src'])})"
    for caption in shown:
        new += f"\n\n*{caption}*" if "*" not in caption else f"\n\n{caption}"
    rest = {k: v for k, v in named.items() if k not in ("src", "alt", "title", "caption", "attr")}
    aside = " ".join(f'{k}="{v}"' for k, v in rest.items())
    return Change(start, end, new, "the figure shortcode became an image", "", aside)


def _callout(
    page: ImportedPage, found: re.Match[str], name: str, named: dict[str, str], plain: list[str]
) -> Change | None:
    """The callout for a pair of shortcodes around Markdown; None if the closing one is missing."""
    end = re.compile(rf"{_OPEN}\s*/\s*{re.escape(found['name'])}\s*{_CLOSE}").search(
        page.text, found.end()
    )
    before = page.text[page.line_start(found.start()) : found.start()]
    if not end or before.strip():
        return None
    given = [*plain, *(named.get(k, "") for k in ("type", "style", "level", "color"))]
    kind = next((_KINDS[w.lower()] for w in (*given, name) if w.lower() in _KINDS), "NOTE")
    title = named.get("title", "") or " ".join(w for w in plain if w.lower() not in _KINDS)
    inside = page.text[found.end() : end.start()].strip("\n")
    head = f"**{title}**\n\n" if title else ""
    rows = [f"[!{kind}]", *(head + inside.strip()).split("\n")]
    made = "\n".join(f"> {row}".rstrip() for row in rows)
    rest = page.text[end.end() : page.text.find("\n", end.end()) % (len(page.text) + 1)]
    if rest.strip():
        made += "\n\n"
    used = {"title", "type", "style", "level", "color"}
    aside = " ".join(f'{k}="{v}"' for k, v in named.items() if k not in used)
    said = f"the {name} shortcode became a [!{kind}] callout"
    return Change(found.start(), end.end(), made, said, "", aside)
