"""Measuring our own search: the index of ``perfnotes build``, asked as ``perfnotes search`` does.

    python -m benchmarks.search.ours DIR OUT

writes to OUT the index of the notes in DIR, their pages and sections for the other engines, and the
cost of the index: CPU seconds, without those for reading the notes, and the peak memory of the
process, with that of the notes.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.search.measured import ROOT, Cost, Engine, kept, run

from perfnotes.build.configuration import configuration
from perfnotes.build.session import Session
from perfnotes.graph.site import Site
from perfnotes.search.document import SearchDocument
from perfnotes.search.evaluate import JudgedQuery, added_files, evaluate, packed_size
from perfnotes.search.query import Engine as Search
from perfnotes.search.shards import Shards
from perfnotes.site.scripts import search_script
from perfnotes.site.searchable.documents import documents
from perfnotes.source.project import notes_folder


@dataclass(frozen=True)
class Page:
    """A page of the corpus: its id in judged queries, its address in our site, its language."""

    id: str
    url: str
    lang: str


@dataclass(frozen=True)
class Taken:
    """The cost of the index: CPU seconds, memory in MB, size in bytes.

    ``read`` is the memory before the index was begun: that of Python and the notes.
    """

    pages: int
    cpu: float
    read: float
    peak: float
    bytes: int


def make(corpus: Path, work: Path, keep: bool) -> None:
    """Make the index in ``work``, with the pages and sections that the other engines read."""

    def index(folder: Path) -> Cost:
        command = [sys.executable, "-m", "benchmarks.search.ours", corpus.resolve(), folder]
        return run(command, folder / "log.txt", more={"PYTHONPATH": f"tools:{ROOT}"})

    kept(work, keep, index)


def measure(work: Path, judged: Sequence[JudgedQuery]) -> Engine:
    """Ask the queries of the index that ``make`` has made."""
    taken = Taken(**json.loads((work / "taken.json").read_text(encoding="utf-8")))
    added = added_files(search_script().encode())

    def read(name: str) -> bytes | None:
        file = work / "index" / name
        return file.read_bytes() if file.is_file() else None

    size = packed_size(lambda name: added.get(name) or read(name))
    outcomes = evaluate(Search(read), judged, size, list(added))
    more = taken.peak - taken.read
    remark = f"memory: {more:.0f} MB beyond the notes, which take {taken.read:.0f} MB"
    return Engine("ours", taken.pages, tuple(outcomes), Cost(taken.cpu, taken.peak), (remark,))


def read_pages(work: Path) -> list[Page]:
    """Return the pages of the corpus, which ``make`` has written."""
    rows = json.loads((work / "pages.json").read_text(encoding="utf-8"))
    return [Page(*row) for row in rows]


def write(corpus: Path, out: Path) -> None:
    """Write the index, its cost, and the pages and sections."""
    site = Session(notes_folder(str(corpus)), quiet=True).read(configuration())
    taken = _index(site, out / "index")
    rows = []
    with (out / "sections.jsonl").open("w", encoding="utf-8") as sections:
        for document in documents(site):
            rows.append([document.id, document.url, document.lang])
            for block in document.blocks:
                row = [document.id, document.title, block.heading, block.text or block.code]
                print(json.dumps(row, ensure_ascii=False), file=sections)
    (out / "pages.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    (out / "taken.json").write_text(json.dumps(asdict(taken)), encoding="utf-8")


def _index(site: Site, out: Path) -> Taken:
    pages = size = 0

    def counted() -> Iterator[SearchDocument]:
        nonlocal pages
        for document in documents(site):
            pages += 1
            yield document

    before = _memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets the peak
    began = time.process_time()
    for name, data in Shards().files(counted()):
        file = out / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        size += len(data)
    return Taken(pages, time.process_time() - began, before, _memory("VmHWM"), size)


def _memory(kind: str) -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    found = re.search(rf"^{kind}:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
