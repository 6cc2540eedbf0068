"""Machines for the lab: each is a process in a network namespace of its own.

A machine has its own interfaces, addresses, routes, bridges and nftables rules, as a virtual machine has; it shares
the kernel with the others. The program that makes machines has to be root in a user namespace: `unshare -rn`.
"""

from __future__ import annotations

import ctypes
import errno
import multiprocessing
import os
import socket
import struct
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

CLONE_NEWNET = 0x40000000
PORT, SHOUT = 8000, 9999  # TCP service of each machine; UDP port for broadcasts
PATIENCE = 2.5  # seconds that a connection may take
GREETING = 0.5  # seconds after which a server speaks to a client that waits

_libc = ctypes.CDLL(None, use_errno=True)
_fork = multiprocessing.get_context("fork")


class Machine:
    """A process in a new network namespace that carries out orders: `machine.run("ip link …")`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._pipe, theirs = _fork.Pipe()
        self._process = _fork.Process(target=_obey, args=(name, theirs), daemon=True)
        self._process.start()
        self.pid = self._process.pid
        self._pipe.recv()  # it is in its namespace

    def __getattr__(self, order: str):
        def call(*arguments):
            self.send(order, *arguments)
            return self.receive()

        return call

    def send(self, order: str, *arguments) -> None:
        """Give an order without waiting for its end."""
        self._pipe.send((order, arguments))

    def receive(self):
        """The result of the order that was sent."""
        worked, result = self._pipe.recv()
        if not worked:
            raise RuntimeError(f"{self.name}: {result}")
        return result

    def end(self) -> None:
        """End the process; its interfaces vanish with the namespace."""
        self.send("end")
        self._process.join()


def cable(one: Machine, device: str, other: Machine, far: str) -> None:
    """A virtual Ethernet cable between two machines."""
    one.run(f"ip link add {device} type veth peer name {far} netns {other.pid}")
    for machine, end in ((one, device), (other, far)):  # no IPv6 address: fewer frames that nobody asked for
        machine.run(f"ip link set {end} addrgenmode none\nip link set {end} up")


class _Orders:
    """What a machine can be told; runs in the machine's own process."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.heard: list[str] = []
        self.programs: list[subprocess.Popen] = []

    def run(self, commands: str) -> str:
        """Commands, one a line; what they print."""
        printed = ""
        for line in filter(None, map(str.strip, commands.splitlines())):
            done = subprocess.run(line.split(), capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"{line}: {done.stderr.strip()}")
            printed += done.stdout
        return printed

    def rules(self, text: str) -> None:
        """Load nftables rules."""
        done = subprocess.run(["nft", "-f", "-"], input=text, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)

    def forward(self, *devices: str) -> None:
        """Let what comes in from these devices be forwarded: `sysctl net.ipv4.conf.DEVICE.forwarding=1`.

        The lab's sandbox has a read-only /proc/sys, so the same switch is set by netlink (RTM_SETLINK).
        """
        for device in devices:
            forwarding = struct.pack("=HHI", 8, 1, 1)  # IPV4_DEVCONF_FORWARDING = 1
            conf = struct.pack("=HH", 4 + len(forwarding), 1 | 0x8000) + forwarding  # IFLA_INET_CONF
            inet = struct.pack("=HH", 4 + len(conf), socket.AF_INET | 0x8000) + conf
            spec = struct.pack("=HH", 4 + len(inet), 26 | 0x8000) + inet  # IFLA_AF_SPEC
            link = struct.pack("=BxHiII", 0, 0, socket.if_nametoindex(device), 0, 0)
            head = struct.pack("=IHHII", 16 + len(link) + len(spec), 19, 1 | 4, 1, 0)
            with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as netlink:
                netlink.send(head + link + spec)
                (failure,) = struct.unpack_from("=i", netlink.recv(4096), 16)
            if failure:
                raise OSError(-failure, f"forwarding on {device}")

    def listen(self, address: str, port: int) -> None:
        """Serve TCP: each client is told this machine's name and the source address, when it has spoken or waited."""
        server = socket.create_server((address, port), backlog=32)
        threading.Thread(target=self._serve, args=(server,), daemon=True).start()

    def _serve(self, server: socket.socket) -> None:
        while True:
            client, peer = server.accept()
            with client:
                client.settimeout(GREETING)
                with suppress(TimeoutError):
                    client.recv(100)
                with suppress(OSError):  # the client has gone
                    client.sendall(f"{self.name} {peer[0]}\n".encode())

    def dial(self, targets: list[tuple[str, int]]) -> list[tuple[str, str]]:
        """Connect to each address and port: the name of who answered and the source address it saw, or ("", why)."""
        with ThreadPoolExecutor(max_workers=8) as pool:
            return list(pool.map(self._dial, targets))

    def wait_for(self, target: tuple[str, int]) -> tuple[str, str]:
        """Connect and wait for the server to speak first, as the clients of some mail, file and database servers do."""
        return self._dial(target, silent=True)

    def _dial(self, target: tuple[str, int], silent: bool = False) -> tuple[str, str]:
        try:
            with socket.create_connection(target, timeout=PATIENCE) as connection:
                if not silent:
                    connection.sendall(b"who are you?\n")  # the client speaks first, as in HTTP
                answer = connection.makefile().readline().split()
        except OSError as error:
            return "", errno.errorcode.get(error.errno or 0, "timeout")
        return (answer[0], answer[1]) if len(answer) == 2 else ("", "closed")

    def ear(self) -> None:
        """Note down each broadcast that arrives."""
        box = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        box.bind(("", SHOUT))

        def hear() -> None:
            while True:
                self.heard.append(box.recvfrom(100)[0].decode())

        threading.Thread(target=hear, daemon=True).start()

    def shout(self, device: str) -> None:
        """One broadcast on the device."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mouth:
            mouth.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            mouth.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, device.encode())
            mouth.sendto(self.name.encode(), ("255.255.255.255", SHOUT))

    def who_shouted(self) -> list[str]:
        """The broadcasts heard so far."""
        return self.heard

    def start(self, *words: str) -> None:
        """Start a program that runs on until the machine ends."""
        quiet = subprocess.DEVNULL
        self.programs.append(subprocess.Popen(words, stdin=quiet, stdout=quiet, stderr=quiet))

    def plug(self, device: str, path: str, kind: str) -> None:
        """Carry Ethernet frames between the device and a network program's socket, as QEMU does for its guest.

        slirp4netns takes one frame a message; passt takes a stream, each frame after its length in four bytes.
        """
        framed = kind == "stream"
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM if framed else socket.SOCK_SEQPACKET)
        link.connect(path)
        wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        wire.bind((device, 0))

        def out() -> None:
            while True:
                frame, (_, _, kind_of_packet, *_) = wire.recvfrom(1 << 16)
                if kind_of_packet != 4:  # PACKET_OUTGOING: what `back` itself has sent
                    link.sendall(struct.pack("!I", len(frame)) + frame if framed else frame)

        def back() -> None:
            stream = link.makefile("rb")
            while frame := stream.read(*struct.unpack("!I", stream.read(4))) if framed else link.recv(1 << 16):
                wire.send(frame)

        for carry in (out, back):
            threading.Thread(target=carry, daemon=True).start()

    def no_offload(self, device: str) -> None:
        """Let the kernel compute checksums itself: `ethtool -K DEVICE tx off`, for frames that leave the kernel."""
        value = ctypes.create_string_buffer(struct.pack("=II", 0x17, 0))  # ETHTOOL_STXCSUM
        request = ctypes.create_string_buffer(struct.pack("16sP16x", device.encode(), ctypes.addressof(value)))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            if _libc.ioctl(any_socket.fileno(), 0x8946, request):  # SIOCETHTOOL
                raise OSError(ctypes.get_errno(), f"checksums of {device}")


def _obey(name: str, pipe) -> None:
    if _libc.unshare(CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "unshare")
    orders = _Orders(name)
    orders.run("ip link set lo up")
    pipe.send("ready")
    while True:
        order, arguments = pipe.recv()
        if order == "end":
            for program in orders.programs:
                program.terminate()
                program.wait()
            os._exit(0)
        try:
            pipe.send((True, getattr(orders, order)(*arguments)))
        except Exception as error:  # the one who gave the order has to see it
            pipe.send((False, str(error)))
