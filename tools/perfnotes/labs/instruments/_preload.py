"""The libraries of allocators: finding them, and proving that a program used one."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from perfnotes.labs.box import Box, CannotRunError, LabError
from perfnotes.labs.instruments._call import read_untrusted
from perfnotes.model.lab import Run

# Patterns of library file names, the preferred one first, and the Debian packages with them.
LIBRARIES = {
    "tcmalloc": (r"libtcmalloc_minimal\.so[.\d]*", r"libtcmalloc\.so[.\d]*"),
    "jemalloc": (r"libjemalloc\.so[.\d]*",),
    "mimalloc": (r"libmimalloc\.so[.\d]*",),
}
PACKAGES = {
    "tcmalloc": "libtcmalloc-minimal4",
    "jemalloc": "libjemalloc2",
    "mimalloc": "libmimalloc2.0",
}
# A line that `ldconfig -p` prints: a library, its kind and its file.
_LINE = re.compile(r"\s*(\S+) \(([^)]*)\) => (\S+)")
_ABI = {"x86_64": "x86-64", "aarch64": "AArch64"}
_BINDING = re.compile(r"binding file (\S+) \[\d+\] to (\S+) \[\d+\]: normal symbol `malloc'")


class MallocBindings(Struct, frozen=True):
    """For each process of a run, the files to which the dynamic linker bound ``malloc``."""

    bound: tuple[frozenset[str], ...]

    def require(self, allocator: str, library: str, command: str) -> None:
        """``LabError`` unless every process, of at least one, bound ``malloc`` to the library."""
        if not self.bound:
            raise LabError(
                f"{allocator} was not loaded: `{command}` has no dynamic linker"
                " (is it linked statically?)"
            )
        name = Path(library).name
        for files in self.bound:
            if not any(Path(file).name == name for file in files):
                there = ", ".join(sorted(files)) or "nothing"
                raise LabError(f"{allocator} was not used: malloc of `{command}` is from {there}")


def find(allocator: str, run: Run, box: Box) -> str:
    """The path of an allocator's library: from the linker's cache, else from the usual folders.

    ``CannotRunError`` if it is not installed.
    """
    patterns = LIBRARIES[allocator]
    program = shutil.which("ldconfig") or shutil.which("ldconfig", path="/usr/sbin:/sbin")
    if program:
        listed = in_cache(box.execute([program, "-p"], run.limits).stdout, platform.machine())
        if path := choose(patterns, listed):
            return path
    if path := choose(patterns, (str(f) for d in _folders() for f in d.glob("lib*.so*"))):
        return path
    raise CannotRunError(f"needs the library of {allocator} (Debian: {PACKAGES[allocator]})")


def in_cache(text: str, machine: str) -> list[str]:
    """The paths in the output of ``ldconfig -p`` that are for this kind of machine."""
    abi = _ABI.get(machine, "")
    lines = (_LINE.match(line) for line in text.splitlines())
    return [line[3] for line in lines if line and abi in line[2]]


def choose(patterns: Iterable[str], paths: Iterable[str]) -> str | None:
    """A path whose name matches the first pattern that any path matches; None if none does."""
    known = list(paths)
    for pattern in patterns:
        # A name with more version numbers belongs to the library itself, a bare one to its headers.
        fitting = [p for p in known if re.fullmatch(pattern, Path(p).name)]
        if fitting:
            return max(fitting, key=lambda p: (Path(p).name.count("."), -known.index(p)))
    return None


def _folders() -> list[Path]:
    """The folders in which the dynamic linker looks for libraries, as far as they exist."""
    triplet = sysconfig.get_config_var("MULTIARCH") or f"{platform.machine()}-linux-gnu"
    named = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    usual = [
        f"/usr/local/lib/{triplet}",
        "/usr/local/lib",
        f"/usr/lib/{triplet}",
        f"/lib/{triplet}",
    ]
    usual += ["/usr/lib64", "/usr/lib", "/lib64", "/lib"]
    return [Path(folder) for folder in [*filter(None, named), *usual] if Path(folder).is_dir()]


def log_bindings(folder: Path) -> dict[str, str]:
    """The environment that makes the dynamic linker log its bindings to files in ``folder``."""
    return {"LD_DEBUG": "bindings", "LD_DEBUG_OUTPUT": str(folder / "ld")}


def read_bindings(box: Box, folder: Path) -> MallocBindings:
    """The bindings of ``malloc`` in the linker's log files in ``folder``."""
    bound = []
    for file in sorted(folder.glob("ld.*")):
        lines = (read_untrusted(box, file) or "").splitlines()
        found = (_BINDING.search(line) for line in lines if "`malloc'" in line)
        bound.append(frozenset(match[2] for match in found if match))
    return MallocBindings(tuple(bound))
