"""Sites that several test modules use are built once; the order of test files."""

from __future__ import annotations

import fcntl
import gc
import os
import pickle
import shutil
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, TypeVar

import pytest
import yaml
from msgspec.structs import replace

from perfnotes.checks._rule import Files
from perfnotes.cli import main as cli
from perfnotes.graph.site import Settings, Site
from perfnotes.search.document import SearchDocument
from perfnotes.search.shards import Shards
from perfnotes.site.page import Page, PageAddress
from perfnotes.site.searchable.documents import documents
from perfnotes.site.stage import stage
from perfnotes.text.findings import Finding
from tests import examples
from tests.engine_of import findings_as_built
from tests.example_notes import read_site
from tests.opened_notes import ADDRESS, OPENED
from tests.project import ROOT, commit, copy_built, copy_project, git, perfnotes, run, set_address
from tests.sample_notes import BELOW, KINDS, SAMPLE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

T = TypeVar("T")

# A shell makes background jobs ignore Ctrl-C, and the programs that they start inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The test files that take longest, in about this order. One of the three that start at once needs
# the site of our own notes; others that need it come when it is there, so none of them waits.
LONGEST = (
    "test_search_ui test_browser_pages test_safety_writes test_safety_stops test_serve "
    "test_incremental test_edit test_audit test_browser_explorables test_search_places "
    "test_browser test_browser_evidence test_check_cache test_search_page test_search_both_engines "
    "test_search_results_page test_search_own_notes "
    "test_identity test_search_robust test_engine test_crawl test_deployments test_notes "
    "test_lead_pages test_mutations"
).split()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let ``make series`` ask for more than the suite runs."""
    parser.addoption("--series", type=int, default=1, help="random series of edits to build")
    parser.addoption(
        "--all-notes", action="store_true", help="try every number and name of our notes"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Tell tests that try many examples how many are asked for."""
    examples.SERIES[0] = int(config.getoption("--series"))


