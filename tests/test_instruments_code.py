"""Instruments that read compiled code: sizes, disassembly, simulated and CUDA code."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import jsonschema_rs
import pytest

from perfnotes.labs.box import CannotRunError, LabError
from perfnotes.labs.instruments import instruments
from perfnotes.labs.instruments.mca import find as find_mca
from tests.instrument_box import Box, box_with_programs, measure, run, stand_in, values

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    with box_with_programs(tmp_path_factory) as box:
        yield box


def test_size(box: Box) -> None:
    def size(code: str) -> dict[str, float]:
        (box.path / "s.c").write_text(code)
        subprocess.run("gcc -shared -fPIC -o s.so s.c".split(), cwd=box.path, check=True)
        found = measure(box, "size", file="s.so")
        assert found.quantities["text"].unit == "B"
        return {name: samples.samples[0] for name, samples in found.quantities.items()}

    before = size("int a[1000] = {1}; int one(void) { return a[0]; }")
    more = "static int hidden[1]; int *more(void) { return hidden; }"
    after = size("int a[2000] = {1}; int one(void) { return a[0]; }" + more)
    assert after["data"] - before["data"] == 4000
    assert after["dynamic_symbols"] - before["dynamic_symbols"] == 1
    assert after["symbols"] - before["symbols"] == 2
    assert after["total"] == after["text"] + after["data"] + after["bss"]
    assert after["file_bytes"] == (box.path / "s.so").stat().st_size
    stripped = box.path / "stripped"
    subprocess.run(["strip", "-o", stripped, "p"], cwd=box.path, check=True)
    assert values(box, "size", file="stripped")["symbols"] == 0
    with pytest.raises(LabError, match=r"there is no nosuch: is it built\? \(there: "):
        measure(box, "size", file="nosuch")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the sample is in x86-64 assembly")
def test_objdump_counts_known_code(box: Box) -> None:
    match = {"calls": "^call", "vector": "xmm", "jumps": "^j", "rbx": r"%rbx\b"}
    for name in ("known", "alias"):
        found = values(box, "objdump", file="known.o", function=name, match=match)
        assert found["instructions"] == 8
        assert found["nops"] == 2
        assert found["bytes"] == 23
        assert (found["calls"], found["vector"], found["jumps"], found["rbx"]) == (1, 1, 1, 4)
    both = values(box, "objdump", file="p", function=["load", "store"])
    apart = [values(box, "objdump", file="p", function=name) for name in ("load", "store")]
    assert both == {name: apart[0][name] + apart[1][name] for name in both}


def test_objdump_refuses(box: Box) -> None:
    with pytest.raises(LabError, match=r"objdump saw no function 'stoer'.* nearest: .*store"):
        measure(box, "objdump", file="p", function="stoer")
    with pytest.raises(LabError, match="could take forever"):
        measure(box, "objdump", file="p", function="load", match={"x": "(a+)+b"})
    with pytest.raises(jsonschema_rs.ValidationError):
        run("objdump", file="p", function="load", match={"bytes": "x"})


def test_objdump_of_cxx_and_of_stripped_libraries(box: Box) -> None:
    code = """namespace n { int f(int a) { return a * 3; } int f(long a) { return a > 4; }
    struct S { int operator()(int) const; }; int S::operator()(int a) const { return a + 1; } }
    extern "C" int plain(int a) { return a; }"""
    (box.path / "c.cc").write_text(code)
    build = "g++ -O1 -shared -fPIC -o c.so c.cc"
    subprocess.run(build.split(), cwd=box.path, check=True)
    names = ["n::f(int)", "_ZN1n1fEi", "n::S::operator()", "n::S::operator()(int) const", "plain"]
    whole = [values(box, "objdump", file="c.so", function=name) for name in names]
    assert whole[0] == whole[1]
    assert whole[2] == whole[3]
    assert all(each["instructions"] >= 2 for each in whole)
    with pytest.raises(LabError, match=r"'n::f' names 2 functions: n::f\(int\); n::f\(long\)"):
        measure(box, "objdump", file="c.so", function="n::f")
    subprocess.run("strip c.so".split(), cwd=box.path, check=True)
    assert [values(box, "objdump", file="c.so", function=name) for name in names] == whole


LOOP = """
    .text
# LLVM-MCA-BEGIN chain
    imulq %rax, %rbx
    imulq %rax, %rbx
