"""A small folder of notes without any finding, and a way to overlay it with other files.

The files of an overlay stay short because the rest is taken from the notes here:

- A note or translation given as text gets the front matter of the note here that has the same path,
  after the keys that it gives itself. If there is none, it gets plain front matter. If the overlay
  gives front matter only, it gets the text of the note here, too.
- A translation gets the right hash of its English text unless the overlay gives one.
- A table or bibliography given as text comes first. After it come those entries of the same file
  here whose ids it does not use.
- Bytes are written as they are, and so is every other file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from perfnotes.checks._examples import FOLDER, LAB, PROGRAM, recorded
from perfnotes.checks._rule import Files, Symlink
from perfnotes.graph.graph import link
from perfnotes.graph.site import Settings, Site
from perfnotes.model.note import Note
from perfnotes.model.translation import original_hash
from perfnotes.site.page import Page
from perfnotes.site.page_selection import pages_of_site
from perfnotes.site.pages import results, script, stylesheet
from perfnotes.site.stage import Stage, stage_files, stage_pages
from perfnotes.source.read import frontmatter
from perfnotes.source.read.folder import read_library
from perfnotes.source.read.site import read_site_pages
from perfnotes.text.body import read_body
from perfnotes.text.source import decode

NOTES: Mapping[str, str] = {
    "topics.yml": """\
- id: caches
  title: {en: Caches, zh: 缓存}
  description: {en: What the caches of a CPU do., zh: CPU 缓存做些什么。}
  notes: [lines, rows, steps]

- id: gpu
  title: {en: GPU, zh: GPU}
  description: {en: How a GPU runs a program., zh: GPU 怎样运行程序。}
""",
    "tags.yml": """\
- id: cache
  name: {en: Cache, zh: 缓存}
  description: {en: Fast memory near a core., zh: 离核心近的快速存储。}
""",
    "glossary.yml": """\
- id: cache-line
  en: cache line
  zh: 缓存行
  definition: {en: The unit in which caches hold memory., zh: 缓存保存内存的单位。}
  note: caches/lines

- id: warp
  en: warp
  zh: 线程束
  definition: {en: Threads that a GPU runs together., zh: GPU 一起运行的一组线程。}
""",
    "references.bib": """\
@misc{drepper2007memory,
  author = {Drepper, Ulrich},
  title  = {What Every Programmer Should Know About Memory},
  year   = {2007},
  url    = {https://www.akkadia.org/drepper/cpumemory.pdf}
}
""",
    "caches/lines.md": """\
---
title: Cache lines
description: The unit in which caches hold memory.
tags: [cache]
level: introductory
date: 2026-01-31
---

Caches hold memory in lines [@drepper2007memory]. So the [order of a loop](rows.md) matters, on a
GPU [[warps]] as well.

## Size

The kernel tells the size:

```text
$ getconf LEVEL1_DCACHE_LINESIZE
64
```

## Alignment

An object that crosses a line needs two of them.
""",
    "caches/lines.zh.md": """\
---
title: 缓存行
description: 缓存保存内存的单位。
---

缓存按行保存内存 [@drepper2007memory]，所以[循环的顺序](rows.md)很重要，GPU 上的 [[warps]] 也一样。

## 大小

内核会告诉我们大小：

```text
$ getconf LEVEL1_DCACHE_LINESIZE
64
```

## 对齐

跨行的对象需要两行。
""",
    "caches/rows.md": """\
---
title: Rows before columns
description: Why the inner loop runs along a row.
tags: [cache]
level: introductory
requires: [caches/lines]
date: 2026-01-31
---

A C array lies in memory row by row, so a loop along a row uses each [[lines|line]] whole.
""",
    "caches/steps/index.md": """\
---
title: Steps along rows and columns
description: How many lines a walk along either one touches.
tags: [cache]
level: introductory
requires: [caches/rows]
date: 2026-01-31
---

A walk along a column touches [16×](lab:misses) as many lines as one along a row: a [[lines|line]]
holds [64 B](fact:chip/cache-line).
""",
    f"{FOLDER}/lab.yml": LAB,
    f"{FOLDER}/steps.py": PROGRAM,
    f"{FOLDER}/results/example-cpu.json": recorded(),
    "facts/chips.yml": """\
title: {en: Chips, zh: 芯片}
entities:
  chip:
    name: A chip
    kind: cpu
    facts:
      cache-line: {value: 64, unit: B, source: "[@drepper2007memory, sec. 3]"}
      rate: {value: 3.2, unit: GT/s, source: "[@drepper2007memory, sec. 2]"}
      width: {value: 64, unit: bit/T, source: "[@drepper2007memory, sec. 2]"}
      bandwidth: {formula: rate * width, unit: GB/s}
""",
    "gpu/warps.md": """\
---
title: Warps
description: The threads that a GPU runs together.
tags: [cache]
level: introductory
date: 2026-01-31
---

Where the threads of a warp read neighbouring words, the GPU joins the reads; see the [[steps]].
""",
    "../docs/index.md": """\
---
title: Example notes
description: A few notes that are right in everything.
---

<!-- perfnotes:topics -->
""",
}

_TABLES = ("topics.yml", "tags.yml", "glossary.yml", "references.bib")
_ENTRY = re.compile(r"^- \{?id: *([\w-]+)|^@\w+\{ *([^,\s]+)", re.MULTILINE)
_FRONT = re.compile(r"---\n(.*?)^---\n(.*)", re.DOTALL | re.MULTILINE)
_KEY = re.compile(r"^([\w-]+):", re.MULTILINE)


def write_notes(folder: Path, overlay: Files | None = None) -> Path:
    """Write the example's ``notes/`` and ``docs/`` and the overlay into ``folder``."""
    files = _laid_over(overlay or {})
    for path, content in files.items():
        file = folder / "notes" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Symlink):
            file.symlink_to(content.to)
        else:
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def read_site(folder: Path, settings: Settings | None = None) -> Site:
    """Read the site of a folder from ``write_notes``; findings name files as ``notes/…``."""
    library = read_library(folder / "notes", "notes")
    if library.own:
        read_site_pages(library, folder / "docs", "docs")
    return Site(link(library), settings or Settings(name="Example"))


