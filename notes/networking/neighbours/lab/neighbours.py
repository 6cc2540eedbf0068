"""How Linux finds the MAC of an address, and what can go wrong: each experiment counts frames.

    neighbours.py asks       how many ARP frames a packet costs, and what happens if nobody answers
    neighbours.py states     the states of an entry, and which requests each change sends
    neighbours.py flux       two interfaces in one subnet: who answers for which address
    neighbours.py twice      a second host takes an address: who notices
    neighbours.py changes    which event moves an entry to another MAC, under which setting
    neighbours.py overflow   when the table is full, and what then works

Run each as root in a kernel of its own: bash own-kernel.sh python3 neighbours.py asks
All but the first lines are for the reader; the last line is JSON.
"""

from __future__ import annotations

import errno
import json
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

from lan import Host, Lan, Port, load, must, run, write

Numbers = dict[str, int]
RECVERR = 11  # IP_RECVERR
A, B, C = "10.0.0.1", "10.0.0.2", "10.0.0.3"


def count(frames: list[dict[str, str]], **fields: str) -> int:
    return sum(all(f[name] == value for name, value in fields.items()) for f in frames)


def line(name: str, value: object) -> None:
    print(f"{name:<58}{value}", flush=True)


def received(host: Host) -> int:
    """How many datagrams came to port 9 since the last call."""
    host.sink.setblocking(False)
    n = 0
    while True:
        try:
            host.sink.recv(2048)
        except BlockingIOError:
            return n
        n += 1


def asks(lan: Lan) -> Numbers:
    """A sends to B for the first time, again, backwards, and to an address that nobody has."""
    a, b, c = lan.hosts
    numbers: Numbers = {}
    a.send(B)
    sent_a, sent_b, sent_c = a.port.arp(), b.port.arp(), c.port.arp()
    numbers["requests"] = count(sent_a, kind="request", to="everybody")
    numbers["replies"] = count(sent_b, kind="reply", to="one")
    numbers["frames_others"] = len(sent_c)
    for shown, frame in (("A", sent_a[0]), ("B", sent_b[0])):
        line(f"{shown} to {frame['to']}", f"{frame['kind']}, {frame['ip']} is at {frame['mac']}")
    print(f"A$ ip neigh\n{a.ip('neigh').strip()}\nB$ ip neigh\n{b.ip('neigh').strip()}")
    with a.socket() as s:
        for _ in range(100):
            s.sendto(b"x", (B, 9))
    numbers["requests_hundred"] = count(a.port.arp(), kind="request")
    b.send(A)
    numbers["requests_back"] = count(b.port.arp(), kind="request", to="everybody")
    line("requests for the first packet", numbers["requests"])
    line("requests for a hundred more", numbers["requests_hundred"])
    line("requests of B to everybody when it sends to A", numbers["requests_back"])

    with a.socket() as s:
        s.sendto(b"x", ("10.0.0.99", 9))
    time.sleep(4)
    numbers["silent_requests"] = count(a.port.arp(), kind="request", to="everybody")
    line("requests for an address that nobody has", numbers["silent_requests"])
    state = a.ip("neigh show 10.0.0.99").strip()
    with a.socket(socket.SOCK_STREAM) as s:
        numbers["error"] = s.connect_ex(("10.0.0.99", 9))
    line("connect to it fails with", errno.errorcode.get(numbers["error"], "-"))
    print(f"A$ ip neigh show 10.0.0.99\n{state}")

    for key in ("burst_known", "burst"):
        if key == "burst":
            a.ip("neigh flush all")
            b.ip("link set eth0 arp off")
        received(b)
        with a.socket() as s:
            for _ in range(500):
                s.sendto(b"x" * 100, (B, 9))
        time.sleep(0.1)
        b.ip("link set eth0 arp on")
        time.sleep(0.1 if key == "burst_known" else 2.5)
        numbers[key] = received(b)
    line("of 500 datagrams to a known neighbour arrive", numbers["burst_known"])
    line("of 500 datagrams to one that answers a second late arrive", numbers["burst"])
    return numbers


