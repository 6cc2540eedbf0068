"""Documents for what no note is about: wanted subjects, and what the notes leave to others.

Each is a part of the page that asks for help, as a symptom is a part of its note. So somebody who
asks about such a subject is told that there is no note, and sees where one can be begun.
"""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.gaps import wanted_subjects
from perfnotes.graph.site import Site
from perfnotes.search.document import Block, SearchDocument
from perfnotes.site.pages.wanted import OUTSIDE
from perfnotes.site.strings import string

WANTED = "help-wanted"


def subject_documents(
    site: Site, english: SearchDocument, chinese: SearchDocument
) -> Iterator[SearchDocument]:
    """Yield what no note is about, in each language. The page that asks for help is given.

    A subject without words that people type is left out: notes may have a part of its answer.
    """
    pages = (english, chinese) if "zh" in site.library.languages else (english,)
    for found in wanted_subjects(site).values():
        for each in found:
            for page in pages if each.also else ():
                block = Block("wanted--subjects", each.title[page.lang], each.question[page.lang])
                yield _part(page, each.id, block, each.also)
    for i, other in enumerate(site.library.wanted.outside):
        for page in pages:
            about = string("wanted_outside", page.lang)
            block = Block(OUTSIDE, other.title[page.lang], about)
            yield _part(page, f"outside-{i}", block, other.also)


def _part(page: SearchDocument, id: str, block: Block, also: tuple[str, ...]) -> SearchDocument:
    return SearchDocument(
        id=page.id,
        url=page.url,
        title=page.title,
        lang=page.lang,
        type=page.type,
        blocks=(block,),
        extra="\n".join(also),
        symptom=id,
        is_twin=page.lang != "en",
    )
