"""``perfnotes build``: from the notes to the finished site, pages on all cores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from perfnotes.build.build_record import RecordParts, Summary, made_of, row, topics_shown
from perfnotes.build.clock import Clock
from perfnotes.build.messages import Published
from perfnotes.build.page_cache import PageCache
from perfnotes.build.pages import Pages
from perfnotes.build.process_pool import ProcessPool, cores
from perfnotes.build.publish import Publisher
from perfnotes.build.rebuild_reasons import Reasons
from perfnotes.build.session import Session
from perfnotes.build.static import write_static
from perfnotes.build.templates import environment
from perfnotes.build.toolchain import maker
from perfnotes.checks import examine, examine_texts, grade
from perfnotes.graph.graph import Graph
from perfnotes.graph.site import Site
from perfnotes.site.locate import locate
from perfnotes.site.pages.offline import staged_digests
from perfnotes.site.pages.search import shards
from perfnotes.site.stage import Stage, stage_files, stage_pages
from perfnotes.source.inputs import Inputs
from perfnotes.source.read.memo import Memo, Remembering
from perfnotes.storage.garbage_collection import without_garbage_collection
from perfnotes.storage.store import Store
from perfnotes.storage.write import put_tree
from perfnotes.text.findings import Finding


class Built(Struct, frozen=True):
    """What a build made: the folder, the number of its pages, and what was told of them.

    ``made`` are the addresses of those that did not come from the cache, ``digests`` those of the
    files that the cache keeps.
    """

    site: Path
    pages: int
    said: str
    made: tuple[str, ...]
    digests: dict[str, str]
    findings: list[Finding]
    graph: Graph
    record: Callable[
        [Inputs, dict[str, str]], RecordParts
    ]  # by inputs and the digests of all files


class BuildOptions(Struct):
    """How a build is done. ``keep_stage`` leaves the staged tree in ``docs_dir``.

    ``lock`` is the folder that builds lock so that they take turns, if they have to.

    ``store`` is what earlier builds left, ``memo`` and ``before`` what earlier ones of this process
    did; ``verbose`` says why each page is made again. With ``keep_going`` no finding stops it, and
    what is unsafe is made harmless.
    """

    notes: Path | None = None
    strict: bool = False
    quiet: bool = False
    verbose: bool = False
    keep_stage: bool = False
    lock: Path | None = None
    keep_going: bool = False
    clock: Clock = field(default_factory=Clock)
    store: Store = field(default_factory=lambda: Store(None))
    memo: Memo | None = None
    before: Graph | None = None


def build(config: Any, options: BuildOptions | None = None) -> Built:
    """Build the site; raises mkdocs' Abort with the findings printed where they forbid one."""
    options = options or BuildOptions()
    clock = options.clock
    strict = options.strict or bool(config["strict"])
    session = Session(
        options.notes,
        quiet=options.quiet,
        strict=strict,
        memo=options.memo or Remembering(options.store, "read"),
        layouts=options.memo or Remembering(options.store, "layouts"),
    )
    place = Path(config["site_dir"])
    tree = Path(config["docs_dir"])
    try:
        if options.lock:
            session.take_turn(options.lock)
        folder = session.new_folder(place)
        env = environment(config, options.store)
        kept = PageCache(options.store, maker(config))
        publisher = Publisher(config, env, folder)
        with ProcessPool(publisher.publish, cores()) as pool:
            with clock.phase("read and link"), without_garbage_collection():
                site = session.read(config, options.before)
                options.store.save()  # frees what is to be written: as much again as the notes
            reasons = Reasons(options.store.section("why"), str(place), kept.maker)
            own = site.library.own
            pages = Pages(
                pool, kept, reasons, folder,
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
        findings += grade([each for found in dangers for each in found], site.library)
        clock.clear()
        said = "" if options.keep_going else session.report(sorted(findings))
        with clock.phase("write the rest"):
            if options.keep_stage:
                put_tree(tree, staged.files, keep=(".gitkeep",))
            write_static(config, env, staged, folder)
            session.publish()
    finally:
        session.abandon()
        clock.clear()

    def record(inputs: Inputs, files: dict[str, str]) -> RecordParts:
        graded = [grade(found, site.library) for found in dangers]
        own_findings = {f for page in staged.pages.values() for f in page.findings}
        summary = Summary(
            settings=site.settings,
            staged=site.derived(staged_digests),
            pages=made_of(staged.pages, dict(zip(staged.pages, graded, strict=True))),
            by_kind=staged.by_kind,
            findings=[f for f in staged.findings if f not in own_findings],
            in_texts=in_texts,
            maker=kept.maker,
            missing=session.missing,
            files=files,
            topics=topics_shown(staged.pages.values()),
            addresses=[page.url for page in staged.pages.values()],
        )
        return RecordParts(
            inputs,
            summary,
            site,
            session.library_memo,
            site.derived(shards),
            [*map(row, staged.pages.values())],
        )

    return Built(
        place, len(staged.pages), said, pages.made, pages.digests, sorted(findings), site.graph,
        record,
    )  # fmt: skip


def _dangers(site: Site, staged: Stage, published: list[Published]) -> list[list[Finding]]:
    """A finding for each danger of each page; what had to be mended in the staged tree is."""
    findings = []
    for (path, page), done in zip(staged.pages.items(), published, strict=True):
        findings.append([locate(site, page, danger) for danger in done.dangers])
        if done.staged:
            staged.files[path] = done.staged
    return findings
