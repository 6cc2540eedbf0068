"""What looking up a name asks of the network, for settings of one's own.

``unshare -rnm python3 names.py …`` starts in fresh network and mount namespaces: the files of /etc
and the name servers are the lab's, and nothing here can see or change the machine's own.
"""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from machine import (
    CLUSTER,
    HOSTS,
    PROGRAMS,
    ZONE,
    Numbers,
    Settings,
    look,
    machine,
    must,
    row,
    servers,
)
from programs import cache, large, pool, reload, sshd, trace
from server import FAILS, GOOD, NO_AAAA, NOBODY, ONCE, RACE, SILENT, SILENT2, SILENT3, Avahi, Names


def questions(names: Names) -> Numbers:
    """How many questions one name costs."""
    numbers: Numbers = {}
    cases = {
        "as_is": (3, 1, "www.web.test"),
        "enough": (3, 2, "www.web.test"),
        "cluster": (3, 5, "www.web.test"),
        "dot": (3, 5, "www.web.test."),
        "short": (3, 5, "db"),
        "dotted": (3, 5, "db.shop"),
        "dotted_1": (3, 1, "db.shop"),
        "missing": (3, 1, "www.missing.test"),
        "missing_alone": (0, 1, "www.missing.test"),
    }
    row("search domains, ndots; name", ("glibc", "musl", "Go"))
    for key, (domains, ndots, name) in cases.items():
        settings = Settings(servers(GOOD, options=f"ndots:{ndots}", more=CLUSTER if domains else ""))
        cells = []
        for which in ("glibc", "musl", "go"):
            before = len(names.asked)
            found = look(settings, which, name)[1]
            asked = len(names.asked) - before
            numbers |= {f"{which}_{key}": asked, f"{which}_{key}_found": len(found)}
            cells.append(f"{asked}{'' if found else ' none'}")
        row(f"{domains}, {ndots}; {name}", cells)
    settings = Settings(servers(GOOD, options="ndots:5", more=CLUSTER))
    for key, shown, which, options in (
        ("only4", "3, 5; www.web.test, IPv4 alone", "glibc", ("-4",)),
        ("cgo", "3, 5; www.web.test, netdns=cgo", "cgo", ()),
    ):
        before = len(names.asked)
        look(settings, which, "www.web.test", *options)
        numbers[key] = len(names.asked) - before
        row(shown, (numbers[key],) if which == "glibc" else ("", "", numbers[key]))
    before = len(names.asked)
    look(settings, "glibc", "www.web.test")
    print("glibc, 3, 5; www.web.test asks for")
    for question in names.asked[before:]:
        print(f"  {question.kind:<5}{question.name}")
    return numbers


def dead(names: Names) -> Numbers:
    """What a name server costs that does not answer. All cases at once: each waits for its own timers."""
    cases = {
        "good": ("good", servers(GOOD)),
        "silent_good": ("silent, good", servers(SILENT, GOOD)),
        "search": ("silent, good; 3 search domains, ndots:5", servers(SILENT, GOOD, options="ndots:5", more=CLUSTER)),
        "timeout": ("silent, good; timeout:1", servers(SILENT, GOOD, options="timeout:1")),
        "nobody": ("refuses, good", servers(NOBODY, GOOD)),
        "fails": ("SERVFAIL, good", servers(FAILS, GOOD)),
        "silent": ("silent", servers(SILENT)),
        "both": ("silent, silent", servers(SILENT, SILENT2)),
        "three": ("silent, silent, silent", servers(SILENT, SILENT2, SILENT3)),
        "short": ("silent, silent; timeout:1 attempts:1", servers(SILENT, SILENT2, options="timeout:1 attempts:1")),
    }
    jobs = [(key, which) for key in cases for which in ("glibc", "musl", "go")]

    def one(job: tuple[str, str]) -> tuple[float, list[str]]:
        key, which = job
        return look(Settings(cases[key][1]), which, f"{key.replace('_', '')}.{which}.web.test")

    with ThreadPoolExecutor(len(jobs) + 2) as pool:
        waiting = {key: pool.submit(waits, key, options)
                   for key, options in (("fixed", "timeout:1"), ("rotate", "timeout:1 rotate"))}  # fmt: skip
        results = dict(zip(jobs, pool.map(one, jobs), strict=True))
    numbers: Numbers = {}
    row("name servers", ("glibc", "musl", "Go"))
    for key, (shown, _) in cases.items():
        cells = []
        for which in ("glibc", "musl", "go"):
            seconds, found = results[key, which]
            numbers[f"{which}_{key}"] = seconds
            numbers[f"{which}_{key}_found"] = min(len(found), 1)
            numbers[f"{which}_{key}_asked"] = len(names.questions(f"{key.replace('_', '')}.{which}.web.test"))
            cells.append(f"{seconds:.0f} s" + ("" if found else " none"))
        row(shown, cells, 42, 10)
    for key, options in (("fixed", "timeout:1"), ("rotate", "timeout:1 rotate")):
        numbers[key] = waiting[key].result()
        print(f"glibc, silent, good; {options}: of 6 look-ups of one process wait {numbers[key]}")
    return numbers


