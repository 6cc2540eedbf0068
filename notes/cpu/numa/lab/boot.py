"""Boots Debian's kernel in QEMU with the NUMA nodes that are asked for, and runs commands in it.

    python3 boot.py [--nodes 1] [--distance 21] [--disk] [--json] COMMAND...

QEMU emulates the processors, so nothing here is a measurement of time. Each node has one CPU and
256 MiB. The root file system is an archive of a few programs of this machine and of the lab. What
the commands print comes back through a serial port. With --json, lines `name value` become JSON.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

INSTALLER = Path("/usr/lib/debian-installer/images/12/amd64/text/debian-installer/amd64")
PROGRAMS = ["/bin/busybox", "/usr/bin/numactl", "/usr/bin/numastat", "/usr/bin/migratepages"]
MODULES = ["mmc_core", "sdhci", "cqhci", "sdhci-pci", "mmc_block"]
INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/ LC_ALL=C
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
exec < /dev/null > /dev/ttyS1 2>&1
stty -opost < /dev/ttyS1
dmesg -n 1
echo never > /sys/kernel/mm/transparent_hugepage/enabled
echo 0 > /proc/sys/kernel/numa_balancing
echo 0 > /proc/sys/vm/watermark_boost_factor
cd /
{commands}
echo the end $?
sleep 1
reboot -f
"""


def entry(name: str, mode: int, data: bytes, number: int) -> bytes:
    """One file of an archive in the format newc of cpio, which the kernel unpacks."""
    path = name.encode() + b"\0"
    fields = [number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(path), 0]
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + path
    return head + b"\0" * (-len(head) % 4) + data + b"\0" * (-len(data) % 4)


def archive(files: dict[str, bytes]) -> bytes:
    """The files, all executable, and the folders that they need, compressed."""
    folders = {"proc", "sys", "dev", "bin", "tmp"}
    folders |= {str(parent) for name in files for parent in Path(name).parents} - {"."}
    entries = [(name, 0o040755, b"") for name in sorted(folders)]
    entries += [(name, 0o100755, data) for name, data in files.items()]
    entries.append(("TRAILER!!!", 0, b""))
    packed = b"".join(entry(*parts, number) for number, parts in enumerate(entries, 1))
    return gzip.compress(packed, 1)


def modules() -> dict[str, bytes]:
    """The kernel's modules for an SD card, out of the installer's own archive."""
    data = gzip.decompress((INSTALLER / "initrd.gz").read_bytes())
    found, at, name = {}, 0, b""
    while name != b"TRAILER!!!":
        fields = [int(data[at + 6 + 8 * i : at + 14 + 8 * i], 16) for i in range(13)]
        name = data[at + 110 : at + 109 + fields[11]]
        start = -(-(at + 110 + fields[11]) // 4) * 4
        if Path(name.decode()).stem in MODULES:
            found[Path(name.decode()).name] = data[start : start + fields[6]]
        at = -(-(start + fields[6]) // 4) * 4
    return found


def libraries(program: str) -> list[str]:
    """The shared libraries of a program, and its loader."""
    out = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return re.findall(r"(/\S+) \(0x", out)


def files_of_the_guest(commands: list[str], disk: bool) -> dict[str, bytes]:
    """What the guest's root holds."""
    paths = {path for program in PROGRAMS for path in libraries(program)}
    files = {path.lstrip("/"): Path(path).read_bytes() for path in sorted(paths)}
    files |= {f"bin/{Path(path).name}": Path(path).read_bytes() for path in PROGRAMS}
    for own in Path.cwd().iterdir():
        if own.is_file() and own.suffix in {"", ".sh"} and own.stat().st_size < 4 << 20:
            files[own.name] = own.read_bytes()
    if disk:
        files |= modules()
        commands = [*(f"insmod /{name}.ko" for name in MODULES), "sleep 3", *commands]
    files["init"] = INIT.format(commands="\n".join(commands)).encode()
    return files


def qemu(asked: argparse.Namespace, initrd: Path, serial: Path) -> list[str]:
    """The command line of the machine."""
    line = ["qemu-system-x86_64", "-machine", "q35", "-accel", "tcg", "-cpu", "max"]
    line += ["-display", "none", "-nodefaults", "-no-reboot", "-smp", "2", "-m", "512M"]
    if asked.nodes > 1:
        for node in range(2):
            line += ["-object", f"memory-backend-ram,id=m{node},size=256M"]
            line += ["-numa", f"node,nodeid={node},cpus={node},memdev=m{node}"]
        line += ["-numa", f"dist,src=0,dst=1,val={asked.distance}"]
    if asked.disk:
        disk = initrd.with_name("disk")
        with disk.open("wb") as empty:
            empty.truncate(256 << 20)
        line += ["-drive", f"if=none,format=raw,id=d,file={disk}"]
        line += ["-device", "sdhci-pci", "-device", "sd-card,drive=d"]
    line += ["-kernel", str(INSTALLER / "linux"), "-initrd", str(initrd)]
    line += ["-append", "console=ttyS0 quiet panic=-1"]
    return [*line, "-serial", f"file:{serial}.console", "-serial", f"file:{serial}"]


def main() -> int:
    """Boots, waits for the guest to end, and prints what its commands printed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--distance", type=int, default=21)
    parser.add_argument("--disk", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("commands", nargs="+")
    asked = parser.parse_args()
    if not INSTALLER.is_dir():
        sys.exit(f"{INSTALLER} is missing: Debian package debian-installer-12-netboot-amd64")
    with tempfile.TemporaryDirectory() as folder:
        initrd, serial = Path(folder) / "initrd", Path(folder) / "serial"
        initrd.write_bytes(archive(files_of_the_guest(asked.commands, asked.disk)))
        line = qemu(asked, initrd, serial)
        subprocess.run(line, stdin=subprocess.DEVNULL, check=True, timeout=280)
        text, found, _ = serial.read_text("utf-8", "replace").partition("the end 0")
        if not found:
            sys.stderr.write(text + Path(f"{serial}.console").read_text("utf-8", "replace")[-4000:])
            return 1
    if not asked.json:
        sys.stdout.write(text)
        return 0
    pairs = [line.split() for line in text.splitlines() if line.strip()]
    print(json.dumps({name: int(value) for name, value in pairs}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
