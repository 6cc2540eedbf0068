"""The steps that turn Markdown of other programs into ours, except for links, in their order."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.contribute.imports import codeblocks, marks_to_text, rawhtml
from perfnotes.contribute.imports.dialects import dialects
from perfnotes.contribute.imports.escape import fence, span
from perfnotes.contribute.imports.imported_page import Change, ImportedPage, run
from perfnotes.site.render.mathml import MathError, mathml
from perfnotes.text.hidden import hidden_references
from perfnotes.text.tokens import Definition

_MAIL = re.compile(r"(?<!\\)<(?=[^<>\s!]+@[^@<>\s]+>)")
_BLANKS = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")
_ATTRIBUTE = (
    r"(?:[#.][\w:.-]+(?:#[\w:.-]+)*|(?:width|height|style|class|id|align|loading|target|rel|title"
    r"|alt|lang|dir|start|on\w+|data-[\w-]+|\.?numberLines|linenos|hl_lines|markdown)"
    r"=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"']\S*))"
)
# Attributes are separated by spaces, so that a list of them matches in one way only, in linear
# time.
_ATTRIBUTES = re.compile(rf"[ ]*{_ATTRIBUTE}(?:[ ]+{_ATTRIBUTE})*[ ]*", re.IGNORECASE)
_ID = re.compile(r"#([\w:.-]+)")


def in_our_form(page: ImportedPage, *, markdown: bool = True) -> ImportedPage:
    """The page after all steps up to links.

    The dialects of Markdown are tried only if the source was Markdown, because elsewhere ``%%``
    begins no comment.
    """
    known = dialects() if markdown else ()
    for dialect in known:
        if hasattr(dialect, "fences"):
            page = run(page, dialect.fences)
    page = run(page, codeblocks.closed)
    page = run(page, codeblocks.languages)
    page = run(page, codeblocks.indented, 1)
    for dialect in known:
        page = run(page, dialect.changes)
    page = run(page, hidden)
    page = run(page, definitions, 1)
    page = run(page, rawhtml.comments)
    page = run(page, rawhtml.blocks)
    page = run(page, rawhtml.tags)
    page = run(page, definitions, 1)  # definitions between tags are visible only now
    page = run(page, rawhtml.comments)
    page = run(page, rawhtml.declarations)
    page = run(page, attributes)
    return run(page, formulas)


def after_links(page: ImportedPage) -> ImportedPage:
    """Run steps again, after the links are resolved, on what earlier steps have written."""
    for step in (codeblocks.closed, codeblocks.languages, rawhtml.comments, rawhtml.tags,
                 words_of_tags, rawhtml.declarations, attributes, formulas, mails,
                 marks_to_text.callouts, marks_to_text.footnotes, marks_to_text.unfinished,
                 marks_to_text.repeated_ids, blanks):  # fmt: skip
        page = run(page, step)
    return page


def hidden(page: ImportedPage) -> Iterator[Change]:
    """Remove references to characters that nobody sees, such as ``&#8203;``."""
    for match, _ in hidden_references(page.text):
        if not page.is_verbatim(match.start()):
            said = f"a character that nobody sees was removed: `{match[0]}`"
            yield Change(match.start(), match.end(), "", said)


def mails(page: ImportedPage) -> Iterator[Change]:
    """Escape ``<a@b>``, which the engine would take for a mail address."""
    for found in _MAIL.finditer(page.text):
        if not page.is_verbatim(found.start()):
            yield Change(found.start(), found.start(), "\\")


def blanks(page: ImportedPage) -> Iterator[Change]:
    """Leave one of several blank lines."""
    for found in _BLANKS.finditer(page.text):
        if not page.is_verbatim(found.start() + 1):
            yield Change(found.start(), found.end(), "\n\n")


def definitions(page: ImportedPage) -> Iterator[Change]:
    """Write the address into ``[text][name]``, so that the link works if the note is split."""
    document, text = page.document, page.text
    by_label: dict[str, Definition] = {}
    for each in document.blocks.definitions:
        by_label.setdefault(each.label, each)
    used = set()
    for link in document.links:
        if link.kind not in ("reference", "image-reference") or link.dest not in by_label:
            continue
        each = by_label[link.dest]
        used.add(each.label)
        address = text[each.dest_start : each.dest_end].strip("<>")
        title = " ".join(text[each.dest_end : each.end].lstrip("> \t\n").split())
        address = address.replace(" ", "%20").replace("(", "%28").replace(")", "%29")
        yield Change(link.label_end, link.end, f"]({address}{f' {title}' if title else ''})")
    for each in document.blocks.definitions:
        first = by_label[each.label] is each
        source = text[each.start : each.end]
        gone = each.label in used and first
        said = "" if gone else "a link definition that nothing uses was moved into the front matter"
        yield Change(each.start, each.end, "", said, "", "" if gone else source)


def attributes(page: ImportedPage) -> Iterator[Change]:
    """Keep classes and sizes in braces aside: they set the appearance, and some are refused."""
    headings = [(h.start, h.end) for h in page.document.blocks.headings]
    for each in page.document.attributes:
        source = page.text[each.start : each.end]
        inside = source.strip("{}: ")
        if inside.startswith("#") and " " not in inside:
            continue
        if not _ATTRIBUTES.fullmatch(inside):
            yield Change(each.start, each.start, "\\")  # text, such as {n=1}
            continue
        said = f"{source} was moved into the front matter: it only sets the appearance"
        id = _ID.match(inside)
        if id and any(start < each.start < end for start, end in headings):
            yield Change(each.start, each.end, f"{{#{id[1]}}}", said, "", source)  # links name it
            continue
        yield Change(each.start, each.end, "", said, "", source)
    for heading in page.document.blocks.headings:
        if heading.attributes:
            at = page.text.rfind("{", heading.start, heading.end)
            keep = f"{{#{heading.explicit_id}}}" if heading.explicit_id else ""
            if at > heading.start:
                aside = page.text[at : heading.end]
                yield Change(at, heading.end, keep, "", "", aside)


def formulas(page: ImportedPage) -> Iterator[Change]:
    """Keep a formula as code if its TeX cannot be converted to MathML."""
    for each in page.document.maths:
        try:
            mathml(each.tex, each.display)
        except MathError as error:
            source = page.text[each.start : each.end]
            lead = page.text[page.line_start(each.start) : each.start]
            alone = each.display and "\n" in source and not lead.strip(" \t>")
            new = fence(source, "latex").replace("\n", f"\n{lead}") if alone else span(source)
            said = f"a formula is kept as code: {str(error)[:80]}"
            yield Change(each.start, each.end, new, said, "mend its TeX, or write \\$ for a dollar")


def words_of_tags(page: ImportedPage) -> Iterator[Change]:
    """Escape a tag that no step could convert."""
    for tag in page.document.tags:
        source = page.text[tag.start : tag.end]
        if tag.name not in ("kbd", "/kbd", "sub", "/sub", "sup", "/sup", "br"):
            said = f"{source[:60]!r} is kept as words"
            yield Change(tag.start, tag.start + 1, "\\<", said)
    for start, end in page.document.blocks.code:
        if page.text.startswith("<", start) and not page.text.startswith("<!--", start):
            source = page.text[start:end]
            if source[1:2].isalpha():
                yield Change(start, start + 1, "\\<", f"{source[:60]!r} is kept as words")
