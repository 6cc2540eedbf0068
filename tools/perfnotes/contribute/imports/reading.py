"""Makes drafts of one text: finds its format and its title, and splits it into parts."""

from __future__ import annotations

from perfnotes.contribute.imports import draft as drafts
from perfnotes.contribute.imports import headings, naming, split, steps
from perfnotes.contribute.imports.draft import Draft
from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.formats import formats, recognise
from perfnotes.contribute.imports.imported_page import Change, ImportedPage, run
from perfnotes.contribute.imports.options import ImportOptions


def from_text(file: str, text: str, options: ImportOptions, modified: str) -> list[Draft]:
    """The drafts of one text, still without slugs and with the links of the source.

    ``modified`` is the day of the file's last change. Raises FormatError.
    """
    form, why = (options.format, "") if options.format else recognise(file, text)
    fields, page = formats()[form].read(file, text)
    if why:
        page = page.with_guess(f"read as {form}: {why}", "name it with --from")
    page = steps.in_our_form(page, markdown=form == "markdown")
    title, page = _title(file, fields, page)
    level = options.split_at
    pieces = split.parts(page, level) if level else []
    if len(pieces) < 2:
        pieces = [
            split.SplitPart("", page)
        ]  # one heading alone is no reason to leave the title out
    made: list[Draft] = []
    for i, piece in enumerate(pieces):
        own = piece.page
        words = title if not piece.title else _heading_words(piece.title)
        if not i and piece.title and not drafts.same_words(title, words):
            words = f"{title}: {words}"  # the first part begins with a heading: its note gets both
        if not i:
            own = ImportedPage(own.path, own.text, own.lines, page.guesses, page.asides)
        draft = Draft(file, run(own, headings.normalised), words,
                      fields if not i else Fields(), first=not i, line=piece.line)  # fmt: skip
        draft.date = modified if i else naming.date_in(file)
        made.append(draft)
    if len(pieces) > 1:
        names = f"{len(pieces)} notes, cut before each heading of level {level} or above"
        made[0].tell(f"split into {names}", "choose another level with --split-at", 1)
        for draft in made[1:]:
            draft.fields = Fields(dict(fields.values))
            for key in ("title", "description", "summary", "excerpt", "aliases", "alias", "slug",
                        "permalink", "url"):  # fmt: skip
                draft.fields.values.pop(key, None)
    for draft in made:
        drafts.fit_title(draft)
    return made


def _title(file: str, fields: Fields, page: ImportedPage) -> tuple[str, ImportedPage]:
    """The title, from front matter, heading or file name; and the page without that heading."""
    given = fields.line("title")
    found = page.document.blocks.headings
    first = found[0] if found else None
    ones = sum(h.level == 1 for h in found)
    if first and first.level == 1 and ones == 1 and first.text.strip():
        words = drafts.plain_title(page, first.text_start, first.text_start + len(first.text))
        before = page.text[: first.start].strip()
        if (
            words
            and "![" not in first.text
            and not before
            and (not given or drafts.same_words(given, words))
        ):
            alone = page.line_start(first.start) == first.start
            if alone and "](" not in first.text:
                page = page.changed([Change(first.start, first.end, "")])
                return given or words, page
        if words and not given:
            return words, page
    if given:
        return given, page
    words = naming.title(file)
    page = page.with_guess(f"the title is the file's name: {words!r}", "write a title")
    return words, page


def _heading_words(source: str) -> str:
    page = ImportedPage.of("", source)
    return drafts.plain_title(page, 0, len(source)) or "Untitled"
