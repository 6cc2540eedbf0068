"""``ptxas``: the registers and memory that a CUDA kernel uses; this needs no GPU.

Quantities of ``function`` (the name in the source, or the mangled name; not needed for a single
kernel) in ``source`` (``.cu`` or ``.ptx``), compiled for ``arch`` such as ``sm_90``:
``registers`` (a count, per thread), ``spill_stores spill_loads stack_bytes`` (B per thread; for
spills, the bytes that the instructions in the code move) and ``shared_bytes`` (B per block, only
what is declared statically). ``flags`` are passed to the compiler.
"""

from __future__ import annotations

from perfnotes.labs.box import Box, CannotRunError, LabError
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import count, execute, file, folder
from perfnotes.labs.instruments._ptxas_log import choose
from perfnotes.labs.instruments._schema import FILE, NAME, options
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

OPTIONS = options(
    "source",
    "arch",
    source={**FILE, "pattern": r"\.(cu|ptx)$"},
    arch={"type": "string", "pattern": "^sm_[0-9]{2,3}[af]?$"},
    function=NAME,
    flags={"type": "string", "maxLength": 500},
)
_UNKNOWN = ("is not defined for option 'gpu-name'", "Unsupported gpu architecture")


def needs(run: Run) -> Needs:
    """For a .cu file, the CUDA compiler and gcc; for a .ptx file, only the assembler."""
    tools = ("ptxas",) if _is_ptx(run) else ("nvcc", "ptxas", "gcc")
    return Needs(tools=tools, debian=("nvidia-cuda-toolkit",))


def measure(run: Run, box: Box) -> Measurement:
    """Compile the source and read what ptxas prints."""
    source, arch = file(run, box, "source"), run.options["arch"]
    flags = run.options.get("flags", "")
    more = box.words(flags) if flags else []
    tool = ["ptxas", "-v"] if _is_ptx(run) else ["nvcc", "-Xptxas", "-v", "-cubin"]
    with folder(box) as own:
        out = str(own / "out.cubin")
        try:
            done = execute(run, box, [*tool, f"-arch={arch}", *more, "-o", out, source])
        except LabError as error:
            if any(text in str(error) for text in _UNKNOWN):
                raise CannotRunError(f"needs a CUDA compiler that knows {arch}") from error
            raise
    kernel = choose(done.stdout + done.stderr, run.options.get("function", ""))
    quantities = {"registers": count(kernel.registers or 0)}
    for name in ("spill_stores", "spill_loads", "stack_bytes", "shared_bytes"):
        quantities[name] = Samples((getattr(kernel, name),), "B")
    return Measurement(quantities)


def _is_ptx(run: Run) -> bool:
    return str(run.options["source"]).endswith(".ptx")
