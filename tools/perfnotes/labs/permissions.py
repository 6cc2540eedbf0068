"""Permissions that a lab can ask for beyond the sandbox, with what they mean.

A lab lists them under ``permissions`` in ``lab.yml``. A person is told what they mean and has to
agree.
"""

from __future__ import annotations

from perfnotes.model.lab import Lab

PERF, SYS, NAMESPACES, UNCONFINED, GPU = "perf", "sys", "namespaces", "unconfined", "gpu"

MEANINGS = {
    PERF: "count events of the kernel as well, and read all of /sys",
    SYS: "read all of /sys",
    NAMESPACES: "make user namespaces of its own",
    GPU: "use the GPU's devices, and read all of /sys",
    UNCONFINED: "run without the sandbox, and do everything that you may do yourself",
}


def permissions_of(lab: Lab) -> tuple[str, ...]:
    """The permissions that the lab asks for; a lab that needs a GPU asks for ``gpu`` as well."""
    needs_gpu = lab.needs.gpu or any(run.needs.gpu for run in lab.runs.values())
    return (*lab.permissions, *((GPU,) if needs_gpu else ()))
