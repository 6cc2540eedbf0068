"""What happens to an attempt to open a TCP connection: each experiment counts.

    opening.py queue     a full accept queue: who waits, for how long, and who counts it
    opening.py burst     the queue fills between SYN and ACK, with and without tcp_abort_on_overflow
    opening.py syn       half-open connections and SYN cookies
    opening.py ports     how many connections go from one address to one port

Run each as root in a kernel of its own: bash own-kernel.sh python3 opening.py queue
All but the last line are for the reader; the last line is JSON.
"""

from __future__ import annotations

import json
import socket
import sys
import time

from net import (
    ACK,
    LIBC,
    SYN,
    Host,
    Net,
    Numbers,
    S,
    line,
    load,
    must,
    name_of,
    pending,
    run,
    show,
    state,
)

COUNTERS = ("SyncookiesSent", "TCPReqQFullDrop", "ListenDrops", "ListenOverflows")
T = "10.0.2.3"  # another address of the server


def fit(net: Net, port: int) -> int:
    """How many connections, begun one after the other, are open if nobody accepts them."""
    begun = []
    while not begun or state(begun[-1]) == "ESTABLISHED":
        begun.append(net.client.begin((S, port)))
        time.sleep(0.005)
    for s in begun:
        s.close()
    return len(begun) - 1


def queue(net: Net) -> Numbers:
    """Nobody accepts at port 80, so its queue stays full; later the server catches up."""
    client, server = net.client, net.server
    numbers: Numbers = {}
    listener = server.listen(80, 3)
    begun = [client.begin((S, 80)) for _ in range(10)]
    time.sleep(0.1)
    numbers["open"] = sum(state(s) == "ESTABLISHED" for s in begun)
    numbers["waiting"] = sum(state(s) == "SYN_SENT" for s in begun)
    numbers["overflows"] = server.counter("TcpExtListenOverflows")
    numbers["drops"] = server.counter("TcpExtListenDrops")
    numbers["client_overflows"] = client.counter("TcpExtListenOverflows")
    for s in begun:
        if state(s) == "SYN_SENT":
            s.close()
    line("of 10 connections to listen(3), without accept, are open", numbers["open"])
    line("and wait in SYN-SENT", numbers["waiting"])
    show("server", server, "ss", "-ltn")
    numbers["recv_q"], numbers["send_q"] = map(int, server.ss("-l")[0].split()[1:3])
    show("server", server, "nstat", "-asz", "TcpExtListenOverflows", "TcpExtListenDrops")
    server.set("core/somaxconn", 5000)
    numbers["after_sysctl"] = int(server.ss("-l")[0].split()[2])
    LIBC.listen(listener.fileno(), 4000)
    numbers["after_listen"] = int(server.ss("-l")[0].split()[2])
    LIBC.listen(listener.fileno(), 3)

    list(client.cable.segments())
    short = client.begin((S, 80), syn_retries=1)
    began = time.time()
    late = client.begin((S, 80))
    port = late.getsockname()[1]
    seen, given_up, accepted = [], 0.0, False
    while time.time() < began + 9 and state(late) != "ESTABLISHED":
        seen += [t - began for t, p, f in client.cable.segments() if p == port and f == SYN]
        if not given_up and (error := pending(short)) != "-":
            given_up = time.time() - began
            line(f"with TCP_SYNCNT=1 connect fails with {error} after seconds", round(given_up))
            numbers["timed_out"] = int(error == "ETIMEDOUT")
        if not accepted and time.time() > began + 4:
            for _ in range(4):
                listener.accept()
            accepted = True
        time.sleep(0.01)
    seen += [t - began for t, p, f in client.cable.segments() if p == port and f == SYN]
    numbers["opened"] = round(time.time() - began)
    numbers["given_up"] = round(given_up)
    for n, at in enumerate(seen):
        numbers[f"syn_{n}"] = round(at)
    line("SYNs of another attempt, after seconds", " ".join(str(round(t)) for t in seen))
    line("the server accepts after 4 s; the attempt is open after seconds", numbers["opened"])

    return numbers | sizes(net)


