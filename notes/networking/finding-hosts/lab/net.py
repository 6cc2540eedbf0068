"""A small network of one's own: hosts with different habits on a switch, and more of them behind a router.

``unshare -rn python3 finding.py …`` starts in a fresh network namespace, so nothing here can see or
change the machine's own network. Each host is one more namespace. The switches stand in a namespace
too; there each port has a listener that keeps every frame that the host behind the port sends.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import socket
import struct
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator

NEWNET = 0x40000000  # CLONE_NEWNET
LIBC = ctypes.CDLL(None, use_errno=True)
FORWARDING, PROXY_ARP = 1, 3  # numbers of the settings in net.ipv4.conf.*, from linux/ip.h
NEAR, FAR = "192.0.2", "198.51.100"

# What the firewall of a host lets in, as rules of nft. "nd" is what IPv6 needs in place of ARP.
ND = "icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept;"
HABITS = {
    "answers": "",
    "no-ping": "icmp type echo-request drop; icmpv6 type echo-request drop;",
    "ssh-only": f"{ND} tcp dport 22 accept; drop;",
    "closed": f"{ND} drop;",
}


def call(what: str, *arguments: int) -> None:
    """Python has os.unshare and os.setns from 3.12 on; this works with older ones too."""
    if getattr(LIBC, what)(*arguments):
        raise OSError(ctypes.get_errno(), what)


class Space:
    """A network namespace."""

    def __init__(self) -> None:
        before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        call("unshare", NEWNET)
        self.fd = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        call("setns", before, NEWNET)
        os.close(before)
        self.run("ip link set lo up")

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """Commands in this block, and the sockets that it makes, are in this namespace."""
        before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        call("setns", self.fd, NEWNET)
        try:
            yield
        finally:
            call("setns", before, NEWNET)
            os.close(before)

    def run(self, line: str, stdin: str = "", may_fail: bool = False) -> str:
        """What a command prints."""
        with self.inside():
            done = subprocess.run(line.split(), input=stdin, capture_output=True, text=True, check=False)
        if done.returncode and not may_fail:
            raise SystemExit(f"{line}: {done.stderr.strip() or done.stdout.strip()}")
        return done.stdout

    def set(self, device: str, setting: int, value: int) -> None:
        """``sysctl net.ipv4.conf.DEVICE.SETTING=VALUE`` by netlink: /proc/sys is read-only in the sandbox."""

        def attribute(kind: int, body: bytes) -> bytes:
            return struct.pack("=HH", 4 + len(body), kind) + body + b"\0" * (-len(body) % 4)

        with self.inside():
            index = socket.if_nametoindex(device)
            wire = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
        # IFLA_AF_SPEC (26) holds AF_INET (2), which holds IFLA_INET_CONF (1).
        spec = attribute(26, attribute(2, attribute(1, attribute(setting, struct.pack("=I", value)))))
        body = struct.pack("=BxHiII", 0, 0, index, 0, 0) + spec
        wire.sendall(struct.pack("=IHHII", 16 + len(body), 19, 5, 1, 0) + body)  # RTM_SETLINK
        error = struct.unpack_from("=i", wire.recv(4096), 16)[0]
        wire.close()
        if error:
            raise OSError(-error, "RTM_SETLINK")


class Port:
    """A port of a switch; a thread keeps what the host behind it sends."""

    def __init__(self, switch: Space, name: str) -> None:
        with switch.inside():
            self.ear = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))  # all frames
        self.ear.bind((name, 3))
        self.frames: list[bytes] = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        while True:
            try:
                frame, where = self.ear.recvfrom(2048)
            except OSError:  # an interface that is not up yet says so once
                continue
            if where[2] != socket.PACKET_OUTGOING:
                self.frames.append(frame)

    def taken(self) -> list[bytes]:
        """The frames since the last call."""
        time.sleep(0.2)
        frames, self.frames = self.frames, []
        return frames


def kind(frame: bytes) -> str:
    """What a frame is, in the words of nmap's manual."""
    protocol = struct.unpack_from("!H", frame, 12)[0]
    if protocol == 0x0806:
        return "ARP reply" if frame[21] == 2 else "ARP request" if frame[:6] == b"\xff" * 6 else "ARP to one"
    if protocol == 0x0800:
        body = frame[14 + 4 * (frame[14] & 15) :]
        if frame[23] == 1:
            return {8: "ICMP echo request", 13: "ICMP timestamp request"}.get(body[0], f"ICMP type {body[0]}")
        if frame[23] == 6:
            flags = {0x02: "SYN", 0x10: "ACK", 0x04: "RST"}.get(body[13], f"flags {body[13]:#x}")
            return f"TCP {flags} {struct.unpack_from('!H', body, 2)[0]}" if flags != "RST" else "TCP RST"
        return f"IPv4 protocol {frame[23]}"
    if protocol == 0x86DD:
        hop = frame[20] == 0  # MLD stands behind a hop-by-hop header of 8 bytes
        what = frame[62 if hop else 54]
        return {128: "ICMPv6 echo request", 135: "neighbour solicitation", 136: "neighbour advertisement",
                130: "MLD query", 133: "router solicitation", 143: "MLD report"}.get(what, f"ICMPv6 type {what}")  # fmt: skip
    return f"protocol {protocol:#x}"