@contextmanager
def _kept_to_the_end() -> Iterator[None]:
    """Keep the garbage collector from what is made inside, which stays until the tests end."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Import all tests without looking for garbage among them."""
    with _kept_to_the_end():
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def _garbage_is_left_to_python() -> Iterator[None]:
    """Let commands that run in this process collect no garbage when they begin.

    Each would look at every object of all tests, which took almost half of the time of
    ``test_check_cache.py``. Commands that run in a process of their own do what they always do.
    """
    collector = SimpleNamespace(
        isenabled=gc.isenabled,
        disable=gc.disable,
        enable=gc.enable,
        freeze=lambda: None,
        get_freeze_count=lambda: 0,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("perfnotes.storage.garbage_collection.gc", collector)
        yield


@pytest.fixture
def series_of_edits(request: pytest.FixtureRequest) -> int:
    """How many random series of edits are built."""
    return int(request.config.getoption("--series"))


@pytest.fixture(scope="session")
def all_notes(request: pytest.FixtureRequest) -> bool:
    """Whether tests look at all of our notes, or at a fixed number of them."""
    return bool(request.config.getoption("--all-notes"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long files first: a long file that begins last would run while other processes idle.

    The tests of a file stay together and in their order. ``--no-loadscope-reorder`` keeps
    pytest-xdist from sorting the files itself, by their number of tests.
    """
    ranks: dict[Path, int] = {}
    for item in items:
        name, is_slow = item.path.stem, item.get_closest_marker("slow") is not None
        rank = LONGEST.index(name) if name in LONGEST else len(LONGEST) + (not is_slow)
        ranks[item.path] = min(rank, ranks.get(item.path, rank))
    items.sort(key=lambda item: ranks[item.path])


@contextmanager
def _turn(factory: pytest.TempPathFactory, name: str) -> Iterator[Path]:
    """Wait for other test processes and yield a path that all of them know by this name."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # each process has its own folder below that of the run
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield base / name


def _made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Path]) -> Path:
    """Return a project that the first test process makes and builds, for all processes."""
    with _turn(factory, name) as project:
        done = project.with_suffix(".done")
        if not done.exists():
            shutil.rmtree(project, ignore_errors=True)
            project.mkdir()
            commit(make(project))
            git(project, "gc", "--quiet", "--prune=now")  # a copy has a thousand files fewer
            done.write_text(run(project, perfnotes("build")).stderr, "utf-8")
    return project


@pytest.fixture(scope="session")
def _started_browser() -> Iterator[Browser]:
    """The browser of this test process: to start one takes more than a second of processor time.

    While it is open, builds in that process use one core.
    """
    from tests.browser import started_browser  # noqa: PLC0415 - most files need no browser

    with started_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def browser(_started_browser: Browser) -> Iterator[Browser]:
    """A browser, of which nothing that a test file opens is left to the next file."""
    yield _started_browser
    for context in _started_browser.contexts:
        context.close()


def _pickled(factory: pytest.TempPathFactory, name: str, make: Callable[[], T]) -> T:
    """Return what the first test process that asks makes, as an object of this process."""
    with _turn(factory, name) as file:
        if not file.exists():
            file.write_bytes(pickle.dumps(make()))
        with _kept_to_the_end():
            made: T = pickle.loads(file.read_bytes())
    return made


@pytest.fixture(scope="session")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site of our own notes and pages. Tests must not change it."""
    graph = _pickled(tmp_path_factory, "graph", lambda: read_site(ROOT).graph)
    return Site(graph, Settings(name="Example"))


@pytest.fixture
def own_site_anew(own_site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site of our own notes and pages as it was read and linked; nothing is computed yet."""
    del own_site  # which has stored it
    gc.disable()
    try:
        with _turn(tmp_path_factory, "graph") as file:
            yield Site(pickle.loads(file.read_bytes()), Settings(name="Example"))
    finally:
        gc.enable()


@pytest.fixture(scope="session")
def own_documents(own_site: Site) -> list[SearchDocument]:
    """Everything that the search of our own site finds."""
    return list(documents(own_site))


@pytest.fixture(scope="session")
def own_index(
    tmp_path_factory: pytest.TempPathFactory, own_documents: list[SearchDocument]
) -> dict[str, bytes]:
    """The files of the search index of our own notes."""
    return _pickled(tmp_path_factory, "index", lambda: dict(Shards().files(own_documents)))


@pytest.fixture(scope="session")
def built_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the whole project, with our own notes, built. Tests must not change it.

    It takes longer with each note: what can be seen on a page of the sample is tested there.
    """
    return _made_once(tmp_path_factory, "project", copy_project)


@pytest.fixture(scope="session")
def said_of_our_notes(built_project: Path) -> str:
    """What the build of our own notes found to mend."""
    return built_project.with_suffix(".done").read_text("utf-8")


@pytest.fixture(scope="session")
def note_and_twin(built_project: Path) -> tuple[PageAddress, PageAddress]:
    """The first note of ours that has a Chinese twin, and that twin."""
    topic = yaml.safe_load((built_project / "notes" / "topics.yml").read_text("utf-8"))[0]
    for note in topic["notes"]:
        folder = built_project / "notes" / topic["id"] / note
        files = [folder / "index.md", folder / "index.zh.md"]
        if all(file.exists() for file in files):
            english, chinese = map(_title, files)
            url = f"{topic['id']}/{note}/"
            return PageAddress(url, "", english), PageAddress(f"zh/{url}", "", chinese)
    raise AssertionError("no note of the first topic has a twin")


def _title(note: Path) -> str:
    """The title in the front matter of a note."""
    title: str = yaml.safe_load(note.read_text("utf-8").split("---\n")[1])["title"]
    return title


@pytest.fixture(scope="session")
def built_example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with the few example notes, built. A test that changes it must take a copy."""
    return _made_once(tmp_path_factory, "example", lambda folder: copy_project(folder, notes={}))


@pytest.fixture(scope="session")
def _built_there(
    built_example: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """The example and its cache after a build; and where it was built, as the cache knows."""
    folder = tmp_path_factory.mktemp("edited")
    place, kept = folder / "there", folder / "kept"
    copy_built(built_example, place / "project", without=["site", ".perfnotes-cache"])
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place / "project")
        patch.setenv("XDG_CACHE_HOME", str(place / "home"))
        assert cli.main(["build", "--quiet"]) == 0
    shutil.rmtree(place / "project" / "site")  # the cache has all of it
    place.rename(kept)
    return kept, place


@pytest.fixture
def edited_example(_built_there: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example that is the working folder and was built, for a test to change.

    It has a cache of its own, of which no other test has changed anything.
    """
    kept, place = _built_there
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(kept, place, symlinks=True)
    project = place / "project"
    monkeypatch.chdir(project)
    monkeypatch.setenv("XDG_CACHE_HOME", str(place / "home"))
    assert cli.main(["build", "--quiet"]) == 0  # takes the site from the cache
    return project


@pytest.fixture(scope="session")
def built_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with the sample notes, built. Tests must not change it."""
    return _made_once(tmp_path_factory, "sample", lambda folder: copy_project(folder, notes=SAMPLE))


@pytest.fixture(scope="session")
def addressed_sample(built_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample notes with a site address below a path, built. Tests must not change it."""

    def make(folder: Path) -> Path:
        project = copy_built(built_sample, folder, without=[".git", "site"])
        set_address(project, f"https://example.org{BELOW}", "https://code.example.org/o/r")
        return project

    return _made_once(tmp_path_factory, "addressed", make)


@pytest.fixture(scope="session")
def site(built_sample: Path) -> Iterator[str]:
    """Where the sample's site is served: it has no address, and is at a server's root."""
    from tests.browser import served  # noqa: PLC0415 - most files need no browser

    with served(built_sample / "site") as base:
        yield base


@pytest.fixture(scope="session")
def below(addressed_sample: Path) -> Iterator[str]:
    """Where the site of ``addressed_sample`` is served: below the path of its address."""
    from tests.browser import served  # noqa: PLC0415 - as above

    with served(addressed_sample / "site", BELOW) as base:
        yield base


@pytest.fixture(scope="session")
def built_for_browsers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site of ``tests.opened_notes``, with an address. Tests must not change it."""

    def make(folder: Path) -> Path:
        project = copy_project(folder, notes=OPENED)
        set_address(project, ADDRESS)
        return project

    return _made_once(tmp_path_factory, "for-browsers", make) / "site"


@pytest.fixture(scope="session")
def pages(built_sample: Path) -> list[Page]:
    """Every staged page of the sample, with its text."""
    staged = stage(read_site(built_sample))
    return [
        replace(page, body=staged.files[path].decode(), markdown=staged.markdown[path].decode())
        for path, page in staged.pages.items()
    ]


@pytest.fixture(scope="session")
def page_of_each_kind(pages: list[Page]) -> list[Page]:
    """The longest page of each kind in each language."""
    found: dict[tuple[str, bool], Page] = {}
    for page in sorted(pages, key=lambda p: (len(p.body), p.url)):
        found[page.kind, page.url.startswith("zh/")] = page
    both = {kind for kind, is_chinese in found if is_chinese}
    assert both == KINDS, KINDS ^ both
    return list(found.values())


@pytest.fixture
def look(tmp_path: Path) -> Callable[[Files], list[Finding]]:
    """Return a function that gives the findings of a build of the example with these files."""
    return partial(findings_as_built, tmp_path)
