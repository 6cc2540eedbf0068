"""How many jobs are alive at once, under make and ninja, as recorder.py sees it. Prints JSON."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from recorder import peak

FILES = 24
FOLDERS = 3
RECORDER = f"{sys.executable} {pathlib.Path('recorder.py').resolve()}"

LEAF = """\
OBJECTS := $(patsubst %,%.o,$(NAMES))
.PHONY: all
all: $(OBJECTS)
%.o: ; {recorder} {log} {full} $@
"""
TOP = """\
all: {folders}
{folders}: ; {call} -C $@
.PHONY: all {folders}
"""


def names(count: int) -> str:
    return " ".join(f"f{number}" for number in range(count))


def flat(full: int, *options: str) -> int:
    """The most jobs of one makefile with 24 targets."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        log = path / "log"
        text = f"NAMES := {names(FILES)}\n" + LEAF.format(recorder=RECORDER, log=log, full=full)
        (path / "Makefile").write_text(text)
        subprocess.run(["make", "-s", *options], cwd=folder, check=True)
        return peak(log.read_text())


def recursive(full: int, call: str) -> tuple[int, int]:
    """The most jobs of `make -j4` over three folders, and how often the jobserver was unavailable."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        log = path / "log"
        folders = [f"part{number}" for number in range(FOLDERS)]
        (path / "Makefile").write_text(TOP.format(folders=" ".join(folders), call=call))
        for name in folders:
            (path / name).mkdir()
            text = f"NAMES := {names(FILES // FOLDERS)}\n" + LEAF.format(
                recorder=RECORDER, log=log, full=full)
            (path / name / "Makefile").write_text(text)
        done = subprocess.run(["make", "-s", "-j4"], cwd=folder, check=True, text=True,
                              stderr=subprocess.PIPE)
        return peak(log.read_text()), done.stderr.count("jobserver unavailable: using -j1")


def ninja(full: int, depth: int | None, *options: str) -> tuple[int, int]:
    """The most compilations and the most links of ninja: 24 compilations, then a link for each four."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        compiles, links = path / "compiles", path / "links"
        most = depth or FILES // 4
        lines = [f"rule compile\n  command = {RECORDER} {compiles} {full} $out",
                 f"rule link\n  command = {RECORDER} {links} {min(most, full)} $out"]
        if depth:
            lines.insert(0, f"pool links\n  depth = {depth}")
            lines[-1] += "\n  pool = links"
        lines.append("build compiled: phony " + " ".join(f"f{k}.o" for k in range(FILES)))
        lines += [f"build f{k}.o: compile" for k in range(FILES)]
        lines += [f"build p{k}: link || compiled" for k in range(FILES // 4)]
        (path / "build.ninja").write_text("\n".join(lines) + "\n")
        subprocess.run(["ninja", "--quiet", *options], cwd=folder, check=True)
        return peak(compiles.read_text()), peak(links.read_text())


def ninja_default() -> int:
    """The number of jobs that ninja names in its help."""
    text = subprocess.run(["ninja", "-h"], capture_output=True, text=True).stderr
    found = re.search(r"default=(\d+)", text)
    if found is None:
        raise SystemExit("ninja -h names no default")
    return int(found.group(1))


def main() -> None:
    facts = {"cpus": len(os.sched_getaffinity(0)), "ninja_default": ninja_default()}
    facts["serial"] = flat(1)
    facts["unlimited"] = flat(FILES, "-j")
    facts["limited"] = flat(4, "-j4")
    facts["sub_good"], facts["warnings_good"] = recursive(4, "$(MAKE)")
    facts["sub_plain"], facts["warnings_plain"] = recursive(FOLDERS, "make")
    facts["sub_cleared"], facts["warnings_cleared"] = recursive(FOLDERS, "+env -u MAKEFLAGS make")
    facts["sub_forced"], _ = recursive(4 * FOLDERS, "$(MAKE) -j4")
    facts["ninja"], _ = ninja(facts["ninja_default"], None)
    facts["ninja_eight"], facts["links_free"] = ninja(8, None, "-j8")
    facts["pool_compiles"], facts["links_pool"] = ninja(8, 1, "-j8")
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
