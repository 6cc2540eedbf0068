"""The instrument ``sass``, with programs that stand in for NVIDIA's."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from perfnotes.labs import needs
from perfnotes.labs.box import CannotRunError, Finished, LabError
from perfnotes.labs.instruments import _ptxas_log, _sass_listing, sass
from perfnotes.model.lab import Limits, Run
from perfnotes.source.schema import Schema

# Recorded of nvdisasm 13.5, with fewer instructions.
SASS = """\
	.section	.text._Z5scalePKfPfif,"ax",@progbits
.text._Z5scalePKfPfif:
        /*0000*/                   IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;
.L_x_5:
        /*0030*/               @P0 EXIT ;
        /*00b0*/              @!P1 BRA `(.L_x_1) ;
.L_x_2:
        /*0150*/                   LDG.E R5, [R2.64] ;
        /*01f0*/               @P1 FFMA R5, R5, c[0x0][0x174], R4 ;
        /*0230*/               @P3 BRA `(.L_x_2) ;
.L_x_1:
        /*02b0*/                   LDG.E R7, [R4.64] ;
.L_x_3:
        /*0300*/               @P0 FFMA R7, R7, c[0x0][0x174], R6 ;
        /*0350*/              @!PT LDS RZ, [RZ] ;
        /*0420*/               @P0 FFMA R7, R7, c[0x0][0x174], R6 ;
        /*0470*/              @!P0 BRA `(.L_x_3) ;
        /*0480*/               @P2 BRA `(.L_x_1) ;
        /*0490*/                   EXIT ;
.L_x_4:
        /*04a0*/                   BRA `(.L_x_4);
        /*04b0*/                   NOP;
.L_x_8:
	.section	.text.other,"ax",@progbits
        /*0000*/                   EXIT ;
"""

UNKNOWN = "Value 'sm_30' is not defined for option 'gpu-name'"


def test_sass_by_kernel_and_loop() -> None:
    kernels = _sass_listing.read(SASS)
    assert list(kernels) == ["_Z5scalePKfPfif", "other"]
    assert kernels["other"].working() == ["EXIT"]
    code = kernels[_ptxas_log.kernel_name(kernels, "scale", "nvdisasm")]
    assert len(code.instructions) == 15
    assert len(code.working()) == 13  # neither NOP nor @!PT
    first, second = code.inner_loops()  # neither the outer loop nor the branch to itself
    assert [text.split()[0] for text in first] == ["LDG.E", "@P1", "@P3"]
    assert sum("FFMA" in text for text in second) == 2
    with pytest.raises(LabError, match="nvdisasm reported no kernel 'scales'"):
        _ptxas_log.kernel_name(kernels, "scales", "nvdisasm")
    whole_numbers = "_Z5naiveiiiPKfS0_Pf"  # three arguments of type int follow the name
    assert _ptxas_log.kernel_name([whole_numbers], "naive", "nvdisasm") == whole_numbers


class PlainBox:
    """A folder in which processes run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parameters: Mapping[str, float] = {}

    def arguments(self, command: str) -> list[str]:
        return command.split()

    def execute(self, arguments: Sequence[str], *_: object) -> Finished:
        done = subprocess.run(
            list(arguments), cwd=self.path, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise LabError(f"status {done.returncode}: {done.stdout}{done.stderr}")
        return Finished(done.stdout, done.stderr, 0, 0, 0, 0, 0)


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlainBox:
    """A folder with a source, and programs that write what NVIDIA's would."""
    lab, programs = tmp_path / "lab", tmp_path / "programs"
    for folder in (lab, programs):
        folder.mkdir()
    (lab / "k.ptx").write_text("// any\n")
    (programs / "listing").write_text(SASS)
    for name, script in {
        "ptxas": f'case $* in *sm_30*) echo "{UNKNOWN}"; exit 1; esac',
        "nvdisasm": f"cat {programs}/listing",
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return PlainBox(lab)


def counted(box: PlainBox, **options: Any) -> dict[str, float]:
    options = {"source": "k.ptx", "arch": "sm_86", **options}
    for error in Schema(sass.OPTIONS).errors(options):
        raise error
    run = Run("r", "sass", MappingProxyType(options), env={}, limits=Limits(seconds=60))
    return {name: found.samples[0] for name, found in sass.measure(run, box).quantities.items()}


def test_instructions_and_matches_of_a_kernel_or_of_its_hottest_loop(box: PlainBox) -> None:
    match = {"ffma": "FFMA", "predicated": "^@", "wide": "LDG.E.128"}
    assert counted(box, function="scale", match=match) == {
        "instructions": 13,
        "ffma": 3,
        "predicated": 8,
        "wide": 0,
    }
    assert counted(box, function="scale", match=match, loop="FFMA") == {
        "instructions": 3,
        "ffma": 2,
        "predicated": 3,
        "wide": 0,
    }


def test_machine_code_that_the_lab_built_is_read_as_it_is(box: PlainBox) -> None:
    (box.path / "k.cubin").write_text("any")
    own = {"source": "k.cubin", "function": "scale"}
    assert counted(box, **own)["instructions"] == 13  # though there is no compiler for sm_30
    assert counted(box, **own, arch="sm_30")["instructions"] == 13
    listing = box.path.parent / "programs/listing"
    listing.write_text(f"\t.target\tsm_90a\n{SASS}")
    assert counted(box, **own, arch="sm_90")["instructions"] == 13
    with pytest.raises(LabError, match=r"k\.cubin is for sm_90a, not sm_80"):
        counted(box, **own, arch="sm_80")
    with pytest.raises(LabError, match=r"there is no other\.cubin"):
        counted(box, source="other.cubin")
    run = Run("r", "sass", {"source": "k.cubin"}, env={}, limits=Limits())
    assert sass.needs(run).tools == ("nvdisasm",)


def test_what_cannot_be_counted_is_said(box: PlainBox) -> None:
    with pytest.raises(LabError, match="there are 2 kernels"):
        counted(box)
    with pytest.raises(LabError, match=r"none of the 2 inner loops of .*scale.* match of 'HMMA'"):
        counted(box, function="scale", loop="HMMA")
    with pytest.raises(LabError, match=r"^loop: .* could take forever"):
        counted(box, function="scale", loop="(a+)+")
    with pytest.raises(CannotRunError, match="a CUDA compiler that knows sm_30"):
        counted(box, function="scale", arch="sm_30")
    assert sass.needs(Run("r", "sass", {"source": "k.cu"}, env={}, limits=Limits())).tools == (
        "nvcc",
        "ptxas",
        "gcc",
        "nvdisasm",
    )


def test_the_message_says_how_to_get_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needs, "search_path", lambda: "/nowhere")
    run = Run("r", "sass", {"source": "k.ptx"}, env={}, limits=Limits())
    assert needs.missing(sass.needs(run)) == "needs ptxas, nvdisasm (make cuda)"
