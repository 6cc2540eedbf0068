"""Recorded output: fences whose info string names the lab run that their text comes from.

```` ```console lab=show ```` holds ``$ command`` lines and the output of the run ``show`` of the
note's lab; ``lab=caches/row-order#show`` names a run of another note's lab. A line ``…`` stands for
lines that are left out. If the output itself has prompts (a recorded session), they are compared
as part of the output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from perfnotes.graph.evidence import Evidence
from perfnotes.graph.links import Links
from perfnotes.graph.recording import PROMPTS, Recording
from perfnotes.graph.resolve import Problem
from perfnotes.graph.sessions import missing_commands
from perfnotes.graph.targets import LinkedText
from perfnotes.model.lab import Lab
from perfnotes.text.body import Body
from perfnotes.text.nearest import nearest
from perfnotes.text.tokens import Fence, MarkdownDocument

_NAMED = re.compile(r"(?:^|\s)lab=(?:(?P<note>[a-z0-9-]+(?:/[a-z0-9-]+)?)#)?(?P<run>\S*)")
_GAP = ("…", "...")


class ShownOutput(Struct, frozen=True):
    """A fence that names a run; ``problem`` is None if it shows the run's output.

    ``at`` is the offset of the problem.
    """

    fence: Fence
    problem: Problem | None = None
    at: int = 0
    lab: Lab | None = None  # set if there is no problem, as is ``run``
    run: str = ""
    hidden: tuple[str, ...] = ()  # commands for settings of the run that the fence does not show
    # The right content of a wrong fence without gaps: commands that it shows, recorded output.
    right: tuple[Sequence[str], Sequence[str]] | None = None

    @property
    def mended(self) -> str:
        """The right content of the fence, or "" if that is not known."""
        return "\n".join([*self.right[0], *self.right[1]]) + "\n" if self.right else ""


def outputs(links: Links, evidence: Evidence) -> Iterator[ShownOutput]:
    """Yield every fence of a text that names a run, in the order of the text."""
    for named in _named_fences(links.text.body):
        yield _judge(links.text, named, evidence)


def labs_shown(links: Links, evidence: Evidence) -> set[str]:
    """Return the ids of all labs of which the fences of a text name a run."""
    found = (_lab(links.text, named, evidence)[0] for named in _named_fences(links.text.body))
    return {lab.id for lab in found if lab}


class _NamedFence(Struct, frozen=True):
    """A fence that names ``run``, a run of the lab of ``note``, or else of the text's own lab."""

    fence: Fence
    note: str
    run: str


def _named_fences(body: Body) -> list[_NamedFence]:
    """Return the fences of a text that name a run; they are stored with the text."""
    return body.computed("outputs", None, lambda: [*_find_fences(body.document)])


def _find_fences(document: MarkdownDocument) -> Iterator[_NamedFence]:
    for fence in document.blocks.fences:
        named = _NAMED.search(document.text[fence.info_start : fence.info_end])
        if named:
            yield _NamedFence(fence, named["note"] or "", named["run"])


def _lab(
    shown_in: LinkedText, named: _NamedFence, evidence: Evidence
) -> tuple[Lab | None, Problem | None]:
    """Return the lab of which a fence names a run, or None and the problem."""
    own = shown_in.id if shown_in.kind == "note" else ""
    return evidence.lab(named.note or own, bool(named.note), form="lab=topic/note#run")


