"""Stop commands by signals at random moments, and look at what they print and leave behind.

    python -m benchmarks.hostile.kills --count 120 --seed 1

Each round starts one command (a check, a clean build, a build after an edit, an import) in a small
project and sends SIGTERM, SIGINT or SIGKILL. Half of the SIGINTs go to the whole process group, as
from a terminal. Half of the moments are in the first 300 ms, the others anywhere in the time that
the command takes on this machine. A round is wrong if something like a traceback is printed. It is
wrong too if the exit status is not 128 plus the signal, death by the signal, or 0 because the
command had ended.

After every twelve rounds each command runs once to its end. Then the project, the temporary folder
and the user's cache may hold only files and folders that undisturbed runs leave too, and the site
must be, byte for byte, what a build without the cache makes.

    python -m benchmarks.hostile.kills --builds --count 100 --seed 1

kills builds alone, by SIGKILL, each while it really runs: clean ones, ones that take every page
from the cache, and ones after an edit. Every second of these last is killed as soon as the journal
of the exchange of files is seen. After each kill all files of the site are hashed. They must
be those of before the build or those that an undisturbed build makes; or the kill came while files
were exchanged, there is a journal beside the site, and the next build has completed it.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.project import commit, copy_project, differences, environment, tree

PROGRAM = Path(sys.executable).with_name("perfnotes")
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
EARLY = 0.3  # seconds
TOGETHER = 12  # rounds between two inspections of what they left
_WRONG = re.compile(r"Traceback|Exception ignored|^\w*(?:Error|Exit|Interrupt)\b", re.MULTILINE)
_TEXT = "notes/caches/rows.md"
_STARTING = "traceback of Python itself, which was starting"  # no code of perfnotes had run yet


@dataclass
class Tally:
    """How the rounds ended, by kind, and a text for each wrong round."""

    ends: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class Rounds:
    """A project below ``folder``, and how long each command takes in it."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self._project = folder / "project"
        self._temporary, self._home = folder / "tmp", folder / "home"
        for each in (self._project, self._temporary, self._home):
            each.mkdir()
        self._chance = chance
        self._edits = 0
        copy_project(self._project, notes={})
        commit(self._project)
        self._import = folder / "vault"
        self._import.mkdir()
        for i in range(40):
            text = f"# Vault page {i}\n\nText on [page](p{i - 1}.md).\n\n- one\n- two\n"
            (self._import / f"p{i}.md").write_text(text, "utf-8")
        self._take_times()

    def _take_times(self) -> None:
        self._seconds: dict[str, float] = {}
        for name in ("clean build", "check", "edited build", "import"):
            self._prepare(name)
            begin = time.monotonic()
            self._run(self._command(name))
            self._seconds[name] = time.monotonic() - begin
            self._undo()
        self._run(["build", "--quiet"])
        self._known = self._files()

    def round(self, name: str, number: signal.Signals, tally: Tally) -> None:
        """Run one command, send one signal, and judge what was printed and the exit status."""
        self._prepare(name)
        early = self._chance.random() < 0.5
        moment = self._chance.uniform(0, EARLY if early else self._seconds[name])
        child = subprocess.Popen(
            [PROGRAM, *self._command(name)],
            cwd=self._project,
            env=self._env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # A shell makes background jobs ignore Ctrl-C. The command must not inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )
        time.sleep(moment)
        was_running = child.poll() is None
        if was_running and number == signal.SIGINT and self._chance.random() < 0.5:
            os.killpg(child.pid, number)
        else:
            child.send_signal(number)
        printed = child.communicate(timeout=300)[0].decode("utf-8", "replace")
        self._judge(f"{name}, {number.name} after {moment:.3f} s", number, child, printed, tally)

    def _judge(
        self,
        what: str,
        number: signal.Signals,
        child: subprocess.Popen[bytes],
        printed: str,
        tally: Tally,
    ) -> None:
        status = child.returncode
        end = {-number: "by the signal", 128 + number: "128 + signal", 0: "over"}.get(
            status, "wrong"
        )
        if _WRONG.search(printed):
            if "init_import_site" in printed or "<frozen site>" in printed:
                end = _STARTING
            else:
                end = "traceback"
        tally.ends[end] += 1
        if end in ("wrong", "traceback"):
            tally.wrong.append(f"{what}: status {status}\n{printed}")

    def kill_build(self, name: str, tally: Tally) -> None:
        """Kill one build while it runs, and compare all files of the site."""
        site = self._project / "site"
        while True:
            self._prepare(name)
            if name == "remembered build":
                shutil.rmtree(site)
            before = tree(site) if site.is_dir() else {}
            child = subprocess.Popen(
                [PROGRAM, "build", "--quiet"],
                cwd=self._project,
                env=self._env,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            if name == "edited build" and self._edits % 2:
                moment = self._wait_for_journal(child)
            else:
                moment = self._chance.uniform(0, self._seconds.get(name, self._seconds["check"]))
                time.sleep(moment)
            child.kill()
            if child.wait() == -signal.SIGKILL:
                break  # else it was over, and another one is begun
        now = tree(site) if site.is_dir() else {}
        journal = any(self._project.glob(".site.building-*/.journal"))
        self._run(["build", "--quiet"])
        after = tree(site)
        end = "as before" if now == before else "as after" if now == after else "mixed"
        if end == "mixed" and journal:
            end = "mixed, with a journal that the next build completed"
        tally.ends[f"{name}: {end}"] += 1
        if end == "mixed":
            tally.wrong.append(f"{name}, killed after {moment:.3f} s: the site is mixed")

    def _wait_for_journal(self, child: subprocess.Popen[bytes]) -> float:
        """Return after how many seconds a journal was there or the build was over."""
        begin = time.monotonic()
        while child.poll() is None:
            with os.scandir(self._project) as entries:
                building = [e.path for e in entries if e.name.startswith(".site.building-")]
            if any(os.path.exists(f"{path}/.journal") for path in building):  # noqa: PTH110 - quick
                break
        return time.monotonic() - begin

    def problem(self) -> str:
        """Run each command once more; return what is wrong afterwards, or ""."""
        self._run(self._command("import"), either=True)
        self._undo()
        self._run(["check"])
        self._run(["build", "--quiet"])
        left = self._files() - self._known
        if left:
            return f"left behind: {', '.join(sorted(left))}"
        whole = self._project.parent / "whole"
        self._run(["build", "--quiet", "--no-cache", "--site", str(whole)])
        other = differences(self._project / "site", whole)
        shutil.rmtree(whole)
        return f"another site: {', '.join(other)}" if other else ""

    def _prepare(self, name: str) -> None:
        self._undo()
        if name == "clean build":
            shutil.rmtree(self._project / ".perfnotes-cache", ignore_errors=True)
            shutil.rmtree(self._project / "site", ignore_errors=True)
        elif name in ("edited build", "check"):
            self._edits += 1
            with (self._project / _TEXT).open("a", encoding="utf-8") as file:
                file.write(f"\nSentence {self._edits}.\n" if self._edits % 40 else "\nMore.\n")

    def _undo(self) -> None:
        """Remove the imported notes."""
        for file in (self._project / "notes").rglob("p[0-9]*.md"):
            if file.is_file():
                file.unlink()

    def _command(self, name: str) -> list[str]:
        if name == "import":
            return ["import", str(self._import), "--topic", "caches"]
        return ["check"] if name == "check" else ["build", "--quiet"]

    def _run(self, arguments: list[str], *, either: bool = False) -> None:
        done = subprocess.run(
            [PROGRAM, *arguments],
            cwd=self._project,
            env=self._env,
            capture_output=True,
            text=True,
            check=False,
        )
        allowed = (0, 1, 2) if either else (0,)
        if done.returncode not in allowed or "Traceback" in done.stderr:
            sys.exit(f"{arguments} failed: {done.stdout}{done.stderr}")

    @property
    def _env(self) -> dict[str, str]:
        # The copy's own program runs, so that edits of the original meanwhile change nothing.
        return environment(
            TMPDIR=str(self._temporary),
            XDG_CACHE_HOME=str(self._home),
            PYTHONPATH=str(self._project / "tools"),
        )

    def _files(self) -> set[str]:
        """Return the paths of all files and folders, without the site, git's files and kept pages.

        The names of kept pages and of the index's shards depend on their content, so that they
        differ from run to run. ``problem`` compares the staged tree with that of a clean build.
        """
        left_out = r"/\.git/|\.perfnotes-cache/pages/|__pycache__|/site/|/build/stage/"
        found = set()
        for base in (self._project, self._temporary, self._home):
            for path in base.rglob("*"):
                name = path.relative_to(base.parent).as_posix()
                if not re.search(left_out, name):
                    found.add(name)
        return found


def main() -> None:
    """Stop ``--count`` commands and print what was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=120, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--builds", action="store_true", help="kill builds, and hash the site")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        rounds = Rounds(Path(folder), chance)
        names = ("check", "clean build", "edited build", "import")
        builds = ("clean build", "remembered build", "edited build")
        for i in range(options.count):
            if options.builds:
                rounds.kill_build(builds[i % len(builds)], tally)
                print(f"{i + 1}: {dict(tally.ends)}, {len(tally.wrong)} wrong", flush=True)
                continue
            rounds.round(names[i % 4], SIGNALS[i // 4 % 3], tally)
            if i % TOGETHER == TOGETHER - 1 or i == options.count - 1:
                if problem := rounds.problem():
                    tally.wrong.append(f"after {i + 1} rounds: {problem}")
                print(f"{i + 1}: {dict(tally.ends)}, {len(tally.wrong)} wrong", flush=True)
    print(f"{options.count} commands stopped, seed {options.seed}")
    for end, count in tally.ends.most_common():
        print(f"{count:5d} {end}")
    print(f"{len(tally.wrong)} wrong")
    for line in tally.wrong:
        print(line)
    sys.exit(bool(tally.wrong))


if __name__ == "__main__":
    main()
