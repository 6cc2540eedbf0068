"""What a lab may ask for beyond the sandbox: ``permissions`` of ``lab.yml``, shown and asked."""

from __future__ import annotations

from perfnotes.model.lab import Lab

PERF, SYS, NAMESPACES, UNCONFINED, GPU = "perf", "sys", "namespaces", "unconfined", "gpu"

MEANINGS = {
    PERF: "count events of the kernel as well, and read all of /sys",
    SYS: "read all of /sys",
    NAMESPACES: "make user namespaces of its own",
    GPU: "use the GPU's devices, and read all of /sys",
    UNCONFINED: "run without the sandbox, with all that you may do yourself",
}


def permissions_of(lab: Lab) -> tuple[str, ...]:
    """What the lab asks for; one that needs a GPU asks for its devices."""
    needs_gpu = lab.needs.gpu or any(run.needs.gpu for run in lab.runs.values())
    return (*lab.permissions, *((GPU,) if needs_gpu else ()))
