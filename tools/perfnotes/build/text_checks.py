"""The findings that ``perfnotes check`` gets by rendering each text: formulas, files, unsafe HTML.

No page is made, because the words around a text on its page are always escaped. Each text is
rendered as on its page and its HTML is judged, unless that was judged in an earlier run or the text
is plain (``plain.py``). A build judges every page whole.
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
from perfnotes.storage.digests import digest, program_digest
from perfnotes.storage.store import StoreSection
from perfnotes.text.body import Body
from perfnotes.text.findings import Finding

MakeEngine = Callable[[], MarkdownEngine]


def examine_texts(
    site: Site, make_engine: MakeEngine, settings: str, known: StoreSection
) -> list[Finding]:
    """Return the findings of every text.

    ``settings`` is a hash of what the engine is made with. ``known`` keeps judgements between runs.
    """
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
    """Yield paths and titles of texts; a first heading that repeats the title is not rendered."""
    for note in (*library.notes.values(), *library.introductions.values()):
        yield f"notes/{note.file}", note.meta.title
    for twin in library.translations.values():
        yield f"notes/{twin.file}", twin.meta.title


class _Judged:
    """The dangers of staged texts, from an earlier run or else from the engine.

    The engine takes long to load, so it is made only when a text has to be judged.
    """

    def __init__(self, make_engine: MakeEngine, settings: str, known: StoreSection) -> None:
        self._make_engine, self._settings, self._known = make_engine, settings, known
        self._engine: MarkdownEngine | None = None

    def is_plain(self, body: Body) -> bool:
        key = digest(program_digest(), "plain", body.text)
        found = self._known.get(key)
        if found is None:
            found = is_plain(body)
            self._known.put(key, found)
        return bool(found)

    def of(self, staged: str) -> list[Danger]:
        key = digest(program_digest(), self._settings, staged)
        found = self._known.get(key)
        if found is None:
            found = [[d.message, d.needle, d.hint] for d in self._judge(staged)]
            self._known.put(key, found)
        return [Danger(*parts) for parts in found]

    def _judge(self, staged: str) -> list[Danger]:
        self._engine = self._engine or self._make_engine()
        try:
            return judge(self._engine.convert(staged).content)
        # Notes nested without end, and others, make the engine raise many kinds.
        except Exception as error:
            return [Danger(f"what stops the engine ({type(error).__name__})", "")]