def watch(host: Host, address: str, seconds: float) -> list[str]:
    """The states through which an entry goes, each once in a row."""
    seen: list[str] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        state = host.neighbour(address)[1]
        if not seen or seen[-1] != state:
            seen.append(state)
        time.sleep(0.02)
    return seen


def states(lan: Lan) -> Numbers:
    """The times are made shorter than Linux's own, the counts are left as they are."""
    a, b, _ = lan.hosts
    numbers: Numbers = {}
    for host in lan.hosts:
        host.set("neigh/eth0/base_reachable_time_ms", 2400)  # reachable for 1.2 to 3.6 s
        host.set("neigh/eth0/delay_first_probe_time", 1)

    def step(shown: str, key: str, states: list[str]) -> None:
        sent = a.port.arp()
        numbers[f"{key}_everybody"] = count(sent, kind="request", to="everybody")
        numbers[f"{key}_one"] = count(sent, kind="request", to="one")
        print(f"{shown:<34}{' '.join(states):<34}"
              f"{numbers[f'{key}_everybody']:>9}{numbers[f'{key}_one']:>7}", flush=True)  # fmt: skip

    print(f"{'':<34}{'states of the entry for B':<34}everybody    one")
    a.send(B)
    step("A sends", "first", [a.neighbour(B)[1]])
    seen = watch(a, B, 4.5)
    numbers["aged"] = int(seen[-1] == "STALE")
    step("A is silent", "silent", seen)
    a.send(B)
    step("A sends, B answers the probe", "again", watch(a, B, 2))
    watch(a, B, 4.5)
    b.ip("link set eth0 address 02:00:00:00:00:bb")
    a.port.arp()
    a.send(B)
    step("B has another MAC, A sends", "moved", watch(a, B, 5))
    a.send(B)
    step("A sends once more", "new", watch(a, B, 0.5))
    numbers["new_mac"] = int(a.neighbour(B)[0] == "02:00:00:00:00:bb")

    received(b)
    b.set("conf/eth0/arp_notify", 1)
    b.ip("link set eth0 address 02:00:00:00:00:0b")
    a.send(B)
    step("another MAC, with arp_notify", "notify", [a.neighbour(B)[1]])
    numbers["notify_arrived"] = received(b)
    b.set("conf/eth0/arp_notify", 0)
    b.ip("link set eth0 address 02:00:00:00:00:bb")
    a.send(B)
    numbers["quiet_arrived"] = received(b)
    line("first datagram after the change arrives: with arp_notify", numbers["notify_arrived"])
    line("first datagram after the change arrives: without", numbers["quiet_arrived"])

    confirmed(lan, numbers)
    return numbers


def confirmed(lan: Lan, numbers: Numbers) -> None:
    """Ten seconds of datagrams in one direction to B, and of TCP with answers to C."""
    a, _, c = lan.hosts
    a.ip("neigh flush all")
    for host in lan.hosts:
        host.set("neigh/eth0/base_reachable_time_ms", 1000)
    server = c.socket(socket.SOCK_STREAM)
    server.bind(("0.0.0.0", 9))
    server.listen()
    with a.socket(socket.SOCK_STREAM) as s:
        s.connect((C, 9))
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer, _ = server.accept()
        a.send(B)
        a.port.arp()
        for _ in range(100):
            a.send(B)
            s.send(b"x")
            peer.recv(1)
            time.sleep(0.05)
    sent = a.port.arp()
    numbers["udp_probes"] = count(sent, kind="request", asks=B)
    numbers["tcp_probes"] = count(sent, kind="request", asks=C)
    line("probes during ten seconds of datagrams in one direction", "some" if numbers["udp_probes"] else 0)
    line("probes during ten seconds of TCP", numbers["tcp_probes"])