# LLVM-MCA-END
# LLVM-MCA-BEGIN apart
    addq $1, %rax
# LLVM-MCA-END
"""


def test_mca(box: Box) -> None:
    (box.path / "loop.s").write_text(LOOP)
    options = {"file": "loop.s", "cpu": "skylake", "triple": "x86_64-unknown-linux-gnu"}
    found = values(box, "mca", region="chain", iterations=200, **options)
    assert found["instructions"] == 400
    # Each multiplication waits three cycles for the one before.
    assert 1200 <= found["cycles"] <= 1210
    assert found["ipc"] == found["instructions"] / found["cycles"]
    assert found["block_rthroughput"] == 2.0
    assert values(box, "mca", region="apart", **options)["instructions"] == 100
    with pytest.raises(LabError, match=r"2 regions \(apart, chain\): say which"):
        measure(box, "mca", **options)
    with pytest.raises(CannotRunError, match="needs an llvm-mca that knows pentium99"):
        measure(box, "mca", **{**options, "cpu": "pentium99"})
    (box.path / "wrong.s").write_text("frobnicate %rax\n")
    with pytest.raises(LabError, match="invalid instruction mnemonic 'frobnicate'"):
        measure(box, "mca", **{**options, "file": "wrong.s"})


def test_mca_finds_any_version(tmp_path: Path) -> None:
    with pytest.raises(CannotRunError, match="needs llvm-mca"):
        find_mca(str(tmp_path))
    for name in ("llvm-mca-9", "llvm-mca-14", "llvm-mca-x"):
        (tmp_path / name).touch()
    assert find_mca(f"/nonexistent::{tmp_path}") == "llvm-mca-14"
    (tmp_path / "llvm-mca").touch()
    assert find_mca(str(tmp_path)) == "llvm-mca"
    needed = instruments()["mca"].needs(run("mca", file="x", cpu="znver3", llvm=14))
    assert needed.tools == ("llvm-mca-14",)


FAKE_PTXAS = """#!/bin/sh
case $* in *sm_30*)
    echo "ptxas fatal   : Value 'sm_30' is not defined for option 'gpu-name'" >&2; exit 1 ;;
esac
cat >&2 <<'END'
ptxas info    : Compiling entry function 'plain' for 'sm_90'
ptxas info    : Function properties for plain
    608 bytes stack frame, 664 bytes spill stores, 704 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 608 bytes cumulative stack size, 2048 bytes smem
END
"""


def test_ptxas(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(box, monkeypatch, "ptxas", FAKE_PTXAS)
    (box.path / "k.ptx").write_text("// any\n")
    found = measure(box, "ptxas", source="k.ptx", arch="sm_90").quantities
    assert {name: (samples.samples[0], samples.unit) for name, samples in found.items()} == {
        "registers": (32, ""),
        "spill_stores": (664, "B"),
        "spill_loads": (704, "B"),
        "stack_bytes": (608, "B"),
        "shared_bytes": (2048, "B"),
    }
    with pytest.raises(CannotRunError, match="a CUDA compiler that knows sm_30"):
        measure(box, "ptxas", source="k.ptx", arch="sm_30")
    with pytest.raises(LabError, match=r"no kernel 'plane'. The nearest: plain"):
        measure(box, "ptxas", source="k.ptx", arch="sm_90", function="plane")
    tools = [
        instruments()["ptxas"].needs(run("ptxas", source=s, arch="sm_90")).tools
        for s in ("k.ptx", "k.cu")
    ]
    assert tools == [("ptxas",), ("nvcc", "ptxas", "gcc")]


def test_real_nvcc_or_not_run(box: Box) -> None:
    (box.path / "k.cu").write_text(
        "__global__ void tile(int *a) { __shared__ int s[256]; s[threadIdx.x] = *a;"
        " __syncthreads(); *a = s[255 - threadIdx.x]; }"
    )
    if shutil.which("nvcc"):
        found = values(box, "ptxas", source="k.cu", arch="sm_90", function="tile")
        assert found["shared_bytes"] == 1024
        assert found["spill_loads"] == 0
        assert 2 <= found["registers"] <= 32
    else:
        with pytest.raises(CannotRunError, match="needs nvcc"):
            measure(box, "ptxas", source="k.cu", arch="sm_90", function="tile")