def stage_without_index(site: Site) -> Stage:
    """Stages a site without its search index and the files that are the same in every site.

    These take most of the time of ``stage``. The findings are the same, since nothing is found
    while they are made.
    """
    staged = stage_pages(site)
    same: dict[str, list[str]] = {kind.__name__: [] for kind in (results, script, stylesheet)}
    stage_files(site, staged, index=False, same=same)
    return staged


def made_pages(site: Site) -> list[Page]:
    """Return every page with its text. Pages of a staged tree have their text in files instead."""
    return list(pages_of_site(site))


def _laid_over(overlay: Files) -> Files:
    files: dict[str, str | bytes | Symlink] = dict(NOTES)
    for path, content in overlay.items():
        for parent in Path(path).parents:  # the overlay has a folder in place of this file
            files.pop(parent.as_posix(), None)
        if isinstance(content, str) and path.endswith(".md") and not path.startswith("references/"):
            content = _note(path, content)  # noqa: PLW2901
        elif isinstance(content, str) and path in _TABLES:
            content = _table(content, NOTES[path])  # noqa: PLW2901
        files[path] = content
    for path, content in files.items():
        if path.endswith(".zh.md") and isinstance(content, str):
            files[path] = _with_hash(content, files.get(path.replace(".zh.md", ".md")))
    return files


def _note(path: str, text: str) -> str:
    if path.startswith("../docs/"):
        base = "title: Example page\ndescription: A page of the site's own.\n"
    elif path.endswith(".zh.md"):
        base = f"title: {Path(path).name}\ndescription: 一篇译文。\n"
    else:
        name = path.removesuffix("/index.md").removesuffix(".md").rpartition("/")[2]
        base = (
            f"title: {name.replace('-', ' ').capitalize()}\n"
            f"description: A note about {name.replace('-', ' ')}.\n"
            "tags: [cache]\nlevel: introductory\ndate: 2026-01-31\n"
        )
    body = "Text.\n"
    if path in NOTES:
        base, body = _parts(NOTES[path])
    own, given = _parts(text) if text.startswith("---\n") else ("", text)
    keys = set(_KEY.findall(own))
    rest = "".join(line for line in base.splitlines(True) if line.partition(":")[0] not in keys)
    shown = given.strip("\n") or body.strip("\n")
    return f"---\n{own}{rest}---\n\n{shown}\n"


def _parts(text: str) -> tuple[str, str]:
    """Return the lines of the front matter, and the text after it."""
    match = _FRONT.match(text)
    assert match, "give a note whose front matter is broken as bytes"
    return match[1], match[2]


def _table(text: str, base: str) -> str:
    """Return the text, and after it the entries of ``base`` whose ids it does not have."""
    taken = {a or b for a, b in _ENTRY.findall(text)}
    starts = [m.start() for m in _ENTRY.finditer(base)]
    entries = [base[a:b] for a, b in zip(starts, [*starts[1:], len(base)], strict=True)]
    others = [e for e in entries if not taken & {a or b for a, b in _ENTRY.findall(e)}]
    return "\n".join([text, *others])


def _with_hash(text: str, english: str | bytes | Symlink | None) -> str:
    """Return the translation with the hash of its English text in its front matter."""
    front, body = _parts(text)
    if re.search(r"^translates:", front, re.MULTILINE):
        return text
    hash = "0f" * 8
    source = None if not isinstance(english, str) else decode(english.encode(), "notes")[0]
    if source:
        meta, start, _ = frontmatter.read(source, "note", lenient=False)
        hash = original_hash(Note("", "", "", meta, read_body(source, start)))
    return f"---\n{front}translates: {hash}\n---\n{body}"
