"""A tiny name server of one's own, which counts the questions and answers, loses or cuts them as told.

Each address on which it listens has a habit; what it is asked stands in ``Names.asked``.
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

A, PTR, SOA, AAAA, OPT = 1, 12, 6, 28, 41
KINDS = {A: "A", PTR: "PTR", SOA: "SOA", AAAA: "AAAA"}
SERVFAIL, NXDOMAIN = 2, 3

# The servers of the lab, by what they do.
GOOD, OTHER, SILENT, SILENT2, SILENT3, NOBODY, FAILS = (f"192.0.2.{n}" for n in range(1, 8))
RACE, ONCE, NO_AAAA = (f"192.0.2.{n}" for n in range(11, 14))
SYN_LOST, TCP_SILENT, NO_TCP = (f"192.0.2.{n}" for n in range(21, 24))
UDP_ONLY = {SYN_LOST, TCP_SILENT, NO_TCP}
WITH_TCP = (GOOD, OTHER)


@dataclass(frozen=True)
class Question:
    at: float
    server: str
    port: int  # the port from which it came
    name: str
    kind: str
    edns: bool
    tcp: bool


def encode(name: str) -> bytes:
    return b"".join(bytes([len(part)]) + part.encode() for part in name.split(".") if part) + b"\0"


def parse(packet: bytes) -> tuple[str, int, bytes, bool]:
    """Name, type, the bytes of the question, and whether an OPT record follows."""
    labels, at = [], 12
    while packet[at]:
        labels.append(packet[at + 1 : at + 1 + packet[at]].decode())
        at += 1 + packet[at]
    kind = struct.unpack_from("!H", packet, at + 1)[0]
    return ".".join(labels), kind, packet[12 : at + 5], struct.unpack_from("!H", packet, 10)[0] > 0


class Names:
    """The zone and the servers. A name may have addresses of both kinds; a label ``ttl0`` sets its TTL."""

    def __init__(self, zone: dict[str, list[str]]) -> None:
        self.zone = zone
        self.asked: list[Question] = []
        self.lock = threading.Lock()
        self.ports: set[tuple[str, int]] = set()
        self.pending: set[int] = set()
        self.kept: list[socket.socket] = []
        for address in (GOOD, OTHER, SILENT, SILENT2, SILENT3, FAILS, RACE, ONCE, NO_AAAA, *UDP_ONLY):
            udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            udp.bind((address, 53))
            threading.Thread(target=self.datagrams, args=(address, udp), daemon=True).start()
            if address in WITH_TCP or address in (SYN_LOST, TCP_SILENT):
                tcp = socket.create_server((address, 53), backlog=0 if address == SYN_LOST else 50)
                self.kept.append(tcp)
                if address in WITH_TCP:
                    threading.Thread(target=self.streams, args=(address, tcp), daemon=True).start()
        # The queue of this server is full: the kernel drops each further SYN, as a firewall does.
        for _ in range(2):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex((SYN_LOST, 53))
            self.kept.append(filler)

    def questions(self, name: str) -> list[Question]:
        """What was asked for this name and for it with something appended, in order."""
        with self.lock:
            return [q for q in self.asked if q.name == name or q.name.startswith(f"{name}.")]

    def answer(self, packet: bytes, server: str, port: int, tcp: bool = False) -> bytes:
        name, kind, question, edns = parse(packet)
        now = time.monotonic()
        with self.lock:
            self.asked.append(Question(now, server, port, name, KINDS.get(kind, str(kind)), edns, tcp))
            before = (server, port) in self.ports
            self.ports.add((server, port))
        if server in (SILENT, SILENT2, SILENT3):
            return b""
        if server == ONCE and before:  # one answer for a port, then the way back is closed
            return b""
        if server == NO_AAAA and kind == AAAA:
            return b""
        values, code = self.values(name, kind)
        if server == FAILS:
            values, code = [], SERVFAIL
        ttl = 0 if "ttl0" in name else 1 if "ttl1" in name else 300
        records = b"".join(record(name, kind, ttl, value) for value in values)
        authority = b"" if values or code == SERVFAIL else soa(name, ttl)
        limit = 65535 if tcp else largest(packet) if edns else 512
        cut = 12 + len(question) + len(records) > limit
        if cut:  # as many records as fit, and the flag TC
            size = len(record(name, kind, ttl, values[0]))
            values = values[: (limit - 12 - len(question)) // size]
            records = b"".join(record(name, kind, ttl, value) for value in values)
        flags = 0x8580 | code | (0x0200 if cut else 0)
        counts = (1, len(values), int(bool(authority)), 0)
        return packet[:2] + struct.pack("!HHHHH", flags, *counts) + question + records + authority

    def values(self, name: str, kind: int) -> tuple[list[str], int]:
        name = name.lower()
        for pattern, found in self.zone.items():
            if name == pattern or (pattern[0] == "*" and name.endswith(pattern[1:])):
                wanted = {A: lambda v: "." in v and not v.endswith("."), AAAA: lambda v: ":" in v,
                          PTR: lambda v: v.endswith(".")}.get(kind, lambda _: False)  # fmt: skip
                return [v for v in found if wanted(v)], 0
        return [], NXDOMAIN

    def datagrams(self, server: str, udp: socket.socket) -> None:
        while True:
            packet, (address, port) = udp.recvfrom(4096)
            if server == RACE:
                self.race(packet, udp, address, port)
                continue
            if reply := self.answer(packet, server, port):
                udp.sendto(reply, (address, port))

    def race(self, packet: bytes, udp: socket.socket, address: str, port: int) -> None:
        """Answer after 30 ms; a second question from the port that comes meanwhile is lost."""
        reply = self.answer(packet, RACE, port)
        if port in self.pending:
            return
        self.pending.add(port)

        def send() -> None:
            self.pending.discard(port)
            udp.sendto(reply, (address, port))

        threading.Timer(0.03, send).start()

    def streams(self, server: str, listener: socket.socket) -> None:
        while True:
            connection, (_, port) = listener.accept()
            threading.Thread(target=self.stream, args=(server, connection, port), daemon=True).start()

    def stream(self, server: str, connection: socket.socket, port: int) -> None:
        with connection:
            for packet in messages(connection):
                reply = self.answer(packet, server, port, tcp=True)
                connection.sendall(struct.pack("!H", len(reply)) + reply)


def messages(connection: socket.socket) -> Iterator[bytes]:
    data = b""
    while piece := connection.recv(4096):
        data += piece
        while len(data) >= 2 and len(data) >= 2 + (size := struct.unpack("!H", data[:2])[0]):
            yield data[2 : 2 + size]
            data = data[2 + size :]


def largest(packet: bytes) -> int:
    """The size that an OPT record at the end of a question allows."""
    _name, _, question, _ = parse(packet)
    at = 12 + len(question)
    return struct.unpack_from("!xHH", packet, at)[1] if packet[at] == 0 else 512


def record(name: str, kind: int, ttl: int, value: str) -> bytes:
    if kind == PTR:
        data = encode(value)
    else:
        data = socket.inet_pton(socket.AF_INET6 if kind == AAAA else socket.AF_INET, value)
    return b"\xc0\x0c" + struct.pack("!HHIH", kind, 1, ttl, len(data)) + data


def soa(name: str, ttl: int) -> bytes:
    """Allows to keep that there is nothing, for ``ttl`` seconds."""
    data = encode("ns.test") + encode("root.test") + struct.pack("!IIIII", 1, 60, 60, 60, ttl)
    zone = name.rsplit(".", maxsplit=1)[-1]
    return encode(zone) + struct.pack("!HHIH", SOA, 1, ttl, len(data)) + data


class Avahi:
    """Answers what nss-mdns asks the Avahi daemon: for each name that nobody on the link has it."""

    def __init__(self, path: str) -> None:
        self.asked = 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(5)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            connection, _ = self.listener.accept()
            with connection:
                connection.recv(500)
                self.asked += 1
                connection.sendall(b"-15 Timeout reached\n")
