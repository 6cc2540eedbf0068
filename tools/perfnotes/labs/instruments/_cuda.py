"""Compiling CUDA sources for the instruments that read what the compiler made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perfnotes.labs.box import Box, CannotRunError, Finished, LabError
from perfnotes.labs.instruments._call import execute, file_of
from perfnotes.labs.instruments._schema import FILE, NAME
from perfnotes.model.lab import Needs, Run

SOURCE: Mapping[str, Any] = {**FILE, "pattern": r"\.(cu|ptx)$"}
ARCH: Mapping[str, Any] = {"type": "string", "pattern": "^sm_[0-9]{2,3}[af]?$"}
FLAGS: Mapping[str, Any] = {"type": "string", "maxLength": 500}
OPTIONS = {"source": SOURCE, "arch": ARCH, "function": NAME, "flags": FLAGS}
_UNKNOWN = ("is not defined for option 'gpu-name'", "Unsupported gpu architecture")


def needs(run: Run, *more: str) -> Needs:
    """The compiler and gcc for a .cu file, the assembler for a .ptx file, and ``more`` programs."""
    tools: tuple[str, ...] = ("nvcc", "ptxas", "gcc")
    if _is_ptx(run):
        tools = ("ptxas",)
    elif is_cubin(run):
        tools = ()
    return Needs(tools=(*tools, *more), make=("cuda",))


def compile_source(run: Run, box: Box, out: str, verbose: bool = False) -> Finished:
    """Compile the run's source into the file ``out``; return the compiler's process.

    With ``verbose`` the compiler prints the registers and memory of each kernel. ``CannotRunError``
    if the compiler does not know the architecture, ``LabError`` if the source does not compile.
    """
    source, arch = file_of(run, box, "source"), run.options["arch"]
    flags = run.options.get("flags", "")
    more = box.arguments(flags) if flags else []
    tool: Sequence[str]
    if _is_ptx(run):
        tool = ["ptxas", *(["-v"] if verbose else [])]
    else:
        tool = ["nvcc", *(["-Xptxas", "-v"] if verbose else []), "-cubin"]
    try:
        return execute(run, box, [*tool, f"-arch={arch}", *more, "-o", out, source])
    except LabError as error:
        if any(text in str(error) for text in _UNKNOWN):
            raise CannotRunError(f"needs a CUDA compiler that knows {arch}") from error
        raise


def is_cubin(run: Run) -> bool:
    """Whether the run's source is machine code already."""
    return str(run.options["source"]).endswith(".cubin")


def _is_ptx(run: Run) -> bool:
    return str(run.options["source"]).endswith(".ptx")