def flux(lan: Lan) -> Numbers:
    """B has a second interface on the same switch: 10.0.0.12."""
    a, b, _ = lan.hosts
    second = "10.0.0.12"
    port = b.plug("eth1", second, "02:00:00:00:00:1b")
    numbers: Numbers = {}
    print(f"{'settings of B':<30}{'replies for':>12}{'replies for':>13}{'MACs that A':>13}")
    print(f"{'':<30}{B:>12}{second:>13}{'holds wrong':>13}")
    for key, shown, settings in (
        ("default", "(none)", {}),
        ("ignore", "arp_ignore=1", {"arp_ignore": 1}),
        ("both", "arp_ignore=1 arp_announce=2", {"arp_ignore": 1, "arp_announce": 2}),
        ("filter", "arp_filter=1", {"arp_filter": 1}),
    ):
        for name in ("arp_ignore", "arp_announce", "arp_filter"):
            b.set(f"conf/all/{name}", settings.get(name, 0))
        replies = []
        for address in (B, second):
            a.ip("neigh flush all")
            b.ip("neigh flush all")
            lan.quiet()
            port.arp()
            a.send(address)
            replies.append(count(b.port.arp() + port.arp(), kind="reply", ip=address))
        # B sends from its second address; its first route leads out of eth0
        a.ip("neigh flush all")
        b.ip("neigh flush all")
        b.send(A, source=second)
        wrong = int(a.neighbour(second)[0] == "02:00:00:00:00:0b")
        numbers |= {f"{key}_first": replies[0], f"{key}_second": replies[1], f"{key}_wrong": wrong}
        print(f"{shown:<30}{replies[0]:>12}{replies[1]:>13}{wrong:>13}", flush=True)
    return numbers


def several(frames: list[dict[str, str]]) -> list[str]:
    """The addresses that more than one MAC claimed: what a watcher such as arpwatch looks for."""
    macs: dict[str, set[str]] = {}
    for frame in frames:
        if frame["ip"] != "0.0.0.0":  # a probe claims nothing yet
            macs.setdefault(frame["ip"], set()).add(frame["mac"])
    return [address for address, found in macs.items() if len(found) > 1]


def twice(lan: Lan) -> Numbers:
    """C takes B's address, once quietly and once with an announcement."""
    a, _, c = lan.hosts
    numbers: Numbers = {}
    with a.inside():
        ear = Port("eth0")  # what reaches A
    a.send(B)
    a.send(C)
    numbers["several_before"] = len(several(ear.arp()))

    lan.quiet()
    for key, address in (("taken", B), ("free", "10.0.0.77")):
        with c.inside():
            done = run(f"arping -D -c 2 -I eth0 {address}")
        numbers[f"arping_{key}"] = done.returncode
        numbers[f"arping_{key}_frames"] = len(c.port.arp())
        print(f"C$ arping -D -c 2 -I eth0 {address}; echo $?")
        print(re.sub(r"  \d+\.\d+ms", "  …ms", done.stdout.strip()) + f"\n{done.returncode}")
    lan.quiet()
    ear.arp()

    log = len(must("dmesg").splitlines())
    c.ip(f"address add {B}/24 dev eth0")
    time.sleep(1.5)
    numbers["asked_before_taking"] = len(c.port.arp())
    line("ARP frames that C's kernel sends when it gets the address", numbers["asked_before_taking"])

    a.ip("neigh flush all")
    ear.arp()
    a.send(B)
    heard = ear.arp()
    replies = [f for f in heard if f["kind"] == "reply"]
    numbers["replies"] = len(replies)
    numbers["first_wins"] = int(a.neighbour(B)[0] == replies[0]["mac"])
    numbers["second_wins"] = int(a.neighbour(B)[0] == replies[-1]["mac"])
    numbers["several_asked"] = len(several(heard))
    line("replies when A asks for it", numbers["replies"])
    line("A's table holds the MAC of", "the first" if numbers["first_wins"] else "the second")
    line("addresses claimed by two MACs: before", numbers["several_before"])
    line("addresses claimed by two MACs: now", numbers["several_asked"])

    c.ip(f"address del {B}/24 dev eth0")
    announced(lan, log, numbers)
    return numbers


