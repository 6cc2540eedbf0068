"""The whole build: from the notes to the finished site, with pages made on all cores.

``edited_build`` does the same after an edit of a few notes, and makes only what may differ.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct, field

from perfnotes.build.build_record import (
    BuildSummary,
    RecordParts,
    list_entry,
    page_summaries,
    topics_shown,
)
from perfnotes.build.clock import Clock
from perfnotes.build.messages import Published
from perfnotes.build.page_cache import PageCache
from perfnotes.build.page_settings import page_settings
from perfnotes.build.pages import Pages
from perfnotes.build.process_pool import ProcessPool, cores
from perfnotes.build.publish import Publisher
from perfnotes.build.rebuild_reasons import Reasons
from perfnotes.build.session import Session
from perfnotes.build.static import write_static
from perfnotes.build.templates import environment
from perfnotes.build.toolchain import toolchain_digest
from perfnotes.checks import FindingsByText, examine, examine_texts, grade
from perfnotes.graph.site import Site
from perfnotes.site.locate import locate
from perfnotes.site.pages.offline import staged_digests
from perfnotes.site.pages.search import shards
from perfnotes.site.stage import Stage, stage_files, stage_pages
from perfnotes.source.inputs import Inputs
from perfnotes.source.read.memo import InMemory, Remembering
from perfnotes.storage.garbage_collection import without_garbage_collection
from perfnotes.storage.store import Store
from perfnotes.storage.write import put_tree
from perfnotes.text.findings import Finding


class BuildOptions(Struct):
    """How a build is done."""

    notes: Path | None = None  # a folder to build, or None for the project's own notes
    strict: bool = False  # warnings stop the build as well
    quiet: bool = False
    verbose: bool = False  # say why each page is made again
    keep_stage: bool = False  # write the staged tree into ``docs_dir``
    lock: Path | None = None  # the folder that builds lock, if they have to take turns
    keep_going: bool = False  # no finding stops the build, and unsafe HTML is made harmless
    clock: Clock = field(default_factory=Clock)
    store: Store = field(default_factory=lambda: Store(None))  # results of earlier builds


class Built(Struct, frozen=True):
    """What a build made, and what it printed."""

    site: Path  # the folder
    pages: int  # how many
    messages: str
    made: tuple[str, ...]  # the addresses of the pages that did not come from the cache
    # The digests of those files of pages that the cache keeps, by path.
    digests: dict[str, str]
    # The digests of other files, by path. It lacks files that are made after the staged ones.
    known: dict[str, str]
    findings: list[Finding]
    parts: BuildParts


def build(config: Any, options: BuildOptions) -> Built:
    """Build the site. Prints the findings and raises MkDocs' Abort if they forbid a site."""
    clock = options.clock
    session = Session(
        options.notes,
        quiet=options.quiet,
        strict=options.strict or bool(config["strict"]),
        memo=Remembering(options.store, "read"),
        layouts=Remembering(options.store, "layouts"),
    )
    site_dir = Path(config["site_dir"])
    try:
        if options.lock:
            session.take_turn(options.lock)
        folder = session.new_folder(site_dir)
        settings = page_settings(config)
        env = environment(settings, options.store)
        cache = PageCache(options.store, toolchain_digest(config))
        publisher = Publisher(settings, env, folder)
        with ProcessPool(publisher.publish, cores()) as pool:
            with clock.phase("read and link"), without_garbage_collection():
                site = session.read(config)
                options.store.save()  # what waits to be written takes as much memory as the notes
            own = site.library.own
            reasons = Reasons(options.store.section("why"), str(site_dir), cache.toolchain)
            pages = Pages(
                pool, cache, reasons, folder,
                own=own, mend=not own or options.keep_going, verbose=options.verbose,
            )  # fmt: skip
            with clock.phase("stage pages"):
                staged = stage_pages(site, pages.add, keep=options.keep_stage)
            with clock.phase("stage files, index"):
                stage_files(site, staged)
            with clock.phase("check"):
                in_texts = examine_texts(site)
                findings = examine(site, staged.findings, in_texts)
            published = pages.finish(clock)
        dangers = _dangers(site, staged, published)
        findings += grade([danger for of_page in dangers for danger in of_page], site.library)
        clock.clear()
        messages = "" if options.keep_going else session.report(sorted(findings))
        with clock.phase("write the rest"):
            if options.keep_stage:
                put_tree(Path(config["docs_dir"]), staged.files, keep=(".gitkeep",))
            write_static(config, env, staged, folder)
            session.publish()
    except OSError as error:
        session.name_place(error)
        raise
    finally:
        session.abandon()
        clock.clear()
    parts = BuildParts(
        site, staged, in_texts, dangers, cache.toolchain, session.missing, session.library_memo
    )
    # A page's staged file is not its file of the site, and a static template may take the place of
    # a staged file.
    others = {*staged.pages, *config.theme.static_templates}
    known = {p: c for p, c in site.derived(staged_digests).items() if p not in others}
    return Built(
        site_dir, len(staged.pages), messages, pages.made, pages.digests, known, sorted(findings),
        parts,
    )  # fmt: skip


class BuildParts(Struct, frozen=True):
    """What a build leaves in memory, from which its record is made if it is wanted."""

    site: Site
    staged: Stage
    in_texts: FindingsByText
    # What is unsafe in the HTML of each page, in the order of the stage.
    dangers: list[list[Finding]]
    toolchain: str  # digest of settings, templates and tools; empty if it cannot be known
    missing: str  # a message about what git could not tell
    library_memo: InMemory  # what was read for the library

    def record(self, inputs: Inputs, files: dict[str, str]) -> RecordParts:
        """Return the record of the build; ``files`` are the digests of all files of the site."""
        site, staged = self.site, self.staged
        graded = [grade(of_page, site.library) for of_page in self.dangers]
        findings_of_pages = {f for page in staged.pages.values() for f in page.findings}
        summary = BuildSummary(
            settings=site.settings,
            staged=site.derived(staged_digests),
            pages=page_summaries(staged.pages, dict(zip(staged.pages, graded, strict=True))),
            by_kind=staged.by_kind,
            findings=[f for f in staged.findings if f not in findings_of_pages],
            in_texts=self.in_texts,
            toolchain=self.toolchain,
            missing=self.missing,
            files=files,
            topics=topics_shown(staged.pages.values()),
            addresses=[page.url for page in staged.pages.values()],
        )
        list_entries = [*map(list_entry, staged.pages.values())]
        return RecordParts(
            inputs, summary, site, self.library_memo, site.derived(shards), list_entries
        )


def _dangers(site: Site, staged: Stage, published: list[Published]) -> list[list[Finding]]:
    """Return the dangers in the HTML of each page; put pages made harmless into the stage."""
    findings = []
    for (path, page), done in zip(staged.pages.items(), published, strict=True):
        findings.append([locate(site, page, danger) for danger in done.dangers])
        if done.staged:
            staged.files[path] = done.staged
    return findings
