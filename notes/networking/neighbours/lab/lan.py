"""A network of hosts on one switch, all inside one kernel: network namespaces, veth and a bridge.

The switch stands in the first namespace. Each host has a namespace of its own with an interface
``eth0``; its other end is a port of the switch, where every frame that the host sends is seen.
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
NEWNET = 0x40000000  # CLONE_NEWNET
FINIT_MODULE = 313  # the number of this system call on x86-64
ALL_FRAMES, ARP = 0x0003, 0x0806
OPTIONS = {"net/ipv6/ipv6": b"disable=1"}  # the bridge needs the module; the lab wants no IPv6
RCVBUFFORCE = 33  # SO_RCVBUFFORCE
OUTGOING = 4  # the packet type of a frame that this end sends itself


def check(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def load(*names: str) -> None:
    """Load modules of the kernel, in this order."""
    base = Path("/usr/lib/uml/modules", os.uname().release, "kernel")
    for name in names:
        with (base / f"{name}.ko").open("rb") as file:
            check(LIBC.syscall(FINIT_MODULE, file.fileno(), OPTIONS.get(name, b""), 0))


def run(line: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the namespace of the moment."""
    return subprocess.run(line.split(), capture_output=True, text=True, check=False)


def must(line: str) -> str:
    done = run(line)
    if done.returncode:
        raise RuntimeError(f"{line}: {done.stderr}")
    return done.stdout


def write(path: str, value: object) -> None:
    Path("/proc/sys/net/ipv4", path).write_text(str(value))


class Port:
    """One end of the cable at the switch: a raw socket that gets the frames the host sends."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_FRAMES))
        self.socket.bind((name, ALL_FRAMES))
        self.socket.setblocking(False)

    def frames(self) -> Iterator[bytes]:
        """The frames since the last call."""
        while True:
            try:
                frame, where = self.socket.recvfrom(2048)
            except BlockingIOError:
                return
            if where[2] != OUTGOING:
                yield frame

    def arp(self) -> list[dict[str, str]]:
        """The ARP frames since the last call."""
        return [arp for frame in self.frames() if (arp := read_arp(frame))]


def read_arp(frame: bytes) -> dict[str, str] | None:
    """The fields of an ARP frame; None if the frame is another one."""
    if struct.unpack("!H", frame[12:14])[0] != ARP:
        return None
    kind, sender, sender_ip, _, target_ip = struct.unpack("!H6s4s6s4s", frame[20:42])
    return {
        "kind": "request" if kind == 1 else "reply",
        "to": "everybody" if frame[:6] == b"\xff" * 6 else "one",
        "mac": sender.hex(":"),
        "ip": socket.inet_ntoa(sender_ip),
        "asks": socket.inet_ntoa(target_ip),
    }


class Host:
    """A namespace with interfaces on the switch: host A has 10.0.0.1 and 02:00:00:00:00:0a."""

    def __init__(self, name: str, address: str) -> None:
        self.name, self.address = name, address
        before = os.open("/proc/self/ns/net", os.O_RDONLY)
        check(LIBC.unshare(NEWNET))
        self.namespace = os.open("/proc/self/ns/net", os.O_RDONLY)
        self.keeper = subprocess.Popen(["sleep", "1000"])  # `ip link … netns` wants a process
        must("ip link set lo up")
        check(LIBC.setns(before, NEWNET))
        os.close(before)
        self.port = self.plug("eth0", address, f"02:00:00:00:00:0{name}")
        self.mac = f"02:00:00:00:00:0{name}"
        self.sink = self.socket()  # takes what comes to port 9, and never answers
        self.sink.setsockopt(socket.SOL_SOCKET, RCVBUFFORCE, 1 << 22)
        self.sink.bind(("0.0.0.0", 9))

    def plug(self, device: str, address: str, mac: str) -> Port:
        """Another interface on the same switch."""
        port = f"{self.name}-{device}"
        must(f"ip link add {port} type veth peer name {device} netns {self.keeper.pid}")
        must(f"ip link set {port} master switch up")
        with self.inside():
            must(f"ip link set {device} address {mac} up")
            if address:
                must(f"ip address add {address}/24 dev {device}")
        time.sleep(0.1)  # the port begins to forward
        return Port(port)

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

    def ip(self, arguments: str) -> str:
        with self.inside():
            return must(f"ip {arguments}")

    def set(self, path: str, value: object) -> None:
        """Set a value below /proc/sys/net/ipv4 of this host."""
        with self.inside():
            write(path, value)

    def socket(self, kind: int = socket.SOCK_DGRAM) -> socket.socket:
        with self.inside():
            return socket.socket(socket.AF_INET, kind)

    def send(self, target: str, *, source: str = "") -> None:
        """One datagram to port 9 of the target."""
        with self.socket() as s:
            s.bind((source, 0))
            s.sendto(b"x", (target, 9))
        time.sleep(0.05)

    def neighbour(self, address: str) -> tuple[str, str]:
        """MAC and state in this host's table; two dashes if the address is not there."""
        words = self.ip(f"neigh show {address} dev eth0").split()
        mac = words[words.index("lladdr") + 1] if "lladdr" in words else "-"
        return mac, words[-1] if words else "-"


class Lan:
    """Hosts on one switch, which are called a, b, c and so on."""

    def __init__(self, hosts: int) -> None:
        load("lib/crc-ccitt", "net/ipv6/ipv6", "net/llc/llc", "net/802/stp", "net/bridge/bridge")
        load("drivers/net/veth")
        must("ip link add switch type bridge forward_delay 0")
        must("ip link set switch up")
        self.hosts = [Host("abcdef"[n], f"10.0.0.{n + 1}") for n in range(hosts)]
        self.quiet()

    def quiet(self) -> None:
        """Forget the frames so far."""
        for host in self.hosts:
            host.port.arp()

    def close(self) -> None:
        for host in self.hosts:
            host.keeper.kill()