def announced(lan: Lan, log: int, numbers: Numbers) -> None:
    """C announces B's address: what A, B and the kernel's log, from this line on, say."""
    a, b, c = lan.hosts
    a.ip("neigh flush all")
    a.send(B)
    lan.quiet()
    for key in ("monitor_quiet", "monitor"):
        with a.inside():
            monitor = subprocess.Popen(["ip", "monitor", "neigh"], stdout=subprocess.PIPE, text=True)
        time.sleep(0.3)
        if key == "monitor":
            numbers["notify_added"], numbers["notify_mac"] = announce(c)
        time.sleep(1)
        monitor.terminate()
        lines = [text.strip() for text in monitor.stdout or []]
        numbers[key] = sum(B in text and c.mac in text for text in lines)
    numbers["defended"] = len(b.port.arp())
    print("A$ ip monitor neigh     # while C announces the address")
    print("\n".join(lines))
    line("announcements with arp_notify=1 when C gets the address", numbers["notify_added"])
    line("announcements with arp_notify=1 when C's MAC is set", numbers["notify_mac"])
    line("ARP frames with which B objects", numbers["defended"])
    # port changes of the switch are no warnings about addresses
    numbers["logged"] = sum(
        "duplicate" in text.lower() or "arp" in text.lower()
        for text in must("dmesg").splitlines()[log:]
    )
    line("lines of the kernel's log about it", numbers["logged"])


def announce(c: Host) -> tuple[int, int]:
    """C gets B's address, then sets its MAC, which makes the kernel announce: the frames of both."""
    c.set("conf/eth0/arp_notify", 1)
    c.port.arp()
    c.ip(f"address add {B}/24 dev eth0")
    time.sleep(0.1)
    added = len(c.port.arp())
    c.ip(f"link set eth0 address {c.mac}")
    time.sleep(0.1)
    return added, len(c.port.arp())


def ask(c: Host) -> None:
    """C sends to A from B's address, so that it has to ask for A's MAC."""
    c.ip(f"address add {B}/24 dev eth0")
    c.ip("neigh flush all")
    c.send(A, source=B)


def changes(lan: Lan) -> Numbers:
    """B has the address; does A's entry for it, or a new one, get the MAC of C?"""
    load("net/sched/sch_ingress", "net/sched/cls_flower", "net/sched/act_gact")
    a, b, c = lan.hosts
    numbers: Numbers = {}
    settings = (
        ("default", "(none)"), ("accept", "A: arp_accept=1"),
        ("drop", "A: drop_gratuitous_arp=1"), ("fixed", "A: entry is permanent"),
        ("filter", "switch: filter at C's port"),
    )  # fmt: skip
    events = ("announced", "unknown", "asks", "answers")
    print(f"{'':<28}{'C announces,':>14}{'the same, A':>14}{'C asks A':>14}{'A asks, C':>14}")
    print(f"{'':<28}{'A knows B':>14}{'knows none':>14}{'from it':>14}{'answers':>14}")
    for key, shown in settings:
        a.set("conf/eth0/arp_accept", int(key == "accept"))
        a.set("conf/eth0/drop_gratuitous_arp", int(key == "drop"))
        if key == "filter":
            must("tc qdisc add dev c-eth0 clsact")
            must("tc filter add dev c-eth0 ingress protocol arp pref 1 flower"
                 f" arp_sip {C} arp_sha {c.mac} action ok")  # fmt: skip
            must("tc filter add dev c-eth0 ingress protocol arp pref 2 flower action drop")
        cells = []
        for event in events:
            a.ip("neigh flush all")
            a.send(B)
            if key == "fixed":
                a.ip(f"neigh replace {B} lladdr {b.mac} nud permanent dev eth0")
            elif event in ("unknown", "answers"):
                a.ip(f"neigh del {B} dev eth0")
            if event == "answers":
                b.ip("link set eth0 arp off")  # B is late
                c.ip(f"address add {B}/24 dev eth0")
                a.send(B)
                b.ip("link set eth0 arp on")
            else:
                ask(c) if event == "asks" else announce(c)
            numbers[f"{key}_{event}"] = int(a.neighbour(B)[0] == c.mac)
            cells.append("changed" if numbers[f"{key}_{event}"] else "-")
            c.set("conf/eth0/arp_notify", 0)
            c.ip(f"address del {B}/24 dev eth0")
            if key == "fixed":
                a.ip(f"neigh del {B} dev eth0")
        print(f"{shown:<28}" + "".join(f"{cell:>14}" for cell in cells), flush=True)
    c.ip("neigh flush all")
    lan.quiet()
    c.send(A)
    numbers["filter_own"] = count(a.port.arp(), kind="reply")
    line("behind the filter, A answers C's own address", numbers["filter_own"])
    with c.inside():
        numbers["filter_probe"] = run(f"arping -D -c 2 -I eth0 {B}").returncode
    line("behind the filter, status of arping -D for B's address", numbers["filter_probe"])
    return numbers


