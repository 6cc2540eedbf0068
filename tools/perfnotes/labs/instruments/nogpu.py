"""``nogpu``: a program that uses PyTorch's CUDA build, on a CUDA runtime of the lab's own.

``runtime`` is C source with the functions of CUDA that the program is to reach. It is compiled
against the headers that come with PyTorch's CUDA build, and preloaded, so that its functions are
called and not those of the real library; a program that opens ``libcuda.so.1`` or
``libnvidia-ml.so.1`` gets it too. No GPU is needed, and one is not used. The program ends its
output with one JSON object, as for ``json``; quantities: those of the object, in the ``units``
given.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from perfnotes.labs.box import Box, CannotRunError, LabError
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import command_of, execute, file_of, own_folder
from perfnotes.labs.instruments._printed import quantities
from perfnotes.labs.instruments._schema import COMMAND, FILE, UNITS, options
from perfnotes.model.lab import Needs, Run

OPTIONS = options(
    "command",
    "runtime",
    command=COMMAND,
    runtime={**FILE, "pattern": r"\.c$"},
    units=UNITS,
)
_COMPILER = "gcc -shared -fPIC -O1 -Wall -Wextra -isystem"
_LIBRARIES = ("libcuda.so.1", "libnvidia-ml.so.1")  # what programs open by name while they run
_HEADERS = ("cuda.h", "cuda_runtime_api.h", "crt/host_defines.h")
_VARIABLES = ("LD_PRELOAD", "LD_LIBRARY_PATH")


def needs(_run: Run) -> Needs:
    """The compiler of the runtime, and PyTorch."""
    return Needs(tools=("gcc",), debian=("gcc", "libc6-dev"), python=("torch",))


def measure(run: Run, box: Box) -> Measurement:
    """Compile the runtime, run the program with it, and read what the program printed."""
    if taken := [name for name in _VARIABLES if name in run.env]:
        raise LabError(f"env: this instrument sets {taken[0]}, so the run cannot")
    source, headers = file_of(run, box, "runtime"), _headers()
    with own_folder(box) as own:
        library = own / "runtime.so"
        execute(run, box, [*_COMPILER.split(), str(headers), "-o", str(library), source])
        for name in _LIBRARIES:
            (own / name).symlink_to(library.name)
        env = dict(zip(_VARIABLES, (str(library), str(own)), strict=True))
        done = execute(run, box, command_of(run, box), env)
    return Measurement(quantities(done.stdout, run.options.get("units")), done.stdout)


def _headers() -> Path:
    """The folder of CUDA's headers; ``CannotRunError`` if PyTorch is not a build with CUDA."""
    if any((torch / "lib" / "libc10_cuda.so").is_file() for torch in _folders("torch")):
        candidates = [
            found for nvidia in _folders("nvidia") for found in nvidia.glob("cu*/include")
        ]
        candidates += [triton / "backends/nvidia/include" for triton in _folders("triton")]
        for place in candidates:
            if all((place / name).is_file() for name in _HEADERS):
                return place
    raise CannotRunError("needs PyTorch's CUDA build (pip install -r requirements/labs.txt)")


def _folders(module: str) -> list[Path]:
    """The folders in which Python finds a package, which is not imported."""
    spec: Any = find_spec(module)
    return [Path(p) for p in (spec and spec.submodule_search_locations) or ()]
