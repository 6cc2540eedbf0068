"""``sass``: the machine instructions of a CUDA kernel; this needs no GPU.

Quantities of ``function`` (the name in the source, or the mangled name; not needed for a single
kernel) in ``source`` (``.cu`` or ``.ptx``), compiled for ``arch`` such as ``sm_90`` with ``flags``:
``instructions`` (a count), and for each entry of ``match`` the count of instructions that contain a
match of the regular expression. The expression is applied to the instruction as the disassembler
writes it, such as ``@P0 LDG.E.128 R4, [R2.64]``; the predicate comes first if there is one. No-ops
and instructions that never run (``@!PT``) are not counted. With ``loop``, a regular expression such
as ``FFMA``, only one loop is counted: of those that hold no other loop, the one with the most
matches. A loop goes from the target of a backward branch to the branch. Instructions are what a
warp has to issue; they do not say how long it waits. A ``source`` that ends in ``.cubin``, which
the lab's ``build`` wrote with a compiler of its own such as Triton, is read as it is; it has to be
for ``arch``.
"""

from __future__ import annotations

import re

from perfnotes.labs.box import Box, LabError
from perfnotes.labs.instruments import Measurement, _cuda
from perfnotes.labs.instruments._call import count, execute, file_of, own_folder
from perfnotes.labs.instruments._pattern import compiled
from perfnotes.labs.instruments._ptxas_log import kernel_name
from perfnotes.labs.instruments._sass_listing import Code, read
from perfnotes.labs.instruments._schema import FILE, by_name, options
from perfnotes.model.lab import Needs, Run

_PATTERN = {"type": "string", "minLength": 1, "maxLength": 200}
_TARGET = re.compile(r"^\s*\.target\s+(sm_\w{2,6})", re.MULTILINE)
_RESERVED = {"not": {}, "description": "instructions are counted in any case"}
OPTIONS = options(
    "source",
    "arch",
    **{**_cuda.OPTIONS, "source": {**FILE, "pattern": r"\.(cu|ptx|cubin)$"}},
    loop=_PATTERN,
    match={**by_name(_PATTERN), "properties": {"instructions": _RESERVED}},
)


def needs(run: Run) -> Needs:
    """The CUDA compiler and its disassembler."""
    return _cuda.needs(run, "nvdisasm")


def measure(run: Run, box: Box) -> Measurement:
    """Compile the source, disassemble the kernel and count its instructions."""
    patterns = {name: compiled(text) for name, text in run.options.get("match", {}).items()}
    listing = _listing(run, box)
    kernels = read(listing)
    if not kernels:
        raise LabError(f"nvdisasm found no kernel in {run.options['source']}")
    name = kernel_name(kernels, run.options.get("function", ""), "nvdisasm")
    code = _counted(kernels[name], run.options.get("loop", ""), name)
    quantities = {"instructions": count(len(code))}
    for name, pattern in patterns.items():
        quantities[name] = count(sum(1 for each in code if pattern.search(each)))
    return Measurement(quantities)


def _listing(run: Run, box: Box) -> str:
    """The disassembly of the source, which is compiled first unless it is machine code."""
    if not _cuda.is_cubin(run):
        with own_folder(box) as own:
            cubin = str(own / "out.cubin")
            _cuda.compile_source(run, box, cubin)
            return execute(run, box, ["nvdisasm", "-c", cubin]).stdout
    listing = execute(run, box, ["nvdisasm", "-c", file_of(run, box, "source")]).stdout
    target = _TARGET.search(listing)
    if target and target[1].rstrip("af") != run.options["arch"].rstrip("af"):
        raise LabError(f"{run.options['source']} is for {target[1]}, not {run.options['arch']}")
    return listing


def _counted(code: Code, loop: str, name: str) -> list[str]:
    """The instructions that are counted: all of the kernel, or those of one inner loop.

    That is the loop with the most matches of ``loop``; ``LabError`` if no loop has one.
    """
    if not loop:
        return code.working()
    pattern = compiled(loop, "loop")

    def matches(each: list[str]) -> int:
        return sum(1 for text in each if pattern.search(text))

    loops = code.inner_loops()
    best = max(loops, key=matches, default=[])
    if not matches(best):
        raise LabError(
            f"loop: none of the {len(loops)} inner loops of {name} has a match of {loop!r}"
        )
    return best