def entries(host: Host) -> int:
    return len(host.ip("neigh show nud all").splitlines())


def burst(host: Host, first: int, last: int, *, errors: bool = True) -> tuple[int, int]:
    """A datagram to each of these unused addresses: how many calls work, and the error."""
    good = failed = 0
    with host.socket() as s:
        s.setsockopt(socket.IPPROTO_IP, RECVERR, int(errors))
        for n in range(first, last):
            try:
                s.sendto(b"x", (f"10.0.0.{n}", 9))
                good += 1
            except OSError as error:
                failed = error.errno
    return good, failed


def add(a: Host, first: int, last: int, state: str) -> int:
    """Entries that a program adds: how many there are more."""
    before = entries(a)
    text = "".join(f"neigh replace 10.0.{n // 200}.{n % 200 + 20} lladdr 02:00:00:00:01:00"
                   f" nud {state} dev eth0\n" for n in range(first, last))  # fmt: skip
    with a.inside():
        subprocess.run(["ip", "-force", "-batch", "-"], input=text, text=True,
                       capture_output=True, check=False)  # fmt: skip
    return entries(a) - before


def refused(connection: socket.socket) -> int:
    """Whether the other host, where nothing listens, has answered."""
    return int(connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == errno.ECONNREFUSED)


def overflow(lan: Lan) -> Numbers:
    """Each host sends to addresses that nobody has, then with thresholds of 16, 32 and 64."""
    a, b, _ = lan.hosts
    numbers: Numbers = {}
    numbers["default_thresh3"] = int(Path("/proc/sys/net/ipv4/neigh/default/gc_thresh3").read_text())
    numbers["inside"] = 0
    for host in lan.hosts:
        with host.inside():
            numbers["inside"] += Path("/proc/sys/net/ipv4/neigh/default/gc_thresh3").exists()
    line("gc_thresh3 of this kernel", numbers["default_thresh3"])
    line("namespaces of hosts that have such a file", numbers["inside"])
    write("neigh/default/base_reachable_time_ms", 2000)  # the collector runs at half of this
    numbers["good_default"] = burst(a, 100, 200)[0]
    numbers["other_namespace_default"] = burst(b, 210, 220)[0]
    for host in lan.hosts:
        host.ip("neigh flush all")
    line("of 100 datagrams to new addresses are accepted", numbers["good_default"])
    print("host$ sysctl -w net.ipv4.neigh.default.gc_thresh3=64  # and gc_thresh1=16, gc_thresh2=32")
    for n, value in enumerate((16, 32, 64), 1):
        write(f"neigh/default/gc_thresh{n}", value)
    a.send(B)
    a.port.arp()
    good, failed = burst(a, 100, 200)
    asked = len({frame["asks"] for frame in a.port.arp()})
    numbers |= {"good": good, "asked": asked, "error": failed}
    numbers["held"] = sum(entries(host) for host in lan.hosts)
    line("of 100 datagrams to new addresses are accepted", good)
    line("addresses that A asks for", asked)
    line("entries of all hosts together", numbers["held"])
    line("the other calls fail with", errno.errorcode.get(failed, "-"))
    full(lan, numbers)
    added(lan, numbers)
    return numbers