def sizes(net: Net) -> Numbers:
    """What the program's backlog and the kernel's limit make together."""
    server = net.server
    numbers: Numbers = {}
    print(f"{'program':<16}{'somaxconn':>10}{'Send-Q':>10}{'connections that fit':>24}")
    for key, backlog, limit in (
        ("small", 20, 4096),
        ("large", 500, 100),
        ("zero", 0, 4096),
        ("minus", -1, 100),
    ):
        server.set("core/somaxconn", limit)
        with server.listen(81, 0) as listener:
            LIBC.listen(listener.fileno(), backlog)  # Python makes 0 of a negative number
            numbers[f"{key}_send_q"] = int(server.ss("-l", "sport = :81")[0].split()[2])
            numbers[f"{key}_fit"] = fit(net, 81)
        print(
            f"{f'listen({backlog})':<16}{limit:>10}"
            f"{numbers[f'{key}_send_q']:>10}{numbers[f'{key}_fit']:>24}"
        )
    return numbers


def burst(net: Net) -> Numbers:
    """Five of nine places are taken; eight SYNs arrive before the first ACK."""
    client, server = net.client, net.server
    numbers: Numbers = {}
    load("net/sched/sch_netem")
    print(f"{'tcp_abort_on_overflow':<72}0    1")
    both: dict[str, list[object]] = {}
    for abort, key in enumerate(("wait", "abort")):
        server.set("ipv4/tcp_abort_on_overflow", abort)
        port = 80 + abort
        listener = server.listen(port, 8)
        first = [client.connect((S, port)) for _ in range(5)]
        must("tc qdisc add dev c root netem delay 200ms")  # on the way to the client
        before = server.counter("TcpExtListenOverflows")
        list(server.cable.segments())
        begun = [client.begin((S, port)) for _ in range(8)]
        time.sleep(0.35)  # the ACKs have come, an answer to them or a repetition has not
        numbers[f"{key}_overflows"] = server.counter("TcpExtListenOverflows") - before
        numbers[f"{key}_open"] = sum(state(s) == "ESTABLISHED" for s in begun)
        time.sleep(0.25)
        numbers[f"{key}_half"] = server.half_open(port)
        numbers[f"{key}_resets"] = server.cable.resets()
        errors = [e for s in begun if (e := pending(s)) != "-"]
        numbers[f"{key}_errors"] = errors.count("ECONNRESET")
        must("tc qdisc del dev c root")
        list(server.cable.segments())
        late = client.begin((S, port))
        time.sleep(0.3)
        numbers[f"{key}_late"] = int(state(late) == "SYN_SENT")
        numbers[f"{key}_late_resets"] = server.cable.resets()
        late.close()
        listener.setblocking(False)
        got, end = 0, time.time() + 8
        while time.time() < end and got < 13 - len(errors):
            try:
                listener.accept()[0].close()
                got += 1
            except BlockingIOError:
                time.sleep(0.02)
        numbers[f"{key}_accepted"] = got
        for name, what in (
            ("open", "of 8 connections are open to the client"),
            ("overflows", "ListenOverflows"),
            ("half", "the server has in SYN-RECV"),
            ("resets", "RSTs of the server"),
            ("errors", "clients that get ECONNRESET"),
            ("late", "one attempt more, while the queue is full: waits"),
            ("late_resets", "RSTs for it"),
            ("accepted", "of all 13 are accepted, once the server accepts"),
        ):
            both.setdefault(what, []).append(numbers[f"{key}_{name}"])
        for s in (*begun, *first, listener):
            s.close()
    for what, values in both.items():
        print(f"{what:<72}{values[0]:<5}{values[1]}")
    return numbers


