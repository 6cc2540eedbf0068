"""Small messages over TCP that wait: each way of sending is measured by counting.

    small.py patterns    twenty requests of twenty bytes, sent in different ways
    small.py others      new connections, the server's answer, pipelines, larger requests, UDP
    small.py here        three patterns on the loopback of the machine's own kernel

The first two run as root in a kernel of their own: bash own-kernel.sh python3 small.py patterns
The last line is JSON; the others are for the reader.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from hosts import Host, Machine, pair

Numbers = dict[str, float]
Options = dict[int, int]
REQUESTS = 20
TIMES = 3  # each way is measured so often, and the median of each count is shown
LATE = 0.020  # an acknowledgement is delayed by 40 ms at least, so a request that waits takes longer
HEAD, BODY, ANSWER = b"h" * 8, b"b" * 12, b"a" * 20
NODELAY: Options = {socket.TCP_NODELAY: 1}


class Counting(socket.socket):
    """A socket that counts the system calls with which it sends, those that set options included."""

    calls = 0

    def send(self, *rest: object) -> int:
        self.calls += 1
        return super().send(*rest)

    def sendmsg(self, *rest: object) -> int:
        self.calls += 1
        return super().sendmsg(*rest)

    def set(self, option: int, value: int) -> None:
        self.calls += 1
        self.setsockopt(socket.IPPROTO_TCP, option, value)


Send = Callable[[Counting], object]


def one(s: Counting) -> None:
    s.send(HEAD + BODY)


def two(s: Counting) -> None:
    s.send(HEAD)
    s.send(BODY)


def gathered(s: Counting) -> None:
    s.sendmsg([HEAD, BODY])


def five(s: Counting) -> None:
    """Five requests in one segment, so that the server has all of them before it answers one."""
    s.send((HEAD + BODY) * 5)


def more(s: Counting) -> None:
    s.send(HEAD, socket.MSG_MORE)
    s.send(BODY)


def corked(s: Counting) -> None:
    s.set(socket.TCP_CORK, 1)
    two(s)
    s.set(socket.TCP_CORK, 0)


def parts(*sizes: int) -> Send:
    """Writes of these sizes, one after the other."""

    def send(s: Counting) -> None:
        for size in sizes:
            s.send(b"x" * size)

    return send


@dataclass(frozen=True)
class Way:
    """How a request is sent, and how the server behaves."""

    send: Send = two
    size: int = len(HEAD + BODY)
    answer: tuple[bytes, ...] = (ANSWER,)
    client: Options = field(default_factory=dict)
    server: Options = field(default_factory=dict)
    quick: bool = False  # the server asks for quick acknowledgements before each recv
    fresh: bool = False  # a new connection for each request
    ahead: int = 1  # requests in one send, all before the first answer is read
    autocorking: int = 1
    udp: bool = False
    port: int = 0
    route: str = ""  # what the server's route to the client has in addition
    works: float = 0  # seconds that the server works before it answers


def exactly(s: socket.socket, size: int, *, quick: bool = False) -> int:
    """Read this many bytes, fewer if the other side closes: how many it was."""
    got = 0
    while got < size:
        if quick:
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        part = s.recv(size - got)
        if not part:
            break
        got += len(part)
    return got


def answer_all(listener: socket.socket, way: Way) -> None:
    """The server, for ever."""
    while way.udp:
        got = 0
        while got < way.size:
            part, client = listener.recvfrom(2048)
            got += len(part)
        listener.sendto(ANSWER, client)
    while True:
        s, _ = listener.accept()
        for option, value in way.server.items():
            s.setsockopt(socket.IPPROTO_TCP, option, value)
        while exactly(s, way.size, quick=way.quick) == way.size:
            time.sleep(way.works)
            for piece in way.answer:
                s.send(piece)
        s.close()


@contextmanager
def serving(host: Host | Machine, way: Way) -> Iterator[int]:
    """A server in a process of its own: its port."""
    with host.inside():
        listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM if way.udp else socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host.address, way.port))
        if not way.udp:
            listener.listen()
    child = os.fork()
    if not child:
        try:
            answer_all(listener, way)
        finally:
            os._exit(1)
    yield listener.getsockname()[1]
    listener.close()
    os.kill(child, 9)
    os.waitpid(child, 0)


def connect(client: Host | Machine, server: Host | Machine, port: int, way: Way) -> Counting:
    with client.inside():
        s = Counting(socket.AF_INET, socket.SOCK_DGRAM if way.udp else socket.SOCK_STREAM)
    s.connect((server.address, port))
    for option, value in way.client.items():
        s.setsockopt(socket.IPPROTO_TCP, option, value)
    return s


def packets(s: Counting) -> int:
    """Segments with data that this end has sent (data_segs_out of `ss -ti`)."""
    if s.type == socket.SOCK_DGRAM:
        return 0
    return int(struct.unpack_from("I", s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 232), 156)[0])


def once(client: Machine, server: Machine, way: Way) -> dict[str, float]:
    """Twenty requests: what they cost, and how many waited for an acknowledgement's timer."""
    client.set("tcp_autocorking", way.autocorking)
    if isinstance(server, Host):
        server.run(f"ip route replace 10.0.0.0/24 dev eth0 {way.route}")
    hosts = list({id(host): host for host in (client, server)}.values())

    def count(name: str) -> int:
        return sum(host.counters()[name] for host in hosts)

    took: list[float] = []
    calls = sent = waited = 0
    with serving(server, way) as port:
        s = connect(client, server, port, way)
        way.send(s)  # the first connection of all pays for ARP and for the new process
        exactly(s, sum(map(len, way.answer)) * way.ahead)
        s.close()
        datagrams, delayed = count("UdpOutDatagrams"), count("TcpExtDelayedACKs")
        timer = delayed
        s = connect(client, server, port, way)
        for n in range(0, REQUESTS, way.ahead):
            if way.fresh and n:
                calls, sent = calls + s.calls, sent + packets(s)
                s.close()
                s = connect(client, server, port, way)
            began = time.perf_counter()
            way.send(s)
            exactly(s, sum(map(len, way.answer)) * way.ahead)
            took.append(time.perf_counter() - began)
            if took[-1] > LATE:  # a busy machine is late too, but then no timer has run out
                before, timer = timer, count("TcpExtDelayedACKs")
                waited += timer > before
            if not n:
                first = waited
        calls, sent = calls + s.calls, sent + packets(s)
        s.close()
        return {
            "calls": calls,
            "sent": count("UdpOutDatagrams") - datagrams - REQUESTS if way.udp else sent,
            "delayed": count("TcpExtDelayedACKs") - delayed,
            "waited": waited,
            "first": first,
            "ms": round(statistics.median(took) * 1000, 2),
        }


