"""A hundred small writes in one direction: what they become on the wire.

Run as root in a kernel of its own: bash own-kernel.sh python3 flows.py
The last line is JSON; the others are for the reader.
"""

from __future__ import annotations

import json
import socket
import statistics
import time
from dataclasses import dataclass, field

from hosts import Host, load, pair
from small import (
    ANSWER,
    NODELAY,
    TIMES,
    Numbers,
    Options,
    Way,
    connect,
    exactly,
    once,
    one,
    packets,
    serving,
    two,
)


@dataclass(frozen=True)
class Flow:
    """A hundred writes of ten bytes in one direction, over a link that `tc` makes."""

    link: str
    gap: float = 0
    options: Options = field(default_factory=dict)
    buffered: bool = False
    autocorking: int = 1
    window: int = 10  # segments that the first flight may have


WRITES, TEN = 100, b"0123456789"


def pour(a: Host, b: Host, flow: Flow) -> dict[str, float]:
    a.set("tcp_autocorking", flow.autocorking)
    with serving(b, Way(size=WRITES * len(TEN))) as port:
        before = a.counters()
        s = connect(a, b, port, Way(client=flow.options))
        if flow.buffered:
            with s.makefile("wb") as file:
                for _ in range(WRITES):
                    file.write(TEN)
        else:
            for _ in range(WRITES):
                s.send(TEN)
                time.sleep(flow.gap)
        if socket.TCP_CORK in flow.options:
            s.set(socket.TCP_CORK, 0)
        exactly(s, len(ANSWER))
        octets = a.counters()["IpExtOutOctets"] - before["IpExtOutOctets"]
        seen = {"calls": s.calls, "sent": packets(s), "octets": octets}
        s.close()
    return seen


def stream(a: Host, b: Host) -> Numbers:
    """A hundred small writes; the other side reads them and answers at the end."""
    load("net/sched/sch_netem", "net/sched/sch_tbf")
    far, farther, slow = "netem delay 20ms", "netem delay 200ms", "tbf rate 40kbit burst 1600 limit 100000"
    cork = {socket.TCP_CORK: 1}
    flows = {
        "slow": ("one each 4 ms, round trip 20 ms", Flow(far, 0.004)),
        "slow_nodelay": ("  TCP_NODELAY", Flow(far, 0.004, NODELAY)),
        "slow_corked": ("  TCP_CORK", Flow(far, 0.004, cork)),
        "slow_buffered": ("  a buffer, flushed at the end", Flow(far, buffered=True)),
        "burst": ("all at once, round trip 200 ms", Flow(farther)),
        "burst_nodelay": ("  TCP_NODELAY", Flow(farther, 0, NODELAY)),
        "queue": ("40 kbit/s, TCP_NODELAY, initcwnd 200", Flow(slow, 0, NODELAY, window=200)),
        "queue_off": ("  tcp_autocorking=0", Flow(slow, 0, NODELAY, autocorking=0, window=200)),
    }
    numbers: Numbers = {}
    print(f"{'':<42}{'calls':>7}{'packets':>9}{'bytes of IP':>13}")
    once(a, b, Way(one))  # ARP
    for key, (shown, flow) in flows.items():
        a.run(f"ip route replace 10.0.0.0/24 dev eth0 initcwnd {flow.window}")
        runs = []
        for _ in range(TIMES):
            a.run(f"tc qdisc add dev eth0 root {flow.link}")  # a new one, so that its bucket is full again
            runs.append(pour(a, b, flow))
            a.run("tc qdisc del dev eth0 root")
        seen = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
        numbers |= {f"{key}_{name}": value for name, value in seen.items()}
        print(f"{shown:<42}{seen['calls']:>7}{seen['sent']:>9}{seen['octets']:>13}", flush=True)
    a.run("ip route replace 10.0.0.0/24 dev eth0")
    numbers["ceiling_ms"] = min(ceiling(a, b) for _ in range(3 * TIMES))  # a slow handshake adds to it
    print(f"corked and never released, arrives after  {numbers['ceiling_ms']:.0f} ms")
    return numbers


def ceiling(a: Host, b: Host) -> float:
    """How long a corked request stays, in milliseconds."""
    with serving(b, Way()) as port:
        s = connect(a, b, port, Way(client={socket.TCP_CORK: 1}))
        began = time.perf_counter()
        two(s)
        exactly(s, len(ANSWER))
        s.close()
        return round((time.perf_counter() - began) * 1000, 1)


if __name__ == "__main__":
    with pair() as (a, b):
        print(json.dumps(stream(a, b)))
