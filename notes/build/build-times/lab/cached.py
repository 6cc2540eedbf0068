"""Hits and misses of ccache for six files, by what changed between two builds. Prints JSON."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import project
from project import FILES

COUNTERS = ("direct_cache_hit", "preprocessed_cache_hit", "cache_miss", "called_for_link")
SHORT = ("direct", "preprocessed", "missed", "link")
MAP = "-ffile-prefix-map={folder}=."
TOO_NEW = 1.1    # seconds: ccache leaves direct mode for headers of the current second


class Cache:
    """A cache of its own, with settings of its own."""

    def __init__(self, base: pathlib.Path, **settings: str):
        self.folder = base / f"cache{time.monotonic_ns()}"
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("CCACHE_")}
        self.environment |= {"CCACHE_DIR": str(self.folder), **settings}

    def call(self, folder: pathlib.Path, *command: str) -> str:
        return subprocess.run(command, cwd=folder, env=self.environment, check=True, text=True,
                              capture_output=True).stdout

    def build(self, folder: pathlib.Path, *flags: str, absolute: bool = False,
              compiler: str = "gcc") -> dict[str, int]:
        """Compiles all files, and returns what the statistics count for that."""
        self.call(folder, "ccache", "-z")
        place = f"{folder}/" if absolute else ""
        for k in range(FILES):
            self.call(folder, "ccache", compiler, *flags, f"-I{place or '.'}", "-c", f"{place}f{k}.c",
                      "-o", f"f{k}.o")
        return self.counts(folder)

    def counts(self, folder: pathlib.Path) -> dict[str, int]:
        lines = (line.split() for line in self.call(folder, "ccache", "--print-stats").splitlines())
        found = {line[0]: int(line[1]) for line in lines if len(line) == 2}
        return {short: found[name] for name, short in zip(COUNTERS, SHORT, strict=True)}


def edits(base: pathlib.Path) -> dict[str, dict[str, int]]:
    """One cache, one folder, one change after the other."""
    folder = base / "edits"
    project.write(folder)
    cache = Cache(base)
    time.sleep(TOO_NEW)
    facts = {"first": cache.build(folder), "again": cache.build(folder)}
    project.age(folder, -1800)
    facts["touched"] = cache.build(folder)
    header = folder / "common.h"
    header.write_text(header.read_text().replace("the constant", "a constant"))
    time.sleep(TOO_NEW)
    facts["comment"] = cache.build(folder)
    facts["define"] = cache.build(folder, "-DUNUSED=1")
    header.write_text(header.read_text().replace("K 1", "K 2"))
    time.sleep(TOO_NEW)
    facts["value"] = cache.build(folder)
    header.write_text(header.read_text().replace("K 2", "K 1"))
    time.sleep(TOO_NEW)
    facts["value_back"] = cache.build(folder)
    facts["option"] = cache.build(folder, "-O2")
    cache.call(folder, "ccache", "-z")
    cache.call(folder, "ccache", "gcc", "-shared", "f0.o", "-o", "f.so")
    facts["linked"] = cache.counts(folder)
    return facts


def clock(base: pathlib.Path, **settings: str) -> dict[str, int]:
    """A header that says when it was compiled, in two builds a second apart."""
    folder = base / f"clock{time.monotonic_ns()}"
    project.write(folder)
    with (folder / "common.h").open("a") as file:
        file.write("static const char built[] = __TIME__;\n")
    cache = Cache(base, **settings)
    time.sleep(TOO_NEW)
    cache.build(folder)
    time.sleep(TOO_NEW)
    return cache.build(folder)


def compiler(base: pathlib.Path, **settings: str) -> dict[str, int]:
    """The same compiler with another modification time, as after it was installed again."""
    folder = base / f"compiler{time.monotonic_ns()}"
    project.write(folder)
    mine = folder / "mygcc"
    mine.write_text('#!/bin/sh\nexec gcc "$@"\n')
    mine.chmod(0o755)
    cache = Cache(base, CCACHE_COMPILERTYPE="gcc", **settings)
    time.sleep(TOO_NEW)
    cache.build(folder, compiler=str(mine))
    project.age(folder, -60, "mygcc")
    return cache.build(folder, compiler=str(mine))


def folders(base: pathlib.Path) -> dict[str, dict[str, int]]:
    """The project in two folders, compiled with absolute paths, as CMake does; the second build."""
    one, two = base / "one", base / "two"
    project.write(one)
    shutil.copytree(one, two)
    time.sleep(TOO_NEW)
    facts = {}
    below, cwd = {"CCACHE_BASEDIR": str(base)}, {"CCACHE_NOHASHDIR": "1"}
    cases: dict[str, tuple[list[str], dict[str, str]]] = {
        "two_plain": ([], {}),
        "two_plain_base": ([], below),
        "two_g": (["-g"], {}),
        "two_g_base": (["-g"], below),
        "two_g_nohash": (["-g"], cwd),
        "two_g_base_nohash": (["-g"], below | cwd),
        "two_g_map": (["-g", MAP], {}),
        "two_g_map_base": (["-g", MAP], below),
    }
    for name, (flags, settings) in cases.items():
        cache = Cache(base, **settings)
        for folder in (one, two):
            facts[name] = cache.build(folder, *(flag.format(folder=folder) for flag in flags),
                                      absolute=True)
    return facts


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        base = pathlib.Path(name)
        facts = edits(base) | folders(base)
        facts["clock"] = clock(base)
        facts["clock_sloppy"] = clock(base, CCACHE_SLOPPINESS="time_macros")
        facts["compiler"] = compiler(base)
        facts["compiler_content"] = compiler(base, CCACHE_COMPILERCHECK="content")
    print(json.dumps({f"{case}_{counter}": number for case, counts in facts.items()
                      for counter, number in counts.items()}))


if __name__ == "__main__":
    main()