def table(client: Host | Machine, server: Host | Machine, ways: dict[str, tuple[str, Way]]) -> Numbers:
    """A line for each way, and all numbers."""
    numbers: Numbers = {}
    print(f"{'':<42}{'calls':>7}{'packets':>9}{'delayed ACKs':>14}{'waited':>8}")
    for key, (shown, way) in ways.items():
        runs = [once(client, server, way) for _ in range(TIMES)]
        seen = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
        numbers |= {f"{key}_{name}": value for name, value in seen.items()}
        columns = "".join(f"{seen[name]:>{width}}" for name, width in
                          (("calls", 7), ("sent", 9), ("delayed", 14), ("waited", 8)))  # fmt: skip
        print(f"{shown:<42}{columns}", flush=True)
    return numbers


def patterns(a: Host, b: Host) -> Numbers:
    """Twenty requests of 8 and 12 bytes on one connection; the server answers each with 20."""
    quick = {socket.TCP_QUICKACK: 1}
    return table(a, b, {
        "one": ("one write, read", Way(one)),
        "two": ("write, write, read", Way(two)),
        "nodelay": ("  client TCP_NODELAY", Way(two, client=NODELAY)),
        "server_nodelay": ("  server TCP_NODELAY", Way(two, server=NODELAY)),
        "quick_once": ("  server TCP_QUICKACK, once", Way(two, server=quick)),
        "quick_each": ("  server TCP_QUICKACK, before each recv", Way(two, quick=True)),
        "route": ("  server's route with quickack 1", Way(two, route="quickack 1")),
        "autocorking": ("  client tcp_autocorking=0", Way(two, autocorking=0)),
        "gathered": ("writev, read", Way(gathered)),
        "more": ("send with MSG_MORE, send, read", Way(more)),
        "corked": ("TCP_CORK, write, write, uncork, read", Way(corked)),
    })  # fmt: skip


def others(a: Host, b: Host) -> Numbers:
    """What else does and does not wait."""
    halves = (ANSWER[:8], ANSWER[8:])
    return table(a, b, {
        "two": ("write, write, read", Way(two)),
        "fresh": ("  a new connection for each", Way(two, fresh=True)),
        "four": ("four writes of 5, read", Way(parts(5, 5, 5, 5))),
        "halves": ("one write; answer in two writes", Way(one, answer=halves)),
        "halves_client": ("  client TCP_NODELAY", Way(one, answer=halves, client=NODELAY)),
        "halves_server": ("  server TCP_NODELAY", Way(one, answer=halves, server=NODELAY)),
        "ahead": ("five requests at once; client TCP_NODELAY", Way(five, ahead=5, client=NODELAY)),
        "ahead_both": ("  server too", Way(five, ahead=5, client=NODELAY, server=NODELAY)),
        "thousand": ("write 1000, write 1000, read", Way(parts(1000, 1000), size=2000)),
        "large": ("one write of 2000, read", Way(parts(2000), size=2000)),
        "key": ("one byte, echoed", Way(parts(1), size=1, answer=(b"k",))),
        "udp": ("UDP: send, send, receive", Way(two, udp=True)),
        "udp_more": ("  the first with MSG_MORE", Way(more, udp=True)),
    })  # fmt: skip


def here() -> Numbers:
    """The loopback of the machine's own kernel."""
    machine = Machine()
    return table(machine, machine, {
        "one": ("one write, read", Way(one)),
        "two": ("write, write, read", Way(two)),
        "nodelay": ("  client TCP_NODELAY", Way(two, client=NODELAY)),
    })  # fmt: skip


def main() -> None:
    if sys.argv[1] == "here":
        numbers = here()
    else:
        with pair() as (a, b):
            numbers = {each.__name__: each for each in (patterns, others)}[sys.argv[1]](a, b)
    print(json.dumps(numbers))


if __name__ == "__main__":
    main()
