"""``ptxas``: the registers and memory that a CUDA kernel uses; this needs no GPU.

Quantities of ``function`` (the name in the source, or the mangled name; not needed for a single
kernel) in ``source`` (``.cu`` or ``.ptx``), compiled for ``arch`` such as ``sm_90``:
``registers`` (a count, per thread), ``spill_stores spill_loads stack_bytes`` (B per thread; for
spills, the bytes that the instructions in the code move) and ``shared_bytes`` (B per block, only
what is declared statically). ``flags`` are passed to the compiler.
"""

from __future__ import annotations

from perfnotes.labs.box import Box
from perfnotes.labs.instruments import Measurement, _cuda
from perfnotes.labs.instruments._call import count, own_folder
from perfnotes.labs.instruments._ptxas_log import choose
from perfnotes.labs.instruments._schema import options
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

OPTIONS = options("source", "arch", **_cuda.OPTIONS)


def needs(run: Run) -> Needs:
    """For a .cu file, the CUDA compiler and gcc; for a .ptx file, only the assembler."""
    return _cuda.needs(run)


def measure(run: Run, box: Box) -> Measurement:
    """Compile the source and read what ptxas prints."""
    with own_folder(box) as own:
        done = _cuda.compile_source(run, box, str(own / "out.cubin"), verbose=True)
    kernel = choose(done.stdout + done.stderr, run.options.get("function", ""))
    quantities = {"registers": count(kernel.registers or 0)}
    for name in ("spill_stores", "spill_loads", "stack_bytes", "shared_bytes"):
        quantities[name] = Samples((getattr(kernel, name),), "B")
    return Measurement(quantities)
