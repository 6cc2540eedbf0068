"""Random lines of commands, and which processes and variables bash makes of them.

``bash_processes`` runs all lines in one script under strace, which counts the processes that are
started. Each line sets variables of its own (v1, v2 and so on); those that the script's shell has
afterwards survive.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from perfnotes.explorables._typed_line import Answer

_SET = re.compile(r"(?:for |read -r )?(v[0-9]+)")
_CALL = re.compile(r"^([0-9]+) +(?:<\.\.\. )?(clone3?|v?fork|chdir)\b(.*)$", re.MULTILINE)
_CALLS = "clone,clone3,fork,vfork,chdir"


class _Writer:
    """Writes one line; each variable in it has a name of its own."""

    def __init__(self, chance: random.Random) -> None:
        self._chance, self._names = chance, 0

    def _name(self) -> str:
        self._names += 1
        return f"v{self._names}"

    def _simple(self, depth: int) -> str:
        kinds = ["set", "set", "program", "builtin", "builtin", "read"]
        if depth < 3:
            kinds += ["dollar", "dollar", "process", "words", "file"]
        kind = self._chance.choice(kinds)
        if kind == "set":
            return f"{self._name()}=1"
        if kind == "read":
            return f"read -r {self._name()} <<< l"
        if kind == "program":
            return self._chance.choice(("cat", "seq 1", "wc -l", "x=1 cat", "tr a b", "cat < f"))
        # A builtin that writes into a pipe without a reader would end its copy before its time.
        if kind == "builtin":
            return self._chance.choice((": > g", "echo x > g", ":", "true"))
        if kind == "dollar":
            return f'{self._name()}="$({self.list(depth + 1)})"'
        if kind == "process":
            command = self._chance.choice((f"read -r {self._name()} <", ":", "cat", "cat <"))
            return f"{command} <({self.list(depth + 1)})"
        if kind == "file":
            return f"{self._name()}=$(< f)"
        if kind == "words":
            command = self._chance.choice((": 'a;b'", "cat -", "cat < f"))
            return f'{command} "$({self.list(depth + 1)})"'
        return "printf x > g"

    def _command(self, depth: int) -> str:
        kind = self._chance.random()
        if depth >= 3 or kind < 0.55:
            return self._simple(depth)
        if kind < 0.7:
            inner = self.list(depth + 1)
            return f"( {inner} )" if inner.startswith("(") else f"({inner})"
        if kind < 0.82:
            return f"{{ {self._ended(depth)} }}"
        if kind < 0.92:
            return f"for {self._name()} in 1; do {self._ended(depth)} done"
        return f"while read -r {self._name()}; do {self._ended(depth)} done <<< l"

    def _ended(self, depth: int) -> str:
        inner = self.list(depth + 1)
        return inner if inner.endswith("&") else f"{inner};"

    def _pipeline(self, depth: int) -> str:
        parts = [self._command(depth) for _ in range(self._chance.choice((1, 1, 1, 2, 2, 3)))]
        return " | ".join(parts)

    def list(self, depth: int = 0) -> str:
        """Return one to three pipelines."""
        text = ""
        number = self._chance.choice((1, 1, 2, 2, 3) if depth else (1, 2, 2, 3))
        for i in range(number):
            text += self._pipeline(depth)
            if self._chance.random() < 0.1:
                text += " & " if i < number - 1 else " &"
            elif i < number - 1:
                text += "; "
        return text


def lines(number: int, seed: int) -> list[str]:
    """Return random lines, a quarter with ``lastpipe`` and some of those with job control."""
    chance = random.Random(seed)
    found: list[str] = []
    while len(found) < number:
        text = _Writer(chance).list()
        if chance.random() < 0.25:
            jobs = "set -m; " if chance.random() < 0.2 else ""
            text = f"shopt -s lastpipe; {jobs}{text}"
        if len(text) <= 160:
            found.append(text)
    return found


def bash_processes(given: Sequence[str], folder: Path) -> list[tuple[int, set[str]]]:
    """Return how many processes bash starts for each line, and what is set after it."""
    marks = folder / "marks"
    marks.mkdir(parents=True)
    (folder / "f").write_text("l\n", "utf-8")
    script = [f"exec 9> {folder}/names; cd {folder}"]
    for line in given:
        clean = "set +m; shopt -u lastpipe; unset ${!v@}"
        # Background jobs end before the mark; what they start counts for their own line.
        end = f'wait; echo "${{!v@}}" >&9; {clean}; cd {marks}; cd {folder}'
        script += [f"{{ {line}\n}} < /dev/null > /dev/null 2>&1", end]
    (folder / "script").write_text("\n".join(script) + "\n", "utf-8")
    strace = shutil.which("strace")
    assert strace
    subprocess.run(
        [strace, "-f", "-qq", "-e", f"trace={_CALLS}", "-e", "signal=none", "-o", "calls",
         "bash", "script"],
        cwd=folder, check=True, capture_output=True, env={"PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    names = (folder / "names").read_text("utf-8").splitlines()
    started = _started((folder / "calls").read_text("utf-8", "replace"), str(marks))
    return [(started[i], set(each.split())) for i, each in enumerate(names)]


def _started(calls: str, mark: str) -> Counter[int]:
    """Count processes by line.

    One started late counts for the line of the process that started it.
    """
    parent: dict[str, str] = {}
    line_of: dict[str, int] = {}
    shell, now = calls.split(maxsplit=1)[0], 0
    for pid, call, rest in _CALL.findall(calls):
        if call == "chdir":
            now += pid == shell and f'"{mark}"' in rest
        elif child := re.search(r"= ([0-9]+)$", rest):
            parent[child[1]] = pid
            if pid == shell:
                line_of[child[1]] = now
    found: Counter[int] = Counter()
    for process in parent:
        of = process
        while of not in line_of:
            of = parent[of]
        found[line_of[of]] += 1
    return found


def shown_processes(answer: Answer) -> tuple[int, set[str]]:
    """Return the same of an answer."""
    texts = [text for word in answer.rows[0].words for text, kind in word if kind == "kept"]
    found = [_SET.match(text) for text in texts]
    return int(answer.gaps["count"]), {each[1] for each in found if each}
