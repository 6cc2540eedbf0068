"""A firewall between client and server is full, or forgets a connection."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

from net import Net, Numbers, S, line, load, must, pair, pending, run, state

USER_TIMEOUT = 18  # TCP_USER_TIMEOUT


FIREWALL = """
-P FORWARD DROP
-A FORWARD -m conntrack --ctstate ESTABLISHED -j ACCEPT
-A FORWARD -p tcp --syn -m conntrack --ctstate NEW -j ACCEPT
"""
TRACKING = "/proc/sys/net/netfilter/nf_conntrack_"


def firewall() -> None:
    """The router lets pass what belongs to a connection that it tracks, and SYNs."""
    load(
        "lib/crc-ccitt",
        "net/ipv6/ipv6",
        "net/ipv4/netfilter/nf_defrag_ipv4",
        "net/ipv6/netfilter/nf_defrag_ipv6",
    )
    load("net/netfilter/nf_conntrack", "net/netfilter/x_tables", "net/netfilter/xt_conntrack")
    load(
        "net/netfilter/xt_tcpudp",
        "net/ipv4/netfilter/ip_tables",
        "net/ipv4/netfilter/iptable_filter",
    )
    os.environ["XTABLES_LOCKFILE"] = "/dev/null"
    for rule in FIREWALL.strip().splitlines():
        must(f"iptables-legacy {rule}")


def keep_alive(s: socket.socket, idle: int, interval: int = 1, probes: int = 3) -> None:
    s.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("IDLE", idle), ("INTVL", interval), ("CNT", probes)):
        s.setsockopt(socket.IPPROTO_TCP, getattr(socket, f"TCP_KEEP{option}"), value)


def has(s: socket.socket) -> int:
    """Bytes that have come."""
    s.setblocking(False)
    try:
        return len(s.recv(100))
    except BlockingIOError:
        return 0


def idle(net: Net) -> Numbers:
    """The router's table of connections is full; then it forgets those idle for two seconds."""
    client, server = net.client, net.server
    numbers: Numbers = {}
    firewall()
    listener = server.listen(80, 40)
    most = Path(TRACKING + "max").read_text()
    Path(TRACKING + "max").write_text("20")
    begun = [client.begin((S, 80)) for _ in range(30)]
    time.sleep(0.3)
    for kind, wanted in (("open", "ESTABLISHED"), ("wait", "SYN_SENT")):
        numbers[f"full_{kind}"] = sum(state(s) == wanted for s in begun)
    numbers["full_overflows"] = server.counter("TcpExtListenOverflows")
    line("30 attempts through a table with nf_conntrack_max=20: open", numbers["full_open"])
    line("waiting in SYN-SENT", numbers["full_wait"])
    line("ListenOverflows of the server", numbers["full_overflows"])
    log = [
        text.split("] ", 1)[-1] for text in run("dmesg").stdout.splitlines() if "table full" in text
    ]
    print("router$ dmesg | grep full | head -n 1", *log[:1], sep="\n")
    numbers["full_logged"] = min(len(log), 1)
    Path(TRACKING + "max").write_text(most)
    for s in (*begun, listener):
        s.close()

    numbers["default_timeout"] = int(Path(TRACKING + "tcp_timeout_established").read_text())
    line("nf_conntrack_tcp_timeout_established without settings", numbers["default_timeout"])
    Path(TRACKING + "tcp_timeout_established").write_text("2")
    listener = server.listen(81, 20)
    names = ("plain", "reads", "user", "early", "late")
    ends = {name: pair(net, listener) for name in names}
    keep_alive(ends["early"][0], 1)
    keep_alive(ends["late"][0], 4)
    ends["user"][0].setsockopt(socket.IPPROTO_TCP, USER_TIMEOUT, 2000)
    time.sleep(3.5)
    for name in ("plain", "user", "early"):
        ends[name][0].send(b"x")
    time.sleep(1)
    for name in ("plain", "early"):
        numbers[name] = has(ends[name][1])
    line("after 3.5 s without a segment a byte arrives", numbers["plain"])
    line("the same with a keepalive each second", numbers["early"])
    mine, _ = pair(net, listener)
    numbers["new"] = int(state(mine) == "ESTABLISHED")
    line("a new connection to the same port opens", numbers["new"])
    numbers["server_thinks"] = int(state(ends["plain"][1]) == "ESTABLISHED")
    line("the server has the dead connection as", state(ends["plain"][1]))
    time.sleep(5)
    plain = ends["plain"][0].getsockname()[1]
    row = client.run("ss", "-Htno", f"sport = :{plain}").split()
    print("client$ ss -tno", " ".join(row), sep="\n")
    numbers["timer"] = int("timer:(on," in row[-1])
    for name in names:
        numbers[f"{name}_error"] = int((error := pending(ends[name][0])) == "ETIMEDOUT")
        what = {"plain": "has sent, no option", "reads": "only waits to read, no option",
                "user": "has sent, TCP_USER_TIMEOUT of 2 s", "early": "keepalive after 1 s",
                "late": "keepalive after 4 s"}[name]  # fmt: skip
        line(f"six seconds later: {what}", f"{state(ends[name][0])} {error}")

    return numbers