def full(lan: Lan, numbers: Numbers) -> None:
    """What works while the table is full, and five seconds later."""
    a, b, _ = lan.hosts
    numbers["loudly"] = burst(a, 200, 210)[0]
    numbers["silently"] = burst(a, 200, 210, errors=False)[0]
    numbers["silently_asked"] = count(a.port.arp(), kind="request", asks="10.0.0.205")
    line("of 10 from a socket without IP_RECVERR are accepted", numbers["silently"])
    line("requests for one of these addresses", numbers["silently_asked"])
    connection = a.socket(socket.SOCK_STREAM)
    connection.setblocking(False)
    failed = connection.connect_ex((C, 9))
    time.sleep(0.2)
    numbers["tcp_now"] = refused(connection)
    line("a TCP connection to C begins with", errno.errorcode.get(failed, "-"))
    numbers["other_namespace"] = burst(b, 210, 220)[0]
    line("of 10 from another namespace are accepted", numbers["other_namespace"])
    received(b)
    a.send(B)
    numbers["known"] = received(b)
    line("of 1 to a neighbour in the table", numbers["known"])
    texts = [t for t in must("dmesg").splitlines() if "overflow" in t]
    numbers["logged"] = len(texts)
    print("host$ dmesg | grep overflow | head -n 1\n" + re.sub(r"^\[.*?\]", "[…]", texts[0]))
    heads, first = Path("/proc/net/stat/arp_cache").read_text().splitlines()[:2]
    numbers["fulls"] = int(dict(zip(heads.split(), first.split(), strict=True))["table_fulls"], 16)
    line("table_fulls in /proc/net/stat/arp_cache", numbers["fulls"])
    time.sleep(5)  # the searches fail, and failed entries may go
    numbers["later"] = burst(a, 220, 230)[0]
    line("of 10 to new addresses, five seconds later", numbers["later"])

    time.sleep(5)
    numbers["tcp_later"] = refused(connection)
    connection.close()
    line("the TCP connection has reached C, at once", numbers["tcp_now"])
    line("the TCP connection has reached C, ten seconds later", numbers["tcp_later"])


def added(lan: Lan, numbers: Numbers) -> None:
    """Entries that a program adds, and how long the kernel keeps them."""
    a = lan.hosts[0]
    a.ip("neigh flush all")
    numbers["stale"] = add(a, 200, 300, "stale")
    line("of 100 stale entries within a moment stay", numbers["stale"])
    numbers["permanent"] = add(a, 400, 600, "permanent")
    line("of 200 permanent entries into the same table", numbers["permanent"])

    # The collector that runs now and then leaves small tables alone. Its first run is 15 to 45 s
    # after the kernel's start, and from then on it runs each second.
    a.ip("neigh flush all nud permanent")
    a.set("neigh/eth0/gc_stale_time", 1)
    for key, least in (("above", 8), ("below", 64)):
        write("neigh/default/gc_thresh1", least)
        a.ip("neigh flush all")
        add(a, 0, 20, "stale")
        end = time.monotonic() + (60 if key == "above" else 5)
        while entries(a) == 20 and time.monotonic() < end:
            time.sleep(0.5)
        time.sleep(0.5)
        numbers[f"kept_{key}"] = entries(a)
    line("of 20 unused entries stay: gc_thresh1 is 8", numbers["kept_above"])
    line("of 20 unused entries stay: gc_thresh1 is 64", numbers["kept_below"])


def main() -> None:
    lan = Lan(3)
    experiments = {each.__name__: each for each in (asks, states, flux, twice, changes, overflow)}
    try:
        numbers = experiments[sys.argv[1]](lan)
    finally:
        lan.close()
    print(json.dumps(numbers))


if __name__ == "__main__":
    main()
