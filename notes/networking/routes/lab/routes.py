"""Which route a packet takes: what ``ip route get`` names, and where the packet arrives.

unshare -rn python3 routes.py lookup|down|rules|bound|replies|same|filter|source|change|paths
"""

from __future__ import annotations

import json
import socket
import struct
import sys
import time
from collections import Counter

from net import ARP_IGNORE, IGNORE_LINKDOWN, RP_FILTER, Lab

Numbers = dict[str, int]
FAR = "203.0.113.7"  # a host behind the gateways
CLIENT = "203.0.113.9"  # the same, where it asks us
A, B = "192.0.2", "198.51.100"  # the nets of eth0 and eth1


def show(rows: list[tuple[str, ...]]) -> None:
    """Print rows in columns."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def lookup() -> Numbers:
    """Several routes fit: which one counts? The first is that of eth0, the other ones those of eth1."""
    cases = [
        ("longer", "a longer prefix with the higher metric", [
            "10.0.0.0/8 via 192.0.2.1 metric 10", "10.1.0.0/16 via 198.51.100.1 metric 900"], "10.1.2.3"),
        ("equal", "the same prefix, the higher metric", [
            "10.1.0.0/16 via 192.0.2.1 metric 10", "10.1.0.0/16 via 198.51.100.1 metric 900"], "10.1.2.3"),
        ("halves", "0.0.0.0/1 and 128.0.0.0/1 against a default", [
            "default via 192.0.2.1", "0.0.0.0/1 via 198.51.100.1", "128.0.0.0/1 via 198.51.100.1"], FAR),
        ("none", "no metric against metric 1", [
            "default via 192.0.2.1 metric 1", "default via 198.51.100.1"], FAR),
        ("tie", "prefix and metric the same, appended", [
            "default via 192.0.2.1", "+default via 198.51.100.1"], FAR),
        ("first", "prefix and metric the same, prepended", [
            "default via 192.0.2.1", "-default via 198.51.100.1"], FAR),
    ]  # fmt: skip
    numbers: Numbers = {"agree": 0}
    rows = [("routes of eth1, against one of eth0", "ip route get", "arrives by")]
    for key, what, routes, to in cases:
        lab = Lab()
        for route in routes:
            lab.here.ip(f"route {({'+': 'append', '-': 'prepend'}).get(route[0], 'add')} {route.lstrip('+-')}")
        named, arrived = lab.get(to)[0], lab.send(to)[0]
        numbers["agree"] += named == arrived
        numbers[f"{key}_eth1"] = int(arrived == "eth1")
        rows.append((what, named, arrived))
    show(rows)
    print(f"the last case, with add: {lab.here.ip('route add default via 198.51.100.1')}")
    return numbers


def down() -> Numbers:
    """The better route has stopped working: does the other one take over?"""
    numbers: Numbers = {}
    rows = [("", "ip route get", "arrives by")]
    for key, what in (
        ("up", "both work"), ("silent", "gateway of eth0 does not answer"),
        ("equal", "the same, both routes with metric 100"), ("cable", "no carrier at eth0"),
        ("ignored", "no carrier, ignore_routes_with_linkdown=1"), ("down", "ip link set eth0 down"),
        ("again", "ip link set eth0 down, then up again"),
    ):  # fmt: skip
        lab = Lab()
        lab.here.ip("route add default via 192.0.2.1 metric 100")
        lab.here.ip(f"route append default via 198.51.100.1 metric {100 if key == 'equal' else 600}")
        if key in ("silent", "equal"):
            lab.world.ip("address del 192.0.2.1/24 dev far0")
            numbers[f"{key}_first_arrived"] = int(lab.send(FAR)[0] != "-")  # the row shows the second packet
        if key in ("cable", "ignored"):
            lab.here.set("eth0", IGNORE_LINKDOWN, int(key == "ignored"))
            lab.world.ip("link set far0 down")
            until = time.monotonic() + 5
            while "linkdown" not in lab.here.ip("route") and time.monotonic() < until:
                time.sleep(0.05)  # the kernel notes it a moment later
        if key in ("down", "again"):
            lab.here.ip("link set eth0 down")
        if key == "again":
            lab.here.ip("link set eth0 up")
        named, arrived = lab.get(FAR)[0], lab.send(FAR)[0]
        numbers[f"{key}_named_eth0"] = int(named == "eth0")
        numbers[f"{key}_arrived"] = int(arrived != "-")
        numbers[f"{key}_defaults"] = len(lab.here.ip("route show default").splitlines())
        rows.append((what, named, arrived))
        if key == "cable":
            shown = lab.here.ip("route show default")
    print(shown)
    show(rows)
    return numbers


def rules() -> Numbers:
    """Tables and rules: eth0 has the default route of main, eth1 that of table 100."""
    lab = Lab()
    lab.here.ip("route add default via 192.0.2.1")
    lab.here.ip("route add default via 198.51.100.1 table 100")
    numbers: Numbers = {"agree": 0, "plain_agree": 0}
    rows = [("rule", "packet", "ip route get", "arrives by")]

    def tried(key: str, rule: str, what: str, to: str, more: str = "", **how: str | int) -> None:
        if rule:
            lab.here.ip(f"rule add pref 100 {rule}")
        named, plain, arrived = lab.get(to, more)[0], lab.get(to)[0], lab.send(to, **how)[0]
        if rule:
            lab.here.ip("rule del pref 100")
        numbers["agree"] += named == arrived
        numbers["plain_agree"] += plain == arrived
        numbers[f"{key}_eth1"] = int(arrived == "eth1")
        numbers[f"{key}_eth0"] = int(arrived == "eth0")
        rows.append((rule or "(none)", what, *(cell.removeprefix("Network is ") for cell in (named, arrived))))

    tried("without", "", "to 203.0.113.7", FAR)
    tried("all", "table 100", "to 203.0.113.7", FAR)
    tried("all_near", "table 100", "to 192.0.2.1", f"{A}.1")
    tried("to", "to 203.0.113.0/24 table 100", "to 203.0.113.7", FAR)
    tried("from", "from 198.51.100.10 table 100", "from 198.51.100.10", FAR, f"from {B}.10", source=f"{B}.10")
    tried("from_other", "from 198.51.100.10 table 100", "no address bound", FAR)
    tried("self", "from 192.0.2.10 table 100", "no address bound", FAR)
    tried("self_connected", "from 192.0.2.10 table 100", "the same, connected", FAR, f"from {A}.10", connect=True)
    tried("mark", "fwmark 1 table 100", "mark 1", FAR, "mark 1", mark=1)
    tried("mark_other", "fwmark 1 table 100", "no mark", FAR)
    tried("empty", "table 200", "to 203.0.113.7 (200 is empty)", FAR)
    tried("stop", "to 203.0.113.0/24 unreachable", "to 203.0.113.7", FAR)
    lab.here.ip("rule add pref 101 table 100")
    tried("suppress", "table main suppress_prefixlength 0", "to 203.0.113.7, next rule: 100", FAR)
    tried("suppress_near", "table main suppress_prefixlength 0", "to 192.0.2.1, next rule: 100", f"{A}.1")
    lab.here.ip("rule del pref 101")
    print(lab.here.ip("rule"))
    show(rows)
    with lab.here.inside(), open("/proc/thread-self/net/route") as file:  # what route -n reads
        old = [line.split()[1] for line in file].count("00000000")
    every = lab.here.ip("route show table all").splitlines()
    numbers["old_defaults"], numbers["all_defaults"] = old, sum(line.startswith("default") for line in every)
    print(f"default routes: /proc/net/route has {old}, ip route show table all has {numbers['all_defaults']}")
    return numbers


def bound() -> Numbers:
    """A socket with an address, or with an interface; two default routes, that of eth0 is better."""
    lab = Lab()
    lab.here.ip("route add default via 192.0.2.1 metric 100")
    lab.here.ip("route add default via 198.51.100.1 metric 600")
    numbers: Numbers = {}
    rows = [("socket", "arrives by", "source")]
    for key, what, how in (
        ("free", "nothing bound", {}),
        ("address", "address of eth1", {"source": f"{B}.10"}),
        ("device", "interface eth1", {"device": "eth1"}),
    ):
        arrived, source = lab.send(FAR, **how)
        numbers[f"{key}_eth1"] = int(arrived == "eth1")
        rows.append((what, arrived, source))
    show(rows)
    named = lab.get(FAR)[0], lab.get(FAR, f"from {B}.10")[0], lab.get(FAR, "oif eth1")[0]
    print("ip route get 203.0.113.7: {}; from 198.51.100.10: {}; oif eth1: {}".format(*named))
    return numbers


def ask(lab: Lab, kind: int, pin: bool) -> tuple[str, str, int]:
    """The client asks 198.51.100.10 by way of eth1; where the answer leaves, its source, if it is heard."""
    lab.world.ip(f"address add {CLIENT}/32 dev lo")
    for net in (A, B):
        lab.send(f"{net}.1")  # so that both gateways are in the ARP table
    with lab.here.inside():
        server = socket.socket(socket.AF_INET, kind)
    with lab.world.inside():
        client = socket.socket(socket.AF_INET, kind)
    with server, client:
        server.bind((f"{B}.10" if pin else "", 7))
        server.settimeout(2)
        client.settimeout(1)
        client.bind((CLIENT, 0))
        if kind == socket.SOCK_STREAM:
            server.listen()
            try:
                client.connect((f"{B}.10", 7))
            except OSError:
                return *lab.heard(socket.inet_aton(CLIENT)), 0
            return *lab.heard(socket.inet_aton(CLIENT)), 1
        client.connect((f"{B}.10", 7))
        client.send(b"question")
        server.sendto(b"answer", server.recvfrom(100)[1])
        way = lab.heard(b"answer")
        try:
            return *way, int(client.recv(100) == b"answer")
        except OSError:
            return *way, 0


def replies() -> Numbers:
    """A request comes in by eth1; the default route leads out by eth0."""
    numbers: Numbers = {}
    rows = [("server", "rule", "strict filter", "answer by", "source", "heard")]
    for key, kind, pin, rule, strict in (
        ("tcp", socket.SOCK_STREAM, False, False, "-"), ("tcp_strict", socket.SOCK_STREAM, False, False, "outside"),
        ("tcp_rule", socket.SOCK_STREAM, False, True, "outside"),
        ("tcp_here", socket.SOCK_STREAM, False, False, "here"), ("tcp_here_rule", socket.SOCK_STREAM, False, True, "here"),
        ("udp", socket.SOCK_DGRAM, False, False, "-"), ("udp_rule", socket.SOCK_DGRAM, False, True, "-"),
        ("udp_pin", socket.SOCK_DGRAM, True, True, "outside"),
    ):  # fmt: skip
        lab = Lab()
        lab.here.ip("route add default via 192.0.2.1")
        if rule:
            lab.here.ip("route add default via 198.51.100.1 table 100")
            lab.here.ip("rule add from 198.51.100.10 table 100")
        for i in (0, 1):
            lab.world.set(f"far{i}", RP_FILTER, int(strict == "outside"))
            lab.here.set(f"eth{i}", RP_FILTER, int(strict == "here"))
        arrived, source, heard = ask(lab, kind, pin)
        numbers[f"{key}_eth1"] = int(arrived == "eth1")
        numbers[f"{key}_heard"] = heard
        numbers[f"{key}_foreign"] = int(source != f"{B}.10")
        server = "TCP" if kind == socket.SOCK_STREAM else "UDP, bound" if pin else "UDP"
        rows.append((server, "from" if rule else "-", strict, arrived, source, "yes" if heard else "no"))
    show(rows)
    return numbers


def who_has(lab: Lab, device: str, wanted: str) -> list[bytes]:
    """Ask at one wire for the owner of an address; the hardware addresses in the answers."""
    ear = lab.listen(device, 0x0806)
    mine = ear.getsockname()[4]
    asked = struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1) + mine + socket.inet_aton(f"{A}.1") + b"\0" * 6
    ear.send(b"\xff" * 6 + mine + b"\x08\x06" + asked + socket.inet_aton(wanted))
    ear.settimeout(0.3)
    found = []
    try:
        while True:
            frame, where = ear.recvfrom(200)
            if where[2] != socket.PACKET_OUTGOING and frame[20:22] == b"\0\2":
                if frame[28:32] == socket.inet_aton(wanted):
                    found.append(frame[22:28])
    except TimeoutError:
        ear.close()
        return found


def same() -> Numbers:
    """Two interfaces in one subnet: eth0 has 192.0.2.10, eth1 192.0.2.11.

    The lab plays the switch: it asks for an address at both wires, as a switch floods a broadcast.
    """
    numbers: Numbers = {}
    rows = [("", "from .10 by", "from .11 by", "answers to who-has .11")]
    for key, what in (
        ("plain", "as it comes"), ("ignore", "arp_ignore=1"), ("rule", "arp_ignore=1, table and rule for .11"),
    ):  # fmt: skip
        lab = Lab(addresses=False)
        for i in (0, 1):
            lab.world.ip(f"address add {A}.{i + 1}/24 dev far{i}")
            lab.here.ip(f"address add {A}.{i + 10}/24 dev eth{i}")
            lab.here.set(f"eth{i}", ARP_IGNORE, int(key != "plain"))
        if key == "rule":
            lab.here.ip("route add 192.0.2.0/24 dev eth1 table 100")
            lab.here.ip("rule add from 192.0.2.11 table 100")
        # 192.0.2.1 answers at far0 and .2 at far1; both at either wire, as in one segment.
        ways = [lab.send(f"{A}.1", source=f"{A}.10")[0], lab.send(f"{A}.1", source=f"{A}.11")[0]]
        answers = who_has(lab, "far0", f"{A}.11") + who_has(lab, "far1", f"{A}.11")
        numbers[f"{key}_eth1"] = int(ways[1] == "eth1")
        numbers[f"{key}_answers"] = len(answers)
        numbers[f"{key}_owners"] = len(set(answers))
        rows.append((what, *ways, f"{len(answers)}, from {len(set(answers))} interface{'s'[: len(set(answers)) > 1]}"))
        if key == "plain":
            table = lab.here.ip("route")
    print(table)
    show(rows)
    return numbers


def filtered() -> Numbers:
    """rp_filter: packets come in by eth1 from a source to which we have a route, or none."""
    with open("/proc/sys/net/ipv4/conf/all/rp_filter") as file:
        if int(file.read()):
            raise SystemExit("needs net.ipv4.conf.all.rp_filter=0: the larger of all and the interface counts")
    numbers: Numbers = {}
    sources = {"right": ("route by eth1", "10.1.0.9"), "other": ("route by eth0", "10.0.0.9"), "none": ("no route", "10.9.0.9")}
    rows = [("rp_filter", *(what for what, _ in sources.values()), "IPReversePathFilter")]
    for mode in (0, 1, 2):
        lab = Lab()
        lab.here.ip("route add 10.0.0.0/16 via 192.0.2.1")
        lab.here.ip("route add 10.1.0.0/16 via 198.51.100.1")
        lab.here.set("eth1", RP_FILTER, mode)
        with lab.here.inside():
            server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("", 7))
        server.settimeout(0.4)
        cells = []
        for key, (_, source) in sources.items():
            lab.world.ip(f"address add {source}/32 dev lo")
            with lab.world.inside():
                client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            client.bind((source, 0))
            client.sendto(b"question", (f"{B}.10", 7))
            client.close()
            try:
                server.recv(100)
                cells.append("taken")
            except TimeoutError:
                cells.append("dropped")
            numbers[f"{key}_{mode}"] = int(cells[-1] == "taken")
        server.close()
        numbers[f"counted_{mode}"] = lab.here.counter("IPReversePathFilter")
        rows.append((str(mode), *cells, str(numbers[f"counted_{mode}"])))
    show(rows)
    return numbers


def source() -> Numbers:
    """The source of a packet whose socket is bound to no address. eth0 has 192.0.2.10 and .11 and 198.51.100.10."""
    numbers: Numbers = {}
    rows = [("route", "ip route get", "packet")]
    for key, route in (
        ("first", "default via 192.0.2.1"), ("near", "default via 198.51.100.1"),
        ("src", "default via 192.0.2.1 src 192.0.2.11"), ("dev", "default dev eth0"),
    ):  # fmt: skip
        lab = Lab(1)
        lab.here.ip("address add 192.0.2.11/24 dev eth0")
        lab.here.ip("address add 198.51.100.10/24 dev eth0")
        lab.world.ip("address add 198.51.100.1/24 dev far0")
        lab.world.ip(f"address add {FAR}/32 dev far0")
        lab.here.ip(f"route add {route}")
        named, sent = lab.get(FAR)[1], lab.send(FAR)[1]
        numbers[f"{key}_net1"] = int(sent == f"{B}.10")
        numbers[f"{key}_second"] = int(sent == f"{A}.11")
        numbers[f"{key}_agree"] = int(named == sent)
        rows.append((route, named, sent))
    show(rows)
    return numbers


def change() -> Numbers:
    """A better route comes up while a socket is connected, as when a VPN or a WLAN joins."""
    lab = Lab()
    lab.here.ip("route add default via 192.0.2.1 metric 600")
    out = lab.sender()
    out.connect((FAR, 9))
    rows = [("", "arrives by", "source")]
    out.send(b"first___")
    rows.append(("connected, one default route", *lab.heard(b"first___")))
    lab.here.ip("route add default via 198.51.100.1 metric 100")
    out.send(b"second__")
    moved = lab.heard(b"second__")
    rows.append(("the same socket, a better route has come", *moved))
    fresh = lab.send(FAR)
    rows.append(("a new socket", *fresh))
    lab = Lab()
    lab.here.ip("route add default via 192.0.2.1 metric 600")
    lab.world.ip(f"address add {FAR}/32 dev lo")
    with lab.world.inside():
        server = socket.create_server((FAR, 9))
    with lab.here.inside():
        client = socket.socket()
    client.connect((FAR, 9))
    lab.here.ip("route add default via 198.51.100.1 metric 100")
    client.send(b"over TCP")
    tcp = lab.heard(b"over TCP")
    rows.append(("TCP: connected before the better route", *tcp))
    client.close()
    server.close()
    show(rows)
    return {
        "moved": int(moved[0] == "eth1"), "old_source": int(moved[1] == f"{A}.10"),
        "tcp_moved": int(tcp == ("eth1", f"{A}.10")),
        "fresh_old_source": int(fresh[1] == f"{A}.10"),
    }  # fmt: skip


def paths() -> Numbers:
    """One default route with two next hops: how packets are shared out."""
    numbers: Numbers = {}
    rows = [("next hops", "packets", "eth0", "eth1")]
    lab = Lab()
    for key, weights in (("even", (1, 1)), ("three", (1, 3))):
        line = f"nexthop via 192.0.2.1 weight {weights[0]} nexthop via 198.51.100.1 weight {weights[1]}"
        lab.here.ip(f"route replace default {line}")
        many = Counter(lab.send(f"203.0.{i >> 8}.{i & 255}")[0] for i in range(1000))
        one = Counter(lab.send(FAR)[0] for _ in range(100))  # each from another port
        for name, seen in ((f"{key}_many", many), (f"{key}_one", one)):
            numbers[f"{name}_eth0"], numbers[f"{name}_eth1"] = seen["eth0"], seen["eth1"]
            numbers[f"{name}_most"] = max(seen.values())
            what = "1000, each to another address" if seen is many else "100, to one address, each from another port"
            rows.append((f"weights {weights[0]} and {weights[1]}", what, str(seen["eth0"]), str(seen["eth1"])))
    show(rows)
    return numbers


if __name__ == "__main__":
    what = {"filter": filtered}.get(sys.argv[1]) or globals()[sys.argv[1]]
    print(json.dumps(what()))
