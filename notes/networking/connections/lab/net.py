"""A client and a server with a router between them, all inside one kernel.

Each end is a network namespace, so it has counters, sysctls and ports of its own. The router stands
in the first namespace, where every packet of the client and of the server is seen.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

Numbers = dict[str, float]
S = "10.0.2.2"  # the server
LIBC = ctypes.CDLL(None, use_errno=True)
NEWNET = 0x40000000  # CLONE_NEWNET
FINIT_MODULE = 313  # the number of this system call on x86-64
IPV4 = 0x0800
TIMESTAMP = 29  # SO_TIMESTAMP
OUTGOING = 4  # the packet type of a frame that this end sends itself
FIN, SYN, RST, ACK = 1, 2, 4, 16
STATES = ("", "ESTABLISHED", "SYN_SENT", "SYN_RECV", "FIN_WAIT1", "FIN_WAIT2", "TIME_WAIT", "CLOSE",
          "CLOSE_WAIT", "LAST_ACK", "LISTEN", "CLOSING")  # fmt: skip


def check(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def load(*names: str) -> None:
    """Load modules of the kernel, in this order."""
    base = Path("/usr/lib/uml/modules", os.uname().release, "kernel")
    for name in names:
        with (base / f"{name}.ko").open("rb") as file:
            check(LIBC.syscall(FINIT_MODULE, file.fileno(), b"", 0))


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the namespace of the moment."""
    return subprocess.run(words, capture_output=True, text=True, check=False)


def must(line: str) -> str:
    done = run(*line.split())
    if done.returncode:
        raise RuntimeError(f"{line}: {done.stderr}")
    return done.stdout


def name_of(number: int) -> str:
    """How an error is called; a dash if there was none."""
    return errno.errorcode.get(number, "-") if number else "-"


def state(s: socket.socket) -> str:
    """The state of this end of a connection."""
    return STATES[s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]]


def pending(s: socket.socket) -> str:
    """The error that waits at a socket."""
    return name_of(s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))


class Cable:
    """The router's end of a cable: a raw socket that gets the segments of the host behind it."""

    def __init__(self, name: str) -> None:
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(IPV4))
        self.socket.bind((name, IPV4))
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.SOL_SOCKET, TIMESTAMP, 1)

    def segments(self) -> Iterator[tuple[float, int, int]]:
        """Time, port of the host and flags of each segment that it sent since the last call."""
        while True:
            try:
                frame, extra, _, where = self.socket.recvmsg(2048, 128)
            except BlockingIOError:
                return
            if where[2] == OUTGOING or frame[23] != socket.IPPROTO_TCP:
                continue
            at = 14 + 4 * (frame[14] & 15)
            seconds, micro = struct.unpack("ll", extra[0][2])
            yield seconds + micro / 1e6, struct.unpack("!H", frame[at : at + 2])[0], frame[at + 13]

    def count(self, flags: int, among: int = FIN | SYN | RST | ACK) -> int:
        """Segments since the last call that have of the asked flags exactly these."""
        return sum(f & among == flags for _, _, f in self.segments())

    def resets(self) -> int:
        return self.count(RST, RST)


class Host:
    """A namespace with one interface, eth0, and a cable to the router."""

    def __init__(self, name: str, *addresses: str, router: str) -> None:
        before = os.open("/proc/self/ns/net", os.O_RDONLY)
        check(LIBC.unshare(NEWNET))
        self.namespace = os.open("/proc/self/ns/net", os.O_RDONLY)
        self.keeper = subprocess.Popen(["sleep", "1000"])  # `ip link … netns` wants a process
        must("ip link set lo up")
        check(LIBC.setns(before, NEWNET))
        os.close(before)
        must(f"ip link add {name} type veth peer name eth0 netns {self.keeper.pid}")
        must(f"ip link set {name} up")
        must(f"ip address add {router}/24 dev {name}")
        with self.inside():
            must("ip link set eth0 up")
            for address in addresses:
                must(f"ip address add {address}/24 dev eth0")
            must(f"ip route add default via {router}")
        self.cable = Cable(name)

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

    def set(self, path: str, value: object) -> None:
        """Set a value below /proc/sys/net of this host."""
        with self.inside():
            Path("/proc/sys/net", path).write_text(str(value))

    def get(self, path: str) -> str:
        with self.inside():
            return Path("/proc/sys/net", path).read_text().strip()

    def run(self, *words: str) -> str:
        with self.inside():
            return run(*words).stdout.rstrip()

    def counter(self, name: str) -> int:
        """A counter of this host, as nstat calls it."""
        with self.inside():
            rows = Path("/proc/thread-self/net/netstat").read_text().splitlines()
        for names, values in zip(rows[::2], rows[1::2], strict=True):
            prefix = names.split(":")[0]
            for field, value in zip(names.split()[1:], values.split()[1:], strict=True):
                if prefix + field == name:
                    return int(value)
        raise KeyError(name)

    def ss(self, *words: str) -> list[str]:
        """The lines of ss without its head."""
        return self.run("ss", "-Htan", *words).splitlines()

    def half_open(self, port: int) -> int:
        """Connections to this port in SYN-RECV."""
        return len(self.run("ss", "-Htn", "state", "syn-recv", f"sport = :{port}").splitlines())

    def tcp(self) -> socket.socket:
        with self.inside():
            return socket.socket(socket.AF_INET, socket.SOCK_STREAM)

    def listen(
        self, port: int, backlog: int, *, address: str = "", reuse: bool = True
    ) -> socket.socket:
        s = self.tcp()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, int(reuse))
        s.bind((address, port))
        s.listen(backlog)
        return s

    def begin(self, to: tuple[str, int], *, syn_retries: int = 0) -> socket.socket:
        """Begin to connect, and do not wait."""
        s = self.tcp()
        if syn_retries:
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_SYNCNT, syn_retries)
        s.setblocking(False)
        s.connect_ex(to)
        return s

    def connect(
        self, to: tuple[str, int], *, source: str = "", no_port: bool = False
    ) -> socket.socket:
        """An open connection; if the source is given, the socket is bound to it first."""
        s = self.tcp()
        s.settimeout(5)
        try:
            if no_port:
                s.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
            if source:
                s.bind((source, 0))
            s.connect(to)
        except OSError:
            s.close()
            raise
        return s


class Net:
    """Client and server, and the router between them."""

    def __init__(self) -> None:
        load("drivers/net/veth")
        must("ip link set lo up")
        Path("/proc/sys/net/ipv4/ip_forward").write_text("1")
        self.client = Host("c", "10.0.1.1", "10.0.1.11", router="10.0.1.254")
        self.server = Host("s", "10.0.2.2", "10.0.2.3", router="10.0.2.254")
        with self.server.listen(9, 5):  # so that the addresses are resolved
            self.client.connect(("10.0.2.2", 9)).close()
        time.sleep(0.2)
        for host in (self.client, self.server):
            list(host.cable.segments())


def pair(net: Net, listener: socket.socket, to: str = S) -> tuple[socket.socket, socket.socket]:
    """An open connection: the end of the client and that of the server."""
    mine = net.client.connect((to, listener.getsockname()[1]))
    return mine, listener.accept()[0]


def line(name: str, value: object) -> None:
    print(f"{name:<72}{value}".rstrip(), flush=True)


def show(prompt: str, host: Host, *words: str, note: str = "") -> None:
    print(f"{prompt}$ {' '.join(words)}{note}\n{host.run(*words)}", flush=True)
