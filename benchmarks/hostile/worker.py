"""A process with limits that tries hostile inputs: it checks them, then stages and renders them.

The parent process sends a line that names the inputs to try together, and gets one line back. If
this process dies, the parent knows which inputs it was trying.
"""

from __future__ import annotations

import json
import resource
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from benchmarks.hostile import judge
from benchmarks.hostile.inputs import ROOT, Input, inputs
from tests.engine_of import engine_of, prepare
from tests.example_notes import read_site, write_notes

from perfnotes.build.check import CheckedProject, check
from perfnotes.build.configuration import configuration
from perfnotes.site.stage import stage
from perfnotes.text.findings import Finding, Severity

_UNREADABLE = {"PN101", "PN102", "PN103", "PN104", "PN201"}
OK, TRACEBACK, HANG, MEMORY = "ok", "traceback", "hang", "memory"


class HangError(BaseException):
    """The inputs took more CPU time than they may."""


def main() -> None:
    """Answer each line ``[[index, …], CPU seconds]`` of standard input with a line of JSON."""
    count, mutated, seed, megabytes = map(int, sys.argv[1:5])
    every = inputs(count, mutated, seed)
    engine_of()  # made before the limits are set: its cost belongs to no input
    limit = megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    signal.signal(signal.SIGVTALRM, _too_long)
    print("ready", flush=True)
    for line in sys.stdin:
        numbers, seconds = json.loads(line)
        print(json.dumps(tried([every[i] for i in numbers], seconds)), flush=True)


def tried(batch: Sequence[Input], seconds: float) -> dict[str, Any]:
    """Try the inputs together in one folder and return what came of them.

    ``outcome`` is that of the whole folder; unless it is "ok", ``why`` explains it. ``passed``
    counts the inputs without an error of check, ``judged`` those that were rendered. ``scripts``
    and ``requests`` list what the judge found in these.
    """
    folder = Path(tempfile.mkdtemp(prefix="perfnotes-flood-"))
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return {"outcome": OK, **_tried(batch, folder)}
    except HangError:
        return {"outcome": HANG, "why": f"more than {seconds:.0f} CPU seconds"}
    except MemoryError:
        return {"outcome": MEMORY, "why": traceback.format_exc(limit=-4)}
    except Exception:
        return {"outcome": TRACEBACK, "why": traceback.format_exc(limit=-6)}
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        shutil.rmtree(folder)


def _tried(batch: Sequence[Input], folder: Path) -> dict[str, Any]:
    files = {path: data for each in batch for path, data in (*each.beside, (each.path, each.data))}
    write_notes(folder, files)
    shutil.copyfile(ROOT / "mkdocs.yml", folder / "mkdocs.yml")
    errors = [f for f in check(CheckedProject(folder), configuration, cached=False) if _is_error(f)]
    own = [{path for path, _ in (*each.beside, (each.path, b""))} for each in batch]
    wrong = {_below_notes(f) for f in errors}
    answer: dict[str, Any] = {"passed": sum(not paths & wrong for paths in own)}
    scripts: list[str] = []
    requests: list[str] = []
    answer |= {"judged": 0, "scripts": scripts, "requests": requests}
    if batch[0].alone and any(f.code in _UNREADABLE for f in errors):
        return answer  # no page shows anything of it
    site = read_site(folder)
    staged = stage(site)
    rendered, unsafe = prepare(site, staged, engine_of())
    # A build stops at any error. Here only what was found unsafe is left out, to judge more.
    unsafe += [f for f in errors if f.code in _UNREADABLE or f.code.startswith("PN6")]
    left_out = {_below_notes(f) for f in unsafe}
    answer["judged"] = sum(not paths & left_out for paths in own)
    for each in batch:
        if each.kind == "figure" and each.path not in left_out:
            _note(judge.figure(each.data), each.path, scripts, requests)
    for path, html in rendered.items():
        if (
            not {path, path.replace("/index.md", ".md"), path.replace(".md", "/index.md")}
            & left_out
        ):
            _note(judge.page(html.content), path, scripts, requests)
    return answer


def _is_error(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR


def _below_notes(finding: Finding) -> str:
    return finding.path.rpartition("notes/")[2]


def _note(verdict: judge.Verdict, path: str, scripts: list[str], requests: list[str]) -> None:
    scripts += [f"{path}: {what}" for what in verdict.scripts]
    requests += [f"{path}: {what}" for what in verdict.requests]


def _too_long(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise HangError


if __name__ == "__main__":
    main()
