"""The hardware and system of this machine, without the names of host and user or serial numbers."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

import psutil

from perfnotes.labs.needs import cpu_fields, cpu_flags
from perfnotes.model.machine import Machine

_CPUS = Path("/sys/devices/system/cpu")
_VENDORS = {
    "AuthenticAMD": "amd", "GenuineIntel": "intel", "HygonGenuine": "hygon", "CentaurHauls": "via",
    "  Shanghai  ": "zhaoxin",
}  # fmt: skip
# The values of "CPU implementer" on Arm, as Arm's description of the register MIDR_EL1 lists them.
_IMPLEMENTERS = {
    0x41: "arm", 0x42: "broadcom", 0x43: "cavium", 0x46: "fujitsu", 0x48: "hisilicon",
    0x4E: "nvidia", 0x50: "apm", 0x51: "qualcomm", 0x61: "apple", 0x6D: "microsoft",
    0xC0: "ampere",
}  # fmt: skip
# Vendors of virtual machines as DMI names them. Other texts in DMI could identify the owner.
_VIRTUAL = {
    "QEMU": "qemu", "Amazon EC2": "amazon", "Microsoft Corporation": "microsoft",
    "VMware, Inc.": "vmware", "innotek GmbH": "oracle", "Google": "google", "Xen": "xen",
    "Alibaba Cloud": "alibaba", "DigitalOcean": "digitalocean",
}  # fmt: skip
# Parts of a CPU's name that are left out of the machine's id: marks, clock, number of cores.
_NOISE = re.compile(
    r"\((?:r|tm|c)\)|\bcpu\b.*|@.*|\bprocessor\b|\b[\w-]+-core\b|\bwith\b.*|\s+", re.IGNORECASE
)


@cache
def fingerprint() -> Machine:
    """This machine. Its id is made only from CPU, core count and whether it is virtual."""
    fields = cpu_fields()
    cpu = fields.get("model name") or fields.get("cpu model") or fields.get("hardware", "")
    cores = psutil.cpu_count(logical=False) or psutil.cpu_count() or 0
    family, model, stepping = (
        _number(fields.get(n, "")) for n in ("cpu family", "model", "stepping")
    )
    hypervisor = _hypervisor()
    vendor = _vendor(fields)
    return Machine(
        id=_id(vendor, cpu, fields, cores, bool(hypervisor)),
        cpu=cpu or " ".join(filter(None, (vendor, fields.get("cpu part", "")))),
        arch=platform.machine(),
        family=family,
        model=model,
        stepping=stepping,
        microcode=fields.get("microcode", ""),
        cores=cores,
        threads=psutil.cpu_count() or 0,
        caches=_caches(),
        memory=psutil.virtual_memory().total,
        kernel=platform.release(),
        system=_system(),
        governor=_read(_CPUS / "cpu0/cpufreq/scaling_governor"),
        hypervisor=hypervisor,
        gpus=_gpus(),
    )


def scaling_driver() -> str:
    """The name of the kernel's driver that sets the CPU's clock, or "" if there is none."""
    return _read(_CPUS / "cpu0/cpufreq/scaling_driver")


def _id(vendor: str, cpu: str, fields: Mapping[str, str], cores: int, virtual: bool) -> str:
    name = _slug(_NOISE.sub(" ", cpu))
    name = re.sub(rf"^{vendor}-", "", name) if name != vendor else ""
    if "cpu family" in fields:
        version = f"f{fields['cpu family']}m{fields.get('model', '0')}"
    else:
        version = f"p{fields['cpu part'].removeprefix('0x')}" if "cpu part" in fields else ""
    parts = (vendor, name, version, "vm" if virtual else "", f"{cores}c")
    return _slug("-".join(filter(None, parts)))


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _vendor(fields: Mapping[str, str]) -> str:
    if name := fields.get("vendor_id", ""):
        return _VENDORS.get(name) or _slug(name)
    code = _number(fields.get("cpu implementer", ""))
    return _IMPLEMENTERS.get(code, "") or platform.machine()


def _number(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        return 0


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _caches() -> dict[str, dict[str, int]]:
    """The caches of the first core by name (``L1d``): size and line in bytes, number of ways.

    Values that the system does not report are left out.
    """
    found: dict[str, dict[str, int]] = {}
    for index in sorted((_CPUS / "cpu0/cache").glob("index[0-9]*")):
        level, kind = _read(index / "level"), _read(index / "type")
        name = f"L{level}" + {"Data": "d", "Instruction": "i"}.get(kind, "")
        size = re.fullmatch(r"(\d+)([KMG]?)", _read(index / "size"))
        if not level or not size:
            continue
        cache_sizes = {"size": int(size[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[size[2]]}
        for key, file in (("ways", "ways_of_associativity"), ("line", "coherency_line_size")):
            if number := _number(_read(index / file)):
                cache_sizes[key] = number
        found[name] = cache_sizes
    return dict(sorted(found.items()))


def _system() -> str:
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return platform.system()
    return f"{release.get('NAME', 'Linux')} {release.get('VERSION_ID', '')}".strip()


def _hypervisor() -> str:
    """The hypervisor of a virtual machine, ``unknown`` if it has no known name; "" without one."""
    printed = _output("systemd-detect-virt", "--vm")
    if printed and printed != "none":
        return printed
    if "hypervisor" not in cpu_flags():
        return ""
    return _VIRTUAL.get(_read(Path("/sys/class/dmi/id/sys_vendor")), "unknown")


def _gpus() -> tuple[str, ...]:
    if printed := _output("nvidia-smi", "--query-gpu=name", "--format=csv,noheader"):
        return tuple(line.strip() for line in printed.splitlines() if line.strip())
    names = []
    with suppress(OSError):
        for file in sorted(Path("/proc/driver/nvidia/gpus").glob("*/information")):
            if model := re.search(r"^Model:\s*(.+)$", _read(file), re.MULTILINE):
                names.append(model[1].strip())
    return tuple(names)


def _output(*command: str) -> str:
    """What a program of the system prints; "" if it is not installed or fails."""
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=20,
            check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    # systemd-detect-virt prints "none" and ends with status 1 on bare metal.
    text = done.stdout.decode("utf-8", "replace").strip()
    return text if done.returncode == 0 or text == "none" else ""