def target(frame: bytes) -> str:
    """The IPv4 address that a frame asks for or is sent to."""
    where = 38 if frame[12:14] == b"\x08\x06" else 30
    return socket.inet_ntoa(frame[where : where + 4])


# What the kernel sends of its own accord, and what answers a question of others.
NO_QUESTION = {"ARP reply", "ARP to one", "neighbour advertisement", "router solicitation", "MLD report"}


class Host(Space):
    """A host with eth0 on a switch. ``number`` makes its addresses: NET.number and fe80::number."""

    def __init__(self, net: Net, switch: str, habit: str, number: int, v4: str = "", v6: bool = True) -> None:
        super().__init__()
        self.net, self.habit, self.v4, self.v6 = net, habit, v4, f"fe80::{number}" if v6 else ""
        self.mac = f"02:00:00:00:{'01' if switch == 'far' else '00'}:{number:02d}"
        if habit in HABITS:
            chain = f"type filter hook input priority 0; iif lo accept; {HABITS[habit]}"
            self.run("nft -f -", stdin=f"table inet f {{\nchain c {{\n{chain}\n}}\n}}\n")
        self.port = self.plug("eth0", switch, number, v4)
        with self.inside():
            self.ssh = socket.create_server(("", 22))  # a service, which takes connections and says nothing

    def plug(self, device: str, switch: str, number: int, v4: str) -> Port:
        """An interface of this host and the port of the switch at its other end."""
        name = f"{switch}{number}"
        there = f"/proc/{os.getpid()}/fd/{self.fd}"
        self.net.switch.run(f"ip link add name {name} type veth peer name {device} netns {there}")
        for space, one in ((self.net.switch, name), (self, device)):
            space.run(f"ip link set {one} addrgenmode none")
        port = Port(self.net.switch, name)
        self.net.switch.run(f"ip link set {name} master {switch} up")
        self.run(f"ip link set {device} address {self.mac} up")
        if v4:
            self.run(f"ip address add {v4}/24 dev {device}")
        if self.v6:
            self.run(f"ip address add {self.v6}/64 dev {device} nodad")
        return port


class Net:
    """The scanner and its neighbours on the switch ``near``; the same habits behind a router on ``far``."""

    def __init__(self) -> None:
        self.switch = Space()
        for name in ("near", "far"):
            self.switch.run(f"ip link add {name} type bridge forward_delay 0 mcast_snooping 0")
            self.switch.run(f"ip link set {name} addrgenmode none")
            self.switch.run(f"ip link set {name} up")
        self.scanner = Host(self, "near", "scanner", 10, f"{NEAR}.10")
        self.scanner.run(f"ip route add default via {NEAR}.1")
        self.router = Host(self, "near", "router", 1, f"{NEAR}.1")
        self.far_port = self.router.plug("eth1", "far", 1, f"{FAR}.1")
        for device in ("eth0", "eth1"):
            self.router.set(device, FORWARDING, 1)
        self.near = [Host(self, "near", habit, 11 + i, f"{NEAR}.{11 + i}") for i, habit in enumerate(HABITS)]
        self.far = [Host(self, "far", habit, 11 + i, f"{FAR}.{11 + i}") for i, habit in enumerate(HABITS)]
        for host in self.far:
            host.run(f"ip route add default via {FAR}.1")
        self.v6 = Host(self, "near", "IPv6 only", 15)
        self.lost = Host(self, "near", "other subnet", 16, "10.9.9.9")
        self.asleep = Host(self, "near", "asleep", 17, v6=False)
        self.strange = [self.v6, self.lost, self.asleep]
        time.sleep(0.5)  # the reports about multicast groups, which come when an address is new, are out
        self.quiet()

    def quiet(self) -> None:
        """Forget the frames and the neighbours so far."""
        for host in (self.scanner, self.router, *self.near, *self.far, *self.strange):
            host.run("ip neigh flush all")
        self.scanner.port.taken()
        self.far_port.taken()

    def sent(self) -> list[bytes]:
        """The questions that the scanner has sent. A segment that TCP sends again counts once."""
        seen: set[bytes] = set()
        frames = []
        for frame in self.scanner.port.taken():
            segment = frame[26:42] if kind(frame).startswith("TCP") else b""  # addresses, ports, number
            if kind(frame) not in NO_QUESTION and segment not in seen:
                frames.append(frame)
            if segment:
                seen.add(segment)
        return frames

    def count(self) -> Counter[str]:
        return Counter(kind(frame) for frame in self.sent())
