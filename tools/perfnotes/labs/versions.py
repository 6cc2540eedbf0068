"""The versions of compiler, libc, tools and Python modules that a lab's build and runs use."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from perfnotes.labs.box import CannotRunError, LabError
from perfnotes.labs.instruments import instruments
from perfnotes.labs.scratch import Scratch
from perfnotes.model.lab import Lab, Limits, Run

_COMPILERS = {"gcc", "g++", "cc", "c++", "clang", "clang++", "rustc", "go"}
_LIMITS = Limits(20.0, 1 << 30)
_LONGEST = 100  # characters of a version


def versions(lab: Lab, runs: Iterable[Run], box: Scratch) -> dict[str, str]:
    """The version of each program and module, by name; those without a version are left out."""
    chosen = list(runs)
    found = {"libc": _libc()}
    tools = _tools(lab, chosen)
    if any(_is_compiler(tool) for tool in tools):
        tools.append("ld")
    for tool in dict.fromkeys(tools):
        if version := _version(tool, box):
            found[tool] = version
    needs = (lab.needs, *(run.needs for run in chosen))
    for module in dict.fromkeys(m for need in needs for m in need.python):
        if version := _module(module):
            found[f"python {module}"] = version
    return {name: text for name, text in sorted(found.items()) if text}


def commands(run: Run) -> list[str]:
    """Every command in a run's options ``command`` and ``commands``."""
    found: list[str] = []
    for key in ("command", "commands"):
        value: Any = run.options.get(key)
        each = value.values() if isinstance(value, dict) else [value]
        found += [text for text in each if isinstance(text, str)]
    return found


def _tools(lab: Lab, runs: list[Run]) -> list[str]:
    """The programs that the commands begin with, that instruments need, and that the lab needs."""
    tools: list[str] = []
    for command in (*lab.build, *(c for run in runs for c in commands(run))):
        first = command.split()[:1]
        tools += [word for word in first if re.fullmatch(r"[\w.+-]+", word)]
    for run in runs:
        tools += instruments()[run.tool].needs(run).tools
        tools += run.needs.tools
    return [*tools, *lab.needs.tools]


def _is_compiler(tool: str) -> bool:
    return re.sub(r"-\d+$", "", PurePosixPath(tool).name) in _COMPILERS


def _version(tool: str, box: Scratch) -> str:
    """The line with the version that ``tool --version`` prints; "" if it fails."""
    try:
        done = box.execute([tool, "--version"], _LIMITS)
    except (LabError, CannotRunError):
        return ""
    lines = [" ".join(line.split()) for line in (done.stdout + "\n" + done.stderr).splitlines()]
    lines = [line for line in lines if re.search(r"\d", line)]
    # NVIDIA's tools print a copyright with its year first.
    best = [line for line in lines if re.search(r"release \d|\d+\.\d", line)] or lines
    line = best[0] if best else ""
    line = re.sub(rf"^{re.escape(tool)}(?: --)?[ -](?:version )?", "", line)
    return line[:_LONGEST]


def _libc() -> str:
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (ValueError, OSError):
        return " ".join(platform.libc_ver()).strip()


def _module(name: str) -> str:
    """The version of the package that holds a Python module, or ""."""
    from importlib import metadata  # noqa: PLC0415 - no build needs it, and it takes long to load

    top = name.partition(".")[0]
    for package in metadata.packages_distributions().get(top, [top]):
        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return ""
