"""Which questions a scan of one's own network sends, and which hosts each way of asking finds.

    finding.py ask      what nmap -sn sends to one address, near and beyond a router, as root and without
    finding.py near     hosts on the same switch: who is found by which sweep of the /24, and its frames
    finding.py far      the same habits behind a router
    finding.py six      IPv6: one question to all nodes instead of a sweep
    finding.py proxy    a router that answers ARP for addresses which nobody has

Run each as root of a fresh network namespace: unshare -rn python3 finding.py ask
nmap runs with -n here, without DNS. All but the last line are for the reader; the last line is JSON.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter

from net import FAR, HABITS, NEAR, PROXY_ARP, Host, Net, kind, target

Numbers = dict[str, int]
V4, V6 = re.compile(r"\b\d+\.\d+\.\d+\.\d+\b"), re.compile(r"fe80::[0-9a-f:]+")


def up(output: str) -> set[str]:
    """The addresses that nmap reports as up."""
    return {V4.search(line)[0] for line in output.splitlines() if line.startswith("Nmap scan report")}


def words(counts: Counter[str]) -> str:
    return ", ".join(f"{n} {what}" for what, n in sorted(counts.items())) or "nothing"


def show(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    widths = [max(len(cell) for cell in column) for column in zip(head, *rows)]
    for row in (head, *rows):
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip())


def ask(net: Net) -> Numbers:
    """One address at a time. 99 is nobody's; the ARP request before packets to FAR asks for the router."""
    numbers: Numbers = {}
    for key, options, address in (
        ("near", "", f"{NEAR}.11"),
        ("near_pe", "-PE ", f"{NEAR}.12"),
        ("near_nobody", "", f"{NEAR}.99"),
        ("far", "", f"{FAR}.11"),
        ("far_nobody", "", f"{FAR}.99"),
        ("user", "--unprivileged ", f"{NEAR}.11"),
        ("user_closed", "--unprivileged ", f"{NEAR}.14"),
        ("user_nobody", "--unprivileged ", f"{NEAR}.99"),
        ("no_arp", "--disable-arp-ping ", f"{NEAR}.11"),
    ):
        net.quiet()
        found = address in up(net.scanner.run(f"nmap -n -sn {options}{address}"))
        counts = net.count()
        numbers[key] = counts.total()
        numbers[f"{key}_arp"] = counts["ARP request"]
        numbers[f"{key}_ip"] = counts.total() - counts["ARP request"]
        numbers[f"{key}_kinds"] = len(counts.keys() - {"ARP request"})
        numbers[f"{key}_up"] = int(found)
        print(f"nmap -sn {options}{address}: {'up' if found else 'down'}")
        for what, n in sorted(counts.items()):
            print(f"  {n} {what}")
    return numbers


def matrix(hosts: list[Host], found: dict[str, set[str]], v6: bool = False) -> None:
    """Which way of asking has found which host, by one of its addresses."""
    rows = []
    for host in hosts:
        names = {host.v4, host.v6, host.mac} - {""}
        cells = ["yes" if names & there else "-" for there in found.values()]
        rows.append((host.habit, (host.v6 if v6 else host.v4) or "-", *cells))
    show(("", "", *found), rows)


def near(net: Net) -> Numbers:
    """Sweeps of 192.0.2.0/24, of which the scanner itself has .10."""
    subnet, everybody = f"{NEAR}.0/24", f"{NEAR}.255"
    ways = {
        "nmap, root": f"nmap -n -sn {subnet}",
        "arp-scan": "arp-scan -q --localnet",
        "nmap, user": f"nmap -n -sn --unprivileged {subnet}",
        "fping": f"fping -a -q -g {subnet}",
        "ping -b": f"ping -c 1 -w 1 -b {everybody}",
    }
    found: dict[str, set[str]] = {}
    sent: dict[str, Counter[str]] = {}
    numbers: Numbers = {}
    for way, command in ways.items():
        key = re.sub("[^a-z]+", "_", way)
        net.quiet()
        output = net.scanner.run(command, may_fail=True)
        frames = net.sent()
        found[way] = up(output) if "nmap" in way else set(V4.findall(output)) - {everybody}
        sent[way] = Counter(kind(frame) for frame in frames)
        numbers[f"{key}_frames"] = len(frames)
        numbers[f"{key}_nobody"] = sum(target(frame) == f"{NEAR}.99" for frame in frames)
        if way == "nmap, user":  # what the kernel's table holds then: an address with a MAC has answered ARP
            found["ip neigh"] = {line.split()[0] for line in net.scanner.run("ip neigh").splitlines() if "lladdr" in line}
    for way, there in found.items():
        numbers[re.sub("[^a-z]+", "_", way)] = len(there & {f"{NEAR}.{11 + i}" for i in range(len(HABITS))})
    strange = {host.v4 for host in net.strange} - {""}
    numbers["strange"] = sum(len(there & strange) for there in found.values())
    # The table of the switch: the MACs from which a frame came within the last minutes.
    table = net.switch.run("bridge fdb show br near").splitlines()
    found["switch"] = {line.split()[0] for line in table if "permanent" not in line}
    numbers["switch_strange"] = sum(host.mac in found["switch"] for host in net.strange)
    numbers["switch_asleep"] = int(net.asleep.mac in found["switch"])
    matrix([net.router, *net.near, *net.strange], found)
    print("\nframes that the scanner sent")
    for way, counts in sent.items():
        print(f"  {way:<11} {counts.total():>5}: {words(counts)}")
    return numbers


