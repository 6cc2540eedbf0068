"""Two network namespaces, wires between them, and a listener at the far end of each wire.

``unshare -rn python3 routes.py …`` starts in a fresh namespace of its own: nothing here can see or
change the machine's network. From there the lab makes two more: the host under test, ``here``, and
``world``, which holds the far ends of its wires, so that each packet that leaves is seen by the wire
on which it arrives.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import socket
import struct
import subprocess
import time
from collections.abc import Iterator

CLONE_NEWNET = 0x40000000
SO_BINDTODEVICE, SO_MARK = 25, 36
# Numbers of the settings in net.ipv4.conf.*, from linux/ip.h.
RP_FILTER, ARP_IGNORE, IGNORE_LINKDOWN = 8, 19, 29
LIBC = ctypes.CDLL(None, use_errno=True)


def call(what: str, *arguments: int) -> None:
    """Python has os.unshare and os.setns from 3.12 on; this works with older ones too."""
    if getattr(LIBC, what)(*arguments):
        raise OSError(ctypes.get_errno(), what)


class Space:
    """A network namespace."""

    def __init__(self, fresh: bool) -> None:
        before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        if fresh:
            call("unshare", CLONE_NEWNET)
        self.fd = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        call("setns", before, CLONE_NEWNET)
        os.close(before)
        self.ip("link set lo up")

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """What runs in this block, and the sockets that it makes, are in this namespace."""
        before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        call("setns", self.fd, CLONE_NEWNET)
        try:
            yield
        finally:
            call("setns", before, CLONE_NEWNET)
            os.close(before)

    def ip(self, line: str) -> str:
        """Run ``ip line``; its output, or its complaint as one line."""
        with self.inside():
            done = subprocess.run(["ip", *line.split()], capture_output=True, text=True, check=False)
        if done.returncode and not line.startswith("route"):
            raise SystemExit(f"ip {line}: {done.stderr.strip()}")
        return done.stdout.strip() or done.stderr.strip()

    def set(self, device: str, setting: int, value: int) -> None:
        """``sysctl net.ipv4.conf.DEVICE.SETTING=VALUE``, by netlink.

        /proc/sys is read-only in the sandbox of perfnotes; the kernel takes the same settings of an
        interface as attributes of RTM_SETLINK.
        """
        def attribute(kind: int, body: bytes) -> bytes:
            return struct.pack("=HH", 4 + len(body), kind) + body + b"\0" * (-len(body) % 4)

        with self.inside():
            index = socket.if_nametoindex(device)
            wire = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
        # IFLA_AF_SPEC (26) holds AF_INET (2), which holds IFLA_INET_CONF (1).
        spec = attribute(26, attribute(2, attribute(1, attribute(setting, struct.pack("=I", value)))))
        body = struct.pack("=BxHiII", 0, 0, index, 0, 0) + spec
        wire.sendall(struct.pack("=IHHII", 16 + len(body), 19, 5, 1, 0) + body)  # asks for an answer
        error = struct.unpack_from("=i", wire.recv(4096), 16)[0]
        if error:
            raise OSError(-error, "RTM_SETLINK")
        wire.close()

    def counter(self, name: str) -> int:
        """A counter of ``nstat``, such as IPReversePathFilter."""
        with self.inside(), open("/proc/thread-self/net/netstat") as file:
            names, values = (file.readline().split() for _ in range(2))
            return int(values[names.index(name)])


class Lab:
    """``here`` with eth0, eth1, …, whose far ends are far0, far1, … in ``world``.

    By default eth0 has 192.0.2.10 and eth1 198.51.100.10; the gateway behind each ends in .1.
    """

    NETS = ("192.0.2", "198.51.100", "203.0.113")

    def __init__(self, wires: int = 2, addresses: bool = True) -> None:
        self.here, self.world = Space(True), Space(True)
        self.ears: dict[str, socket.socket] = {}
        for i in range(wires):
            place = f"/proc/{os.getpid()}/fd/{self.world.fd}"
            self.here.ip(f"link add name eth{i} type veth peer name far{i} netns {place}")
            for space, name, last in ((self.here, f"eth{i}", 10), (self.world, f"far{i}", 1)):
                space.ip(f"link set {name} addrgenmode none")  # no IPv6 traffic of its own
                space.set(name, RP_FILTER, 0)
                if addresses:
                    space.ip(f"address add {self.NETS[i]}.{last}/24 dev {name}")
            self.here.ip(f"link set eth{i} up")
            self.world.ip(f"link set far{i} up")
            self.ears[f"eth{i}"] = self.listen(f"far{i}", 0x0800)

    def listen(self, device: str, protocol: int) -> socket.socket:
        """A socket that gets each frame of a protocol that arrives at a far end."""
        with self.world.inside():
            ear = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(protocol))
        ear.bind((device, protocol))
        return ear

    def heard(self, mark: bytes, wait: float = 0.5) -> tuple[str, str]:
        """By which interface a packet with ``mark`` in it left, and its source; dashes if none did."""
        until = time.monotonic() + wait
        while (left := until - time.monotonic()) > 0:
            for ear in select.select(list(self.ears.values()), [], [], left)[0]:
                try:
                    frame, where = ear.recvfrom(2048)
                except OSError:  # a wire that has been cut says so once
                    continue
                if mark in frame and where[2] != socket.PACKET_OUTGOING:
                    name = next(name for name, one in self.ears.items() if one is ear)
                    return name, socket.inet_ntoa(frame[26:30])
        return "-", "-"

    def sender(self, source: str = "", device: str = "", mark: int = 0) -> socket.socket:
        """A UDP socket of ``here``, bound to what is given."""
        with self.here.inside():
            out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        if device:
            out.setsockopt(socket.SOL_SOCKET, SO_BINDTODEVICE, device.encode())
        if mark:
            out.setsockopt(socket.SOL_SOCKET, SO_MARK, mark)
        if source:
            out.bind((source, 0))
        return out

    def send(
        self, to: str, source: str = "", device: str = "", mark: int = 0, connect: bool = False
    ) -> tuple[str, str]:
        """Send one packet; by which interface it left, and its source, or an error and a dash."""
        word = os.urandom(8)
        try:
            with self.sender(source, device, mark) as out:
                if connect:
                    out.connect((to, 9))
                    out.send(word)
                else:
                    out.sendto(word, (to, 9))
        except OSError as error:
            return os.strerror(error.errno), "-"
        return self.heard(word)

    def get(self, to: str, more: str = "") -> tuple[str, str]:
        """The interface and the source that ``ip route get`` names."""
        words = self.here.ip(f"route get {to} {more}").split()
        if "dev" not in words:
            return " ".join(words).partition(": ")[2], "-"
        return words[words.index("dev") + 1], words[words.index("src") + 1] if "src" in words else "-"
