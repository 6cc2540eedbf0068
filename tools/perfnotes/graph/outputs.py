"""Recorded output: fences whose info string names the lab run that their text comes from.

```` ```console lab=show ```` holds ``$ command`` lines and the output of the run ``show`` of the
note's lab; ``lab=caches/row-order#show`` names a run of another note's lab. A line ``…`` stands for
lines that are left out. If the output itself has prompts (a recorded session), they are compared
as part of the output.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from perfnotes.graph.evidence import Evidence
from perfnotes.graph.graph import Links
from perfnotes.graph.resolve import Problem
from perfnotes.graph.sessions import missing, setup
from perfnotes.model.lab import Lab, Run
from perfnotes.text.nearest import nearest
from perfnotes.text.tokens import Fence

_NAMED = re.compile(r"(?:^|\s)lab=(?:(?P<note>[a-z0-9-]+(?:/[a-z0-9-]+)?)#)?(?P<run>\w+)(?=\s|$)")
_GAP = ("…", "...")
_PROMPTS = ("$ ", "# ")


@dataclass(frozen=True)
class ShownOutput:
    """A fence that names a run; ``problem`` is None if it shows the run's output.

    ``at`` is the offset of the problem.
    """

    fence: Fence
    problem: Problem | None = None
    at: int = 0
    mended: str = ""  # the right content of the fence, if the fence leaves no lines out
    lab: Lab | None = None  # set if there is no problem, as is ``run``
    run: str = ""
    hidden: tuple[str, ...] = ()  # commands for settings of the run that the fence does not show


def outputs(links: Links, evidence: Evidence) -> Iterator[ShownOutput]:
    """Every fence of a text that names a run."""
    text = links.text.body.document.text
    for fence in links.text.body.document.blocks.fences:
        info = text[fence.info_start : fence.info_end]
        named = _NAMED.search(info)
        if named:
            note = named["note"] or (links.text.id if links.text.kind == "note" else "")
            yield _judge(text, fence, note, named["run"], evidence)


def _judge(text: str, fence: Fence, note: str, run: str, evidence: Evidence) -> ShownOutput:
    lab, problem = evidence.lab(note, bool(note))
    if lab is None:
        return ShownOutput(fence, problem, fence.info_start)
    if run not in lab.runs:
        guess = nearest(run, lab.runs, 0.6)
        hint = f"did you mean {guess}?" if guess else "its runs: " + ", ".join(lab.runs)
        message = f"the lab of {lab.id} has no run {run!r}"
        return ShownOutput(fence, ("PN910", message, hint), fence.info_start)
    result = evidence.reference(lab)
    measured = result.runs.get(run) if result else None
    if measured is None or measured.output is None:
        why = measured.not_run if measured and measured.not_run else "no output of it was kept"
        message = f"the run {run!r} of {lab.id} has no recorded output: {why}"
        hint = f"give it 'output: true' and run: perfnotes lab record {lab.id}"
        return ShownOutput(fence, ("PN913", message, hint), fence.info_start)
    return _compare(text, fence, lab, lab.runs[run], measured.output)


def _compare(text: str, fence: Fence, lab: Lab, run: Run, output: str) -> ShownOutput:
    start, lines = _inside(text, fence)
    recorded = [line.rstrip() for line in output.rstrip("\n").split("\n")]
    is_session = any(line.startswith(_PROMPTS) for line in recorded)
    prompts = fence.language == "console" and not is_session
    around: set[tuple[str, ...]] | None = None  # worked out when a command has to be looked up
    at = start
    shown: list[tuple[int, str]] = []
    for line in lines:
        if is_session and line.startswith("$ ") and line not in recorded:
            # A session may show commands of its script that the recording did not print.
            around = around or _around(lab, run, is_session=True)
            if _words(line[2:]) not in around:
                shown.append((at, line.rstrip()))
        elif prompts and line.startswith(_PROMPTS):
            around = around or _around(lab, run, is_session=False)
            if _words(line[2:]) not in around:
                message = f"{line[2:]!r} is not a command of this run"
                hint = "it is: " + (commands(lab, run)[-1] if commands(lab, run) else run.tool)
                return ShownOutput(fence, ("PN922", message, hint), at)
        else:
            shown.append((at, line.rstrip()))
        at += len(line) + 1
    left_out = next((at for at, line in shown if line.strip() in _GAP), -1)
    if left_out >= 0 and not any(line.strip() not in ("", *_GAP) for _, line in shown):
        message = "nothing of what the run printed is shown"
        hint = f"show the lines that the text speaks of; the first is: {recorded[0]}"
        return ShownOutput(fence, ("PN922", message, hint), left_out)
    wrong = _first_difference(shown, recorded, fence.start)
    if wrong is None:
        hidden = missing(lab, run, "\n".join(lines), is_session=is_session)
        return ShownOutput(fence, lab=lab, run=run.id, hidden=tuple(hidden))
    at, expected = wrong
    hint = f"recorded: {expected}" if expected else "`perfnotes fix` writes what was recorded"
    gaps = any(line.strip() in _GAP for _, line in shown)
    commands_shown = [x for x in lines if prompts and x.startswith(_PROMPTS)]
    mended = "" if gaps else "\n".join([*commands_shown, *recorded]) + "\n"
    return ShownOutput(fence, ("PN922", "this is not what the run printed", hint), at, mended)


def _around(lab: Lab, run: Run, *, is_session: bool) -> set[tuple[str, ...]]:
    """The words of the commands that a block may show beside what the run printed."""
    written = [*setup(lab, run, is_session=is_session), *lab.build]
    if not is_session:
        written += commands(lab, run)
    return {_words(command) for command in written}


def _inside(text: str, fence: Fence) -> tuple[int, list[str]]:
    start = text.find("\n", fence.info_end) + 1
    end = text.rfind("\n", start, fence.end) if fence.closed else fence.end
    return start, text[start : max(start, end)].split("\n")


def inside(text: str, fence: Fence) -> tuple[int, int]:
    """The offsets at which the content of a fence begins and ends."""
    start, lines = _inside(text, fence)
    return start, start + len("\n".join(lines)) + 1


def _first_difference(
    shown: Sequence[tuple[int, str]], recorded: Sequence[str], nothing: int
) -> tuple[int, str] | None:
    """The offset of the first shown line that differs, and the recorded line expected there.

    None if all lines agree. If no line is shown, the offset is ``nothing``.
    """
    if not any(line for _, line in shown):
        return (nothing, recorded[0]) if any(recorded) else None
    j = 0
    gap = False
    for at, line in shown:
        if line.strip() in _GAP:
            gap = True
            continue
        if gap:
            rest = recorded[j:]
            if line not in rest:
                return at, ""
            j += rest.index(line) + 1
            gap = False
            continue
        if j >= len(recorded) or recorded[j] != line:
            return at, recorded[j] if j < len(recorded) else ""
        j += 1
    if j < len(recorded) and not gap:
        return shown[-1][0], recorded[j]
    return None


def commands(lab: Lab, run: Run) -> list[str]:
    """The commands that a note may show: those of the build and the run, parameters filled in."""
    written = [*lab.build]
    options = run.options
    if isinstance(options.get("command"), str):
        written.append(options["command"])
    if isinstance(options.get("commands"), dict):
        written += [str(c) for c in options["commands"].values()]
    return [_filled(c, lab) for c in written]


def _filled(command: str, lab: Lab) -> str:
    for name, value in lab.parameters.items():
        command = command.replace(f"{{{name}}}", f"{value:g}" if value % 1 else str(int(value)))
    return command


@lru_cache(maxsize=4096)
def _words(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError:
        return (command,)