def waits(key: str, options: str) -> int:
    """How many of six look-ups of one process wait for a timer of a second."""
    program = Settings(servers(SILENT, GOOD, options=options)).program("glibc")
    count = sum(program.look(f"{key}{n}.web.test")[0] > 0.9 for n in range(6))
    program.end()
    return count


def pair(names: Names) -> Numbers:
    """A and AAAA from one socket, on paths that lose one of the two."""
    paths = {
        "race": ("second of two at once is lost", RACE),
        "once": ("one answer for each port", ONCE),
        "aaaa": ("AAAA is not answered", NO_AAAA),
    }
    options = {"default": "", "single": "single-request", "reopen": "single-request-reopen", "no_aaaa": "no-aaaa"}
    jobs = [(path, option) for path in paths for option in options] + [(path, "musl") for path in paths]

    def one(job: tuple[str, str]) -> tuple[float, float, list[str]]:
        path, option = job
        settings = Settings(servers(paths[path][1], options=options.get(option, "")))
        program = settings.program("musl" if option == "musl" else "glibc")
        label = f"{path}{option.replace('_', '')}"
        (first, found), (second, _) = program.look(f"{label}1.web.test"), program.look(f"{label}2.web.test")
        program.end()
        return first, second, found

    with ThreadPoolExecutor(len(jobs)) as pool:
        results = dict(zip(jobs, pool.map(one, jobs), strict=True))
    numbers: Numbers = {}
    row("glibc with the option", ("-", "single-req.", "…-reopen", "no-aaaa", "musl"), 30, 14)
    for path, (shown, _) in paths.items():
        cells = []
        for option in (*options, "musl"):
            first, second, found = results[path, option]
            numbers |= {f"{path}_{option}": first, f"{path}_{option}_second": second}
            numbers[f"{path}_{option}_found"] = len(found)
            cells.append(f"{first:.0f}, {second:.0f} s" + ("" if found else " none"))
        row(shown, cells, 30, 14)
    numbers["ports_reopen"] = len({q.port for q in names.questions("oncereopen1.web.test")})
    numbers["ports_default"] = len({q.port for q in names.questions("racedefault1.web.test")[:2]})
    print("Each cell: first and second look-up of a process; none: the first found nothing.")
    print(f"ports of the two questions: by default {numbers['ports_default']}, "
          f"single-request-reopen {numbers['ports_reopen']}")  # fmt: skip
    return numbers


def tools(names: Names) -> Numbers:
    """Which program finds which name."""
    Path("/run/avahi-daemon").mkdir()
    corp = servers(GOOD, more="search corp.test\n")
    minimal = "files mdns4_minimal [NOTFOUND=return] dns"
    cases = (
        ("hosts", "printer.home", "in /etc/hosts", Settings(corp)),
        ("nodns", "web.corp.test", "in DNS, hosts: files", Settings(corp, "files")),
        ("dns", "web.corp.test", "in DNS, hosts: files dns", Settings(corp)),
        ("short", "web", "in DNS as web.corp.test", Settings(corp)),
        ("local", "nas.local", "in DNS, hosts: files dns", Settings(corp)),
        ("without", "nas.local", "the same, mdns4_minimal, no Avahi", Settings(corp, minimal)),
        ("minimal", "nas.local", "the same, Avahi runs", Settings(corp, minimal)),
    )
    commands = {
        "getent": ("getent", "ahosts"), "dig": ("dig", "+short"), "host": ("host",),
        "nslookup": ("nslookup",), "musl": ("musl",), "go": ("go",),
    }  # fmt: skip
    numbers: Numbers = {}
    row("", (*list(commands)[:5], "Go"), 48, 9)
    for key, name, shown, settings in cases:
        cells = []
        if key == "minimal":
            avahi = Avahi("/run/avahi-daemon/socket")
        for which, command in commands.items():
            before = len(names.asked)
            if which in PROGRAMS:
                found = bool(look(settings, which, name)[1])
            else:
                # each prints a found address in a way of its own, and none otherwise
                found = bool(re.search(r"198\.51\.100\.\d+", settings.run(*command, name)))
            numbers[f"{key}_{which}"] = int(found)
            numbers[f"{key}_{which}_asked"] = len(names.asked) - before
            cells.append(f"{'yes' if found else '-'} {len(names.asked) - before}")
        row(f"{name:<13} {shown}", cells, 48, 9)
    numbers["avahi"] = avahi.asked
    print("Each cell: found (yes) or not (-), and the questions that the name server got.")
    found = "198.51.100.10" in Settings(corp).run("dig", "+short", "+search", "web")
    numbers["dig_search"] = int(found)
    print(f"dig +search web: {'found' if found else '-'}")
    numbers |= own_name(names)
    return numbers


