"""Two hosts on one cable, inside one kernel: network namespaces and a veth pair.

Host A has 10.0.0.1, host B 10.0.0.2. Each namespace has TCP counters and sysctls of its own.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
NEWNET = 0x40000000  # CLONE_NEWNET
FINIT_MODULE = 313  # the number of this system call on x86-64


def check(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def load(*names: str) -> None:
    """Load modules of the kernel, in this order."""
    base = Path("/usr/lib/uml/modules", os.uname().release, "kernel")
    for name in names:
        with (base / f"{name}.ko").open("rb") as file:
            check(LIBC.syscall(FINIT_MODULE, file.fileno(), b"", 0))


def must(line: str) -> str:
    done = subprocess.run(line.split(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{line}: {done.stderr}")
    return done.stdout


class Machine:
    """The machine as it is, with its loopback."""

    address = "127.0.0.1"

    @contextmanager
    def inside(self) -> Iterator[None]:
        yield

    def set(self, name: str, value: int) -> None:
        """Leave the machine's settings alone."""

    def counters(self) -> dict[str, int]:
        """What nstat shows: TcpOutSegs, TcpExtDelayedACKs, IpExtOutOctets and so on."""
        found: dict[str, int] = {}
        with self.inside():
            for path in ("/proc/net/snmp", "/proc/net/netstat"):
                lines = Path(path).read_text().splitlines()
                for names, numbers in zip(lines[::2], lines[1::2], strict=True):
                    group, *columns = names.replace(":", "").split()
                    values = map(int, numbers.split()[1:])
                    found |= {group + name: value for name, value in zip(columns, values, strict=True)}
        return found


class Host(Machine):
    """A network namespace, kept by a process of its own."""

    def __init__(self, address: str) -> None:
        self.address = address
        before = os.open("/proc/self/ns/net", os.O_RDONLY)
        check(LIBC.unshare(NEWNET))
        self.namespace = os.open("/proc/self/ns/net", os.O_RDONLY)
        self.keeper = subprocess.Popen(["sleep", "1000"])  # `ip link … netns` wants a process
        must("ip link set lo up")
        check(LIBC.setns(before, NEWNET))
        os.close(before)

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Be in this host's namespace: sockets and commands belong to the host."""
        before = os.open("/proc/self/ns/net", os.O_RDONLY)
        check(LIBC.setns(self.namespace, NEWNET))
        try:
            yield
        finally:
            check(LIBC.setns(before, NEWNET))
            os.close(before)

    def run(self, line: str) -> str:
        with self.inside():
            return must(line)

    def set(self, name: str, value: int) -> None:
        with self.inside():
            Path("/proc/sys/net/ipv4", name).write_text(str(value))


@contextmanager
def pair() -> Iterator[tuple[Host, Host]]:
    """The two hosts, connected."""
    load("drivers/net/veth")
    a, b = Host("10.0.0.1"), Host("10.0.0.2")
    must(f"ip link add eth0 netns {a.keeper.pid} type veth peer name eth0 netns {b.keeper.pid}")
    for host in (a, b):
        host.run(f"ip address add {host.address}/24 dev eth0")
        host.run("ip link set eth0 up")
        host.set("tcp_no_metrics_save", 1)  # no connection learns from an earlier one
    try:
        yield a, b
    finally:
        a.keeper.kill()
        b.keeper.kill()