def syn(net: Net) -> Numbers:
    """The client does not answer the SYN-ACKs of the first twenty attempts."""
    client, server = net.client, net.server
    numbers: Numbers = {}
    load("net/sched/sch_ingress", "net/sched/cls_matchall", "net/sched/act_gact")
    for cookies in (1, 0):
        server.set("ipv4/tcp_syncookies", cookies)
        listener = server.listen(80 + cookies, 8)
        with client.inside():
            must("tc qdisc add dev eth0 clsact")
            must("tc filter add dev eth0 ingress matchall action drop")
        list(server.cable.segments())
        before = {n: server.counter(f"TcpExt{n}") for n in COUNTERS}
        begun = [client.begin((S, 80 + cookies)) for _ in range(20)]
        time.sleep(0.1)
        key = "on" if cookies else "off"
        for n in COUNTERS:
            numbers[f"{key}_{n}"] = server.counter(f"TcpExt{n}") - before[n]
        numbers[f"{key}_answers"] = server.cable.count(SYN | ACK)
        numbers[f"{key}_half"] = server.half_open(80 + cookies)
        with client.inside():
            must("tc qdisc del dev eth0 clsact")
        one = client.begin((S, 80 + cookies))
        time.sleep(0.3)
        numbers[f"{key}_honest"] = int(state(one) == "ESTABLISHED")
        line(
            f"tcp_syncookies={cookies}: of 20 SYNs to listen(8) are answered",
            numbers[f"{key}_answers"],
        )
        line("in SYN-RECV", numbers[f"{key}_half"])
        for n in COUNTERS:
            line(n, numbers[f"{key}_{n}"])
        line("an honest connection opens at once", numbers[f"{key}_honest"])
        for s in (*begun, one, listener):
            s.close()
    log = [
        text.split("] ", 1)[-1] for text in run("dmesg").stdout.splitlines() if "flooding" in text
    ]
    print("router$ dmesg | grep flooding", *log, sep="\n")
    numbers["logged"] = len(log)
    return numbers


def many(net: Net, *targets: tuple[str, int], **how: object) -> tuple[list[socket.socket], str]:
    """Connect to the targets in turn until it fails."""
    made: list[socket.socket] = []
    while len(made) < 200:
        try:
            to = targets[len(made) % len(targets)]
            made.append(net.client.connect(to, **how))  # type: ignore[arg-type]
        except OSError as error:
            return made, name_of(error.errno or 0)
    return made, "-"


def ports(net: Net) -> Numbers:
    """Ten local ports; the server accepts nothing, but its queue is long enough."""
    client, server = net.client, net.server
    numbers: Numbers = {}
    low, high = map(int, client.get("ipv4/ip_local_port_range").split())
    numbers["default_low"], numbers["default_high"] = low, high
    line("net.ipv4.ip_local_port_range", f"{low} {high}")
    listeners = [server.listen(port, 400) for port in (80, 81)]
    client.set("ipv4/ip_local_port_range", "40000 40009")
    one, two = ((S, 80),), ((S, 80), (S, 81))
    for key, shown, targets, how in (
        ("one", "one destination", one, {}),
        ("port", "two ports of the server", two, {}),
        ("address", "two addresses of the server", ((S, 80), (T, 80)), {}),
        ("bound", "two ports, bind(address, 0) first", two, {"source": "10.0.1.11"}),
        (
            "no_port",
            "two ports, bind with IP_BIND_ADDRESS_NO_PORT",
            two,
            {"source": "10.0.1.11", "no_port": True},
        ),
    ):
        made, error = many(net, *targets, **how)
        numbers[key] = len(made)
        line(f"{shown}: open, then the error", f"{len(made)} {error}")
        numbers[f"{key}_notavail"] = int(error == "EADDRNOTAVAIL")
        if key == "one":
            more, _ = many(net, (S, 80), source="10.0.1.11", no_port=True)
            numbers["second_source"] = len(more)
            line("and from a second address of the client", len(more))
            made += more
        for s in made:
            s.setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0"
            )  # leave no TIME_WAIT
            s.close()
        time.sleep(0.2)
    for s in listeners:
        s.close()
    return numbers | without_ipv6(client)


def without_ipv6(client: Host) -> Numbers:
    """Nobody listens at port 80 of ::1; then IPv6 is switched off, so the client has no ::1."""
    numbers: Numbers = {}
    load("lib/crc-ccitt", "net/ipv6/ipv6")
    for off, key in enumerate(("v6_on", "v6_off")):
        client.set("ipv6/conf/lo/disable_ipv6", off)
        with client.inside(), socket.socket(socket.AF_INET6) as s:
            error = name_of(s.connect_ex(("::1", 80)))
        numbers[key] = int(error == "EADDRNOTAVAIL")
        line(f"connect to ::1, where nobody listens, with disable_ipv6={off}", error)
    return numbers


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](Net())))