def own_name(names: Names) -> Numbers:
    """``hostname -f`` with and without a line of /etc/hosts."""
    numbers: Numbers = {}
    for key, hosts in (("own_missing", HOSTS), ("own_listed", f"{HOSTS}127.0.1.1 box.corp.test box\n")):
        before = len(names.asked)
        settings = Settings(servers(GOOD), hosts=hosts)
        said = settings.run("unshare", "--uts", "sh", "-c", "hostname box; hostname -f").strip()
        numbers[key] = len(names.asked) - before
        print(f"hostname -f, {'own name in /etc/hosts' if key == 'own_listed' else 'own name not there'}: "
              f"{numbers[key]} questions, {said}")  # fmt: skip
    return numbers


def order(names: Names) -> Numbers:
    """Which address comes first, and what is asked, by the addresses that the machine has."""
    numbers: Numbers = {}
    prefer4 = "precedence ::ffff:0:0/96 100\n"
    steps = (
        ("none", "IPv4 alone", "", ""),
        ("noroute", "and fe80:: address", "address add fe80::10/64 dev lo", ""),
        ("ula", "and fd00:: address, default route", "address add fd00::10/64 dev lo", ""),
        ("global", "and 2001:db8:: address", "address add 2001:db8:1::10/64 dev lo", ""),
        ("gai", "the same, gai.conf prefers IPv4", "", prefer4),
    )
    row("the machine has", ("getent", "glibc", "musl", "Go"), 38, 12)
    for key, shown, change, gai in steps:
        if change:
            must(f"ip -6 {change} nodad")
        if key == "ula":
            must("ip -6 route add default dev lo")
        settings = Settings(servers(GOOD), gai=gai)
        cells = []
        for which in ("getent", "glibc", "musl", "go"):
            name = f"{key}.{which}.web.test"
            if which == "getent":
                text = settings.run("getent", "ahosts", name)
                found = [line.split()[0] for line in text.splitlines()]
            else:
                found = look(settings, which, name)[1]
            first = "IPv6" if ":" in found[0] else "IPv4"
            kinds = {":" in address for address in found}
            numbers[f"{which}_{key}"] = 6 if first == "IPv6" else 4
            numbers[f"{which}_{key}_asked"] = len(names.questions(name))
            numbers[f"{which}_{key}_kinds"] = len(kinds)
            cells.append(f"{first}{'' if len(kinds) == 2 else ' alone'} {len(names.questions(name))}")
        row(shown, cells, 38, 12)
    print("Each cell: the first address of two (alone: of one), and the questions.")
    return numbers


def unreachable(_: Names) -> Numbers:
    """IPv6 comes first, and its packets get lost: who goes on with IPv4?"""
    must("ip link add out type veth peer name lost")
    must("ip link set out arp off up")  # no neighbour is asked for: what leaves here is lost
    must("ip link set lost up")
    must("ip -6 address add 2001:db8:1::10/64 dev out nodad")
    must("ip -6 route add default dev out")
    address = ZONE["*.web.test"][0]
    must(f"ip address add {address}/32 dev lo")
    listener = socket.create_server((address, 8000))
    threading.Thread(target=lambda: [listener.accept() for _ in range(9)], daemon=True).start()
    settings = Settings(servers(GOOD))
    first = settings.run("getent", "ahosts", "www.web.test").split()[0]
    print(f"first address: {first}")
    python = "import socket; socket.create_connection(('www.web.test', 8000))"
    curl = ("curl", "-s", "-m", "2", "-w", "%{time_connect}", "http://www.web.test:8000/")
    commands = {"curl": curl, "curl4": (*curl, "-4"), "curl6": (*curl, "-6"), "python": (sys.executable, "-c", python)}
    numbers: Numbers = {}
    for key, command in commands.items():
        start = time.monotonic()
        said = settings.run("timeout", "3", *command).strip()
        seconds = float(said) if key.startswith("curl") else time.monotonic() - start
        connected = seconds > 0 if key.startswith("curl") else seconds < 2.9
        numbers |= {key: seconds, f"{key}_connected": int(connected)}
        shown = {"curl": "curl", "curl4": "curl -4", "curl6": "curl -6", "python": "Python, create_connection"}[key]
        print(f"{shown:<28}{f'connected after {seconds:.1f} s' if connected else 'not connected within 2 s'}")
    return numbers


def main() -> None:
    every = (questions, dead, pair, tools, order, unreachable, cache, reload, large, pool, sshd, trace)
    experiments = {each.__name__: each for each in every}
    names = machine()
    print(json.dumps(experiments[sys.argv[1]](names)))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
