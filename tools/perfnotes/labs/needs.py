"""What a lab needs and this machine lacks: programs, libraries, files, rights, a CPU or GPU."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from perfnotes.labs.instruments import instruments
from perfnotes.labs.sandbox import is_visible
from perfnotes.model.lab import Lab, Needs, Run


def search_path() -> str:
    """The folders, joined by ``:``, in which the programs of labs are looked for.

    The first is the folder of the Python that runs perfnotes, so that a lab's ``python3`` is the
    one of the virtual environment, with its modules. Folders that the sandbox does not show, such
    as those in a home folder, are left out.
    """
    return ":".join(folder for folder in whole_path().split(":") if is_visible(folder))


def whole_path() -> str:
    """The value of PATH that labs get.

    Folders that the sandbox does not show stay in it, so that PATH is the same with and without a
    sandbox: the length of the environment shifts a program's stack, and that changes simulated
    counts of cache misses.
    """
    own = str(Path(sys.executable).parent)
    return f"{own}:{os.environ.get('PATH') or '/usr/local/bin:/usr/bin:/bin'}"


def missing(*needs: Needs) -> str:
    """``needs X, Y (Debian: package)`` for what is missing here, or "" if nothing is.

    Instead of a package there may be a command, ``(make cuda)``.
    """
    lacks: list[str] = []
    arch = {a for need in needs for a in need.arch}
    if arch and any(platform.machine() not in need.arch for need in needs if need.arch):
        lacks.append(" or ".join(sorted(arch)))
    tools = _missing_tools(t for need in needs for t in need.tools)
    libraries = [x for need in needs for x in need.libraries if not has_library(x)]
    files = [file for need in needs for file in need.files if not Path(file).exists()]
    absent = {*tools, *libraries, *files}
    packages = [p for n in needs if {*n.tools, *n.libraries, *n.files} & absent for p in n.debian]
    ways = [f"Debian: {' '.join(dict.fromkeys(packages))}"] if packages else []
    targets = [t for n in needs if {*n.tools} & absent for t in n.make]
    ways += [f"make {target}" for target in dict.fromkeys(targets)]
    lacks += [*tools, *libraries, *files]
    flags = cpu_flags()
    lacks += sorted({f"a CPU with {f}" for n in needs for f in n.cpu if f.lower() not in flags})
    cores = max((need.cores for need in needs), default=1)
    if cores > len(os.sched_getaffinity(0)):
        lacks.append(f"{cores} cores")
    lacks += sorted({f"a GPU ({need.gpu})" for need in needs if need.gpu and not has_gpu(need.gpu)})
    if any(need.core_files for need in needs) and not has_core_files():
        lacks.append("a crash that leaves ./core (kernel.core_pattern, core_uses_pid, ulimit -Hc)")
    if any(need.root for need in needs) and not may_be_root():
        lacks.append("root, or sudo without a password")
    modules = sorted({m for need in needs for m in need.python if not has_module(m)})
    lacks += [f"Python's {module}" for module in modules]
    if not lacks:
        return ""
    return f"needs {', '.join(lacks)}" + (f" ({'; '.join(ways)})" if ways else "")


def missing_of_run(run: Run, lab: Lab) -> str:
    """What a run or its instrument needs and this machine lacks; see ``missing``.

    If neither names a Debian package for a missing program, the packages of the lab are named.
    """
    own = instruments()[run.tool].needs(run)
    lacks = missing(run.needs, own)
    if lacks and lab.needs.debian and "(Debian:" not in lacks:
        asked = {*own.tools, *run.needs.tools}
        if asked & set(_missing_tools(asked)):
            lacks += f" (Debian: {' '.join(lab.needs.debian)})"
    return lacks


def _missing_tools(tools: Iterable[str]) -> list[str]:
    wanted = dict.fromkeys(tools)
    return [tool for tool in wanted if shutil.which(tool, path=search_path()) is None]


@cache
def cpu_fields() -> Mapping[str, str]:
    """The fields of the first processor in ``/proc/cpuinfo``, names in lower case."""
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8", "replace")
    except OSError:
        return {}
    first = text.strip().split("\n\n")[0]
    pairs = (line.partition(":") for line in first.splitlines())
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


@cache
def cpu_flags() -> frozenset[str]:
    """The CPU's features, by the names that the kernel gives them."""
    fields = cpu_fields()
    return frozenset((fields.get("flags") or fields.get("features", "")).lower().split())


@cache
def has_gpu(vendor: str) -> bool:
    """Whether this machine has the devices of a GPU of ``nvidia`` or ``amd``."""
    if vendor == "nvidia":
        cards = Path("/proc/driver/nvidia/gpus")
        return Path("/dev/nvidiactl").exists() and (not cards.is_dir() or any(cards.iterdir()))
    return Path("/dev/kfd").exists()


def has_core_files(pattern: Path = Path("/proc/sys/kernel/core_pattern")) -> bool:
    """Whether a crash leaves a file ``core`` in its working folder, once its soft limit is raised.

    A pattern with more in the name, such as ``core.%p``, is no such place: each crash would leave
    a file of its own, and a lab could not tell them apart.
    """
    try:
        where = pattern.read_text("utf-8", "replace").strip()
    except OSError:
        return False
    try:
        adds_pid = pattern.with_name("core_uses_pid").read_text("utf-8", "replace").strip() != "0"
    except OSError:
        adds_pid = False
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    return where == "core" and not adds_pid and hard == resource.RLIM_INFINITY


@cache
def may_be_root() -> bool:
    """Whether this user is root, or sudo starts programs as root without asking."""
    if os.geteuid() == 0:
        return True
    try:
        asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


@cache
def has_library(name: str) -> bool:
    """Whether the dynamic linker knows a library; True if that cannot be found out.

    The library is not loaded, because loading it could start threads.
    """
    program = shutil.which("ldconfig") or shutil.which("ldconfig", path="/usr/sbin:/sbin")
    if program is None:
        return True  # without ldconfig nobody knows; if the library is missing, the run fails
    try:
        listed = subprocess.run(
            [program, "-p"], capture_output=True, text=True, timeout=30, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return True
    return any(line.split()[0] == name for line in listed.splitlines() if line.strip())


@cache
def has_module(name: str) -> bool:
    """Whether Python finds a module. It is not imported, because that could take seconds."""
    if not re.fullmatch(r"[A-Za-z_][\w.]*", name):
        return False
    try:
        return importlib.util.find_spec(name.partition(".")[0]) is not None
    except (ImportError, ValueError):
        return False
