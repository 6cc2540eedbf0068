"""The instrument ``nogpu``: a program gets the lab's CUDA runtime, if PyTorch has CUDA."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from perfnotes.labs.box import CannotRunError, LabError
from perfnotes.labs.instruments import instruments, nogpu
from tests.instrument_box import Box, box_with_programs, measure, run, values

pytestmark = pytest.mark.slow
RUNTIME = """#include <cuda_runtime_api.h>
int devices(void) { return DEVICES; }
"""
PROGRAM = """
import ctypes
opened = ctypes.CDLL("libcuda.so.1").devices() + ctypes.CDLL("libnvidia-ml.so.1").devices()
print("the program")
print('{"devices": %d, "opened": %d}' % (ctypes.CDLL(None).devices(), opened))
"""


@pytest.fixture
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    with box_with_programs(tmp_path_factory) as box:
        (box.path / "runtime.c").write_text(RUNTIME)
        (box.path / "program.py").write_text(PROGRAM)
        yield box


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders that look like those of PyTorch's CUDA build."""
    headers, libraries = tmp_path / "nvidia" / "cu13" / "include", tmp_path / "torch" / "lib"
    (headers / "crt").mkdir(parents=True)
    libraries.mkdir(parents=True)
    for name in ("cuda.h", "crt/host_defines.h"):
        (headers / name).touch()
    (headers / "cuda_runtime_api.h").write_text("#define DEVICES 3\n")
    (libraries / "libc10_cuda.so").touch()
    monkeypatch.setattr(nogpu, "_folders", lambda module: [tmp_path / module])
    return tmp_path


@pytest.mark.usefixtures("packages")
def test_the_runtime_is_compiled_and_called(box: Box) -> None:
    options = {"command": f"{sys.executable} program.py", "runtime": "runtime.c"}
    assert values(box, "nogpu", **options) == {"devices": 3, "opened": 6}
    found = measure(box, "nogpu", **options, units={"devices": "B"})
    assert found.quantities["devices"].unit == "B"
    assert found.output.startswith("the program\n")
    for name in ("LD_PRELOAD", "LD_LIBRARY_PATH"):
        with pytest.raises(LabError, match=f"this instrument sets {name}"):
            measure(box, "nogpu", **options, env={name: "x.so"})
    with pytest.raises(LabError, match=r"there is no other\.c"):
        measure(box, "nogpu", command="true", runtime="other.c")


def test_headers_that_triton_brings(box: Box, packages: Path) -> None:
    there = packages / "triton" / "backends" / "nvidia"
    there.mkdir(parents=True)
    (packages / "nvidia" / "cu13" / "include").rename(there / "include")
    options = {"command": f"{sys.executable} program.py", "runtime": "runtime.c"}
    assert values(box, "nogpu", **options)["devices"] == 3


@pytest.mark.parametrize(
    "lacking", ["torch/lib/libc10_cuda.so", "nvidia/cu13/include/crt/host_defines.h"]
)
def test_without_a_build_with_cuda(box: Box, packages: Path, lacking: str) -> None:
    (packages / lacking).unlink()
    with pytest.raises(CannotRunError, match="needs PyTorch's CUDA build"):
        measure(box, "nogpu", command="true", runtime="runtime.c")


def test_what_it_needs() -> None:
    needed = instruments()["nogpu"].needs(run("nogpu", command="x", runtime="r.c"))
    assert (needed.tools, needed.python) == (("gcc",), ("torch",))
    assert nogpu._folders("perfnotes")[0].name == "perfnotes"
    assert nogpu._folders("nosuchpackage") == []