def far(net: Net) -> Numbers:
    """Sweeps of 198.51.100.0/24 through the router, which has .1 there."""
    subnet = f"{FAR}.0/24"
    ways = {
        "nmap, root": f"nmap -n -sn {subnet}",
        "with -PS22": f"nmap -n -sn -PE -PS22,443 -PA80 -PP {subnet}",
        "nmap, user": f"nmap -n -sn --unprivileged {subnet}",
        "fping": f"fping -a -q -g {subnet}",
    }
    found: dict[str, set[str]] = {}
    lines = []
    numbers: Numbers = {}
    for way, command in ways.items():
        key = re.sub("[^a-zPS0-9]+", "_", way).lower()
        net.quiet()
        output = net.scanner.run(command, may_fail=True)
        found[way] = up(output) if "nmap" in command else set(V4.findall(output))
        frames = net.sent()
        asks = sum(kind(frame) == "ARP request" for frame in net.far_port.taken())
        numbers[key] = len(found[way] & {host.v4 for host in net.far})
        numbers[f"{key}_frames"] = len(frames)
        numbers[f"{key}_nobody"] = sum(target(frame) == f"{FAR}.99" for frame in frames)
        numbers[f"{key}_router_arp"] = asks
        lines.append((way, str(len(frames)), str(numbers[f"{key}_nobody"]), str(asks)))
    matrix(net.far, found)
    print()
    show(("", "frames of the scanner", "of them to .99", "ARP requests of the router"), lines)
    return numbers


def six(net: Net) -> Numbers:
    """One frame to ff02::1, all nodes of the link, and what comes back."""
    found: dict[str, set[str]] = {}
    numbers: Numbers = {}
    hosts = [net.router, *net.near, *net.strange]
    for way, key, command in (
        ("ping -c 1", "once", "ping -c 1 -w 2 ff02::1%eth0"),
        ("ping -c 2", "ping", "ping -c 2 -w 2 ff02::1%eth0"),
        ("MLD query", "mld", "nmap -n -6 -sn -e eth0 --script targets-ipv6-multicast-mld"
                             " --script-args targets-ipv6-multicast-mld.timeout=2s"),
        ("nmap -6 -sn ADDRESSES", "list", "nmap -n -6 -sn -e eth0 " + " ".join(host.v6 for host in hosts if host.v6)),
    ):  # fmt: skip
        net.quiet()
        output = net.scanner.run(command, may_fail=True)
        lines = [line for line in output.splitlines() if re.match(r"64 bytes|\|   IP|Nmap scan report", line)]
        found[way] = {V6.search(line)[0].rstrip(":") for line in lines} - {net.scanner.v6}
        counts = net.count()
        numbers[key] = len(found[way])
        numbers[f"{key}_frames"] = counts.total()
        numbers[f"{key}_no_ping"] = int(net.near[1].v6 in found[way])
        numbers[f"{key}_closed"] = int(net.near[3].v6 in found[way])
        numbers[f"{key}_strange"] = sum(host.v6 in found[way] for host in net.strange if host.v6)
        print(f"{way}: {words(counts)}")
    print()
    matrix(hosts, found, v6=True)
    return numbers


def proxy(net: Net) -> Numbers:
    """The router answers ARP for 192.0.2.16/28, since it has a route for it elsewhere; nobody is there."""
    numbers: Numbers = {}
    net.router.run("ip ntable change name arp_cache dev eth0 proxy_delay 0")
    net.router.run(f"ip route add {NEAR}.16/28 dev eth1")
    rows = []
    for setting in (0, 1):
        net.router.set("eth0", PROXY_ARP, setting)
        for key, options in (("arp", ""), ("ip", "--disable-arp-ping ")):
            net.quiet()
            output = net.scanner.run(f"nmap -n -sn {options}{NEAR}.0/27")
            found, same = up(output) - {net.scanner.v4}, output.lower().count(net.router.mac)
            numbers[f"{key}_{setting}"], numbers[f"{key}_same_{setting}"] = len(found), same
            rows.append((f"proxy_arp={setting}", f"nmap -sn {options}{NEAR}.0/27", str(len(found)), str(same)))
    show(("", "", "others up", "with the router's MAC"), rows)
    return numbers


if __name__ == "__main__":
    print("\n" + json.dumps(globals()[sys.argv[1]](Net())))
