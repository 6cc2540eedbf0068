"""What is wrong with texts on their own: formulas, files that they show, HTML that is unsafe.

A check needs no pages around a text: those are made from words that were made harmless before. It
renders each text as its page holds it and judges the HTML, unless that was judged in an earlier run
or the text is plain. A build judges every page whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from perfnotes.build.markdown import MarkdownEngine
from perfnotes.build.plain import is_plain
from perfnotes.checks import grade
from perfnotes.graph.site import Site
from perfnotes.model.library import Library
from perfnotes.site.danger import Danger
from perfnotes.site.locate import in_source
from perfnotes.site.render.body import body_renderer
from perfnotes.site.safety import judge
from perfnotes.site.stage import shown_file
from perfnotes.storage.digests import digest, tool
from perfnotes.storage.store import StoreSection
from perfnotes.text.body import Body
from perfnotes.text.findings import Finding

MakeEngine = Callable[[], MarkdownEngine]


def examine_texts(
    site: Site, make_engine: MakeEngine, settings: str, known: StoreSection
) -> list[Finding]:
    """Findings of every text; ``settings`` is a hash of what the engine is made with."""
    judged = _Judged(make_engine, settings, known)
    found: set[Finding] = set()
    shown: set[str] = set()
    titles = dict(_titles(site.library))
    for path, links in site.graph.links.items():
        text = links.text
        renderer = body_renderer(site, text.lang)
        title = titles.get(path, "")
        rendered = renderer.render(links, f"{text.id}/", drop_title=title, mark=False)
        found.update(rendered.findings)
        shown |= rendered.files
        if not judged.is_plain(text.body):
            dangers = judged.of(rendered.staged)
            found.update(in_source(text.body.source, danger) for danger in dangers)
    for path in sorted(shown):
        _, problem = shown_file(site.library, path, site.memo)
        found |= {problem} if problem else set()
    return grade(found, site.library)


def _titles(library: Library) -> Iterator[tuple[str, str]]:
    """By path the title that a text's page has already, so that its first heading may go."""
    for note in (*library.notes.values(), *library.introductions.values()):
        yield f"notes/{note.file}", note.meta.title
    for twin in library.translations.values():
        yield f"notes/{twin.file}", twin.meta.title


class _Judged:
    """The dangers of staged texts, from an earlier run or from the engine, which starts late."""

    def __init__(self, make_engine: MakeEngine, settings: str, known: StoreSection) -> None:
        self._make_engine, self._settings, self._known = make_engine, settings, known
        self._engine: MarkdownEngine | None = None

    def is_plain(self, body: Body) -> bool:
        key = digest(tool(), "plain", body.text)
        found = self._known.get(key)
        if found is None:
            found = is_plain(body)
            self._known.put(key, found)
        return bool(found)

    def of(self, staged: str) -> list[Danger]:
        key = digest(tool(), self._settings, staged)
        found = self._known.get(key)
        if found is None:
            found = [[d.message, d.needle] for d in self._judge(staged)]
            self._known.put(key, found)
        return [Danger(message, needle) for message, needle in found]

    def _judge(self, staged: str) -> list[Danger]:
        self._engine = self._engine or self._make_engine()
        try:
            return judge(self._engine.convert(staged).content)
        except Exception as error:  # the engine has many, for notes nested without end and others
            return [Danger(f"what stops the engine ({type(error).__name__})", "")]