def _judge(shown_in: LinkedText, named: _NamedFence, evidence: Evidence) -> ShownOutput:
    text, fence, run = shown_in.body.document.text, named.fence, named.run
    lab, problem = _lab(shown_in, named, evidence)
    if lab is None:
        return ShownOutput(fence, problem, fence.info_start)
    if text.rfind("\n", 0, fence.start) + 1 != fence.start or not fence.closed:
        message = "a fence with recorded output must start at the margin and be closed"
        hint = "do not indent the fence, and close it"
        return ShownOutput(fence, ("PN922", message, hint), fence.info_start)
    if run not in lab.runs:
        guess = nearest(run, lab.runs, 0.6)
        hint = f"did you mean {guess}?" if guess else "its runs: " + ", ".join(lab.runs)
        message = f"the lab of {lab.id} has no run {run!r}"
        return ShownOutput(fence, ("PN910", message, hint), fence.info_start)
    recording = evidence.recording(lab, run)
    if recording is None:
        result = evidence.reference(lab)
        measured = result.runs.get(run) if result else None
        why = measured.not_run if measured and measured.not_run else "no output of it was kept"
        message = f"the run {run!r} of {lab.id} has no recorded output: {why}"
        record = evidence.library.record_command(lab, lab.reference)
        hint = f"give it 'output: true' and run: {record}"
        if measured and measured.not_run:
            hint = "show another run, or make a machine that can run it the lab's `reference`"
        return ShownOutput(fence, ("PN913", message, hint), fence.info_start)
    return _compare(text, fence, recording)


def _compare(text: str, fence: Fence, recording: Recording) -> ShownOutput:
    """Compare a closed fence at the margin with what the run that it names printed."""
    start, lines = _content_lines(text, fence)
    lab, recorded, is_session = recording.lab, recording.lines, recording.is_session
    prompts = fence.language == "console" and not is_session
    at = start
    shown: list[tuple[int, str]] = []
    for line in lines:
        if is_session and line.startswith("$ ") and line not in recording.line_set:
            # A session may show commands of its script that the recording did not print.
            if not recording.may_show(line[2:]):
                shown.append((at, line.rstrip()))
        elif prompts and line.startswith(PROMPTS):
            if not recording.may_show(line[2:]):
                message = f"{line[2:]!r} is not a command of this run"
                commands = recording.commands
                hint = "it is: " + (commands[-1] if commands else recording.run.tool)
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
        hidden = missing_commands(recording.settings, lab, "\n".join(lines))
        return ShownOutput(fence, lab=lab, run=recording.run.id, hidden=tuple(hidden))
    at, expected = wrong
    gaps = any(line.strip() in _GAP for _, line in shown)
    hint = "`perfnotes fix` writes what was recorded"
    if expected or gaps:
        hint = f"recorded: {expected}" if expected else "no later line of the output is like this"
    commands_shown = [x for x in lines if prompts and x.startswith(PROMPTS)]
    right = None if gaps else (commands_shown, recorded)
    problem = ("PN922", "this is not what the run printed", hint)
    return ShownOutput(fence, problem, at, right=right)


def _content_lines(text: str, fence: Fence) -> tuple[int, list[str]]:
    """Return the offset at which the content of a fence begins, and its lines."""
    line_end = text.find("\n", fence.info_end)
    start = line_end + 1 if line_end >= 0 else len(text)
    end = text.rfind("\n", start, fence.end) if fence.closed else fence.end
    return start, text[start : max(start, end)].split("\n")


def content_range(text: str, fence: Fence) -> tuple[int, int]:
    """Return the offsets at which the content of a fence begins and ends."""
    start, lines = _content_lines(text, fence)
    return start, start + len("\n".join(lines)) + 1


def _first_difference(
    shown: Sequence[tuple[int, str]], recorded: Sequence[str], at_if_empty: int
) -> tuple[int, str] | None:
    """Return the offset of the first shown line that differs, and the recorded line expected there.

    Returns None if all lines agree. If no line is shown, the offset is ``at_if_empty``.
    """
    if not any(line for _, line in shown):
        return (at_if_empty, recorded[0]) if any(recorded) else None
    j = 0
    gap = False
    for at, line in shown:
        if line.strip() in _GAP:
            gap = True
            continue
        if gap:
            try:
                j = recorded.index(line, j) + 1
            except ValueError:
                return at, ""
            gap = False
            continue
        if j >= len(recorded) or recorded[j] != line:
            return at, recorded[j] if j < len(recorded) else ""
        j += 1
    if j < len(recorded) and not gap:
        return shown[-1][0], recorded[j]
    return None
