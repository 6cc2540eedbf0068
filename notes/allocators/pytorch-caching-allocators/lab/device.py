"""What the programs of this lab share: the allocator's own numbers, in MiB."""

import ctypes

import torch

MiB = 2**20


def tensor(mib):
    """A tensor of that many MiB on the device; nothing is written to it."""
    return torch.empty(int(mib * MiB), dtype=torch.uint8, device="cuda")


def idle_blocks():
    """The sizes of the cached blocks that a request could get."""
    return [block["size"] // MiB for segment in torch.cuda.memory_snapshot()
            for block in segment["blocks"] if block["state"] == "inactive"]


def numbers():
    stats, idle = torch.cuda.memory_stats(), idle_blocks()
    return {"allocated": torch.cuda.memory_allocated() // MiB,
            "active": stats["active_bytes.all.current"] // MiB,
            "reserved": torch.cuda.memory_reserved() // MiB,
            "left": torch.cuda.mem_get_info()[0] // MiB,
            "idle": sum(idle), "piece": max(idle, default=0),
            "stuck": stats["inactive_split_bytes.all.current"] // MiB,
            "mallocs": stats["num_device_alloc"], "frees": stats["num_device_free"],
            "retries": stats["num_alloc_retries"], "ooms": stats["num_ooms"]}


def set_work_done(done):
    """Whether the stand-in says that the device has finished what was queued."""
    ctypes.c_int.in_dll(ctypes.CDLL(None), "work_done").value = done


def events_recorded():
    return ctypes.c_long.in_dll(ctypes.CDLL(None), "events_recorded").value
