"""Jekyll: Liquid tags and Kramdown's attribute lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from perfnotes.contribute.imports.codelang import guess, our_name
from perfnotes.contribute.imports.escape import destination, fence, span
from perfnotes.contribute.imports.imported_page import Change, ImportedPage

_HIGHLIGHT = re.compile(
    r"^[ \t]*\{%-?\s*highlight\s+(?P<lang>[\w+#.-]+)(?P<options>[^%\n]*?)-?%\}[ \t]*"
    r"\n?(?P<code>(?:(?!\{%-?\s*highlight\b).)*?)\n?"  # the next one would have to end first
    r"[ \t]*\{%-?\s*endhighlight\s*-?%\}[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_RAW = re.compile(r"\{%-?\s*(?:end)?raw\s*-?%\}")
_BASE = re.compile(r"\{\{\s*(?:site\.(?:baseurl|url)|page\.url)\s*\}\}")
_RELATIVE = re.compile(r"\{\{\s*[\"']([^\"'{}]+)[\"']\s*\|\s*(?:relative|absolute)_url\s*\}\}")
_POST = re.compile(r"\{%-?\s*(?P<tag>post_url|link)\s+(?P<to>[^\s%]+)\s*-?%\}")
_PAGES = ("", ".md", ".markdown", ".html")
_TAG = re.compile(r"\{%(?:(?!\{%).)*?%\}|\{\{(?![<%])(?:(?!\{\{).)*?\}\}")
_INLINE_ATTRIBUTES = re.compile(r"^[ \t]*\{:[^{}\n]*\}[ \t]*$|\{:[^{}\n]*\}", re.MULTILINE)
# Kramdown accepts one row of hyphens below a table's head; Markdown needs hyphens for each column.
_SHORT_RULE = re.compile(r"^(?P<head>\|.*\|)[ \t]*\n(?P<rule>\|-+\|)[ \t]*$", re.MULTILINE)
_ONLY_ID = re.compile(r"\{:?\s*#[\w.-]+\s*\}")


def fences(page: ImportedPage) -> Iterator[Change]:
    """``{% highlight c %}`` blocks."""
    for found in _HIGHLIGHT.finditer(page.text):
        language = our_name(found["lang"])
        said = ""
        if not language:
            language, why = guess(found["code"])
            said = f"code in {found['lang']!r}, which is no known language: {language}, as {why}"
        yield Change(found.start(), found.end(), fence(found["code"], language), said,
                     "", found["options"].strip())  # fmt: skip


def changes(page: ImportedPage) -> Iterator[Change]:
    for found in _RAW.finditer(page.text):
        if not page.is_verbatim(found.start()):
            yield Change(found.start(), found.end(), "")
    for found in _BASE.finditer(page.text):
        yield Change(found.start(), found.end(), "")
    for found in _RELATIVE.finditer(page.text):
        yield Change(found.start(), found.end(), found[1])
    for found in _POST.finditer(page.text):
        # A page is resolved by its name later; any other file keeps its path.
        wiki = found["tag"] == "post_url" or PurePosixPath(found["to"]).suffix in _PAGES
        to = destination(found["to"])
        yield Change(found.start(), found.end(), f"wiki:{to}" if wiki else to)
    for found in _TAG.finditer(page.text):
        if page.is_verbatim(found.start()) or _RAW.match(found[0]) or _POST.match(found[0]):
            continue
        if _BASE.match(found[0]) or _RELATIVE.match(found[0]) or "\n" in found[0]:
            continue
        said = f"{found[0][:80]} is kept as code: only Jekyll can fill it in"
        yield Change(found.start(), found.end(), span(found[0]), said, "write what it stands for")
    for found in _SHORT_RULE.finditer(page.text):
        if found["head"].count("|") > 2 and not page.is_verbatim(found.start()):
            columns = len(re.split(r"(?<!\\)\|", found["head"])) - 2
            yield Change(found.start("rule"), found.end("rule"), "|" + " --- |" * columns)
    for found in _INLINE_ATTRIBUTES.finditer(page.text):
        if page.is_verbatim(found.start()) or _ONLY_ID.fullmatch(found[0].strip()):
            continue
        said = f"{found[0].strip()} was moved into the front matter: it only sets the appearance"
        yield Change(found.start(), found.end(), "", said, "", found[0].strip())
