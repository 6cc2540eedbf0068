"""What looking up a name asks of the network, for settings of one's own.

``unshare -rnm python3 names.py …`` starts in fresh network and mount namespaces: the files of /etc
and the name servers are the lab's, and nothing here can see or change the machine's own.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from server import (
    FAILS,
    GOOD,
    NO_AAAA,
    NO_TCP,
    NOBODY,
    ONCE,
    OTHER,
    RACE,
    SILENT,
    SILENT2,
    SILENT3,
    SYN_LOST,
    TCP_SILENT,
    UDP_ONLY,
    Avahi,
    Names,
)  # fmt: skip

Numbers = dict[str, float]
CLIENT, LOCAL = "192.0.2.100", "192.0.2.53"  # the machine itself, and a cache on it
FOLDER = Path(tempfile.mkdtemp())  # what this run writes
KEPT = ("alternatives", "group", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "passwd", "protocols", "services")
FILES = ("resolv.conf", "nsswitch.conf", "hosts", "gai.conf")  # those that a case chooses
PROGRAMS = {"glibc": ("./look",), "musl": ("./look-musl",), "go": ("./look-go",), "cgo": ("./look-go",)}
GO = {"go": "netdns=go", "cgo": "netdns=cgo"}
CLUSTER = "search shop.svc.cluster.local svc.cluster.local cluster.local\n"
ZONE = {
    "*.web.test": ["198.51.100.7", "2001:db8:7::7"],
    "*.four.test": ["198.51.100.8"],
    "*.big.test": [f"198.51.100.{n}" for n in range(60)],
    "*.huge.test": [f"198.51.100.{n}" for n in range(120)],
    "db.shop.svc.cluster.local": ["198.51.100.9"],
    "web.corp.test": ["198.51.100.10"],
    "nas.local": ["198.51.100.11"],
    "100.2.0.192.in-addr.arpa": ["client.web.test."],
}
HOSTS = "127.0.0.1 localhost\n198.51.100.99 printer.home\n"
_count = itertools.count()


def must(line: str) -> str:
    done = subprocess.run(line.split(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{line}: {done.stderr.strip()}")
    return done.stdout


def machine() -> Names:
    """Addresses, routes, an /etc of the lab's own, and the name servers."""
    must("ip link set lo up")
    for address in (GOOD, OTHER, SILENT, SILENT2, SILENT3, NOBODY, FAILS, RACE, ONCE, NO_AAAA, *UDP_ONLY):
        must(f"ip address add {address}/32 dev lo")
    for address in (CLIENT, LOCAL):
        must(f"ip address add {address}/32 dev lo")
    must(f"ip route add default dev lo src {CLIENT}")
    own_root()
    return Names(ZONE)


def own_root() -> None:
    """Go to a root folder with the same files, but with an /etc and a /run of the lab's own."""
    root = FOLDER / "root"
    root.mkdir()
    must(f"mount -t tmpfs tmpfs {root}")
    for path in Path("/").iterdir():
        if path.is_symlink():
            (root / path.name).symlink_to(path.readlink())
        elif path.is_dir() and path.name not in ("etc", "run"):
            (root / path.name).mkdir()
            must(f"mount --rbind {path} {root / path.name}")
    (root / "run").mkdir()
    (root / "etc").mkdir()
    for name in KEPT:
        path = Path("/etc", name)
        if path.is_dir():
            shutil.copytree(path, root / "etc" / name, symlinks=True)
        elif path.exists():
            shutil.copy(path, root / "etc")
    for name in FILES:
        (root / "etc" / name).touch()
    here = Path.cwd()
    os.chroot(root)
    os.chdir(here)


class Settings:
    """The four files that decide how names are looked up, for the programs started with them."""

    def __init__(self, resolv: str, switch: str = "files dns", hosts: str = HOSTS, gai: str = "") -> None:
        self.folder = FOLDER / f"etc.{next(_count)}"
        self.folder.mkdir()
        self.resolv = self.folder / "resolv.conf"
        self.resolv.write_text(resolv)
        (self.folder / "nsswitch.conf").write_text(f"hosts: {switch}\n")
        (self.folder / "hosts").write_text(hosts)
        (self.folder / "gai.conf").write_text(gai)

    def start(self, *command: str, **environment: str) -> subprocess.Popen[str]:
        binds = " && ".join(f"mount --bind {self.folder}/{name} /etc/{name}" for name in FILES)
        return subprocess.Popen(
            ["unshare", "-m", "sh", "-c", f'{binds} && exec "$@"', "sh", *command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, **environment},
        )  # fmt: skip

    def run(self, *command: str, **environment: str) -> str:
        return self.start(*command, **environment).communicate()[0]

    def program(self, which: str, *options: str) -> Program:
        environment = {"GODEBUG": GO[which]} if which in GO else {}
        return Program(self.start(*PROGRAMS[which], *options, **environment))


class Program:
    """A process that looks up one name after another."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def look(self, name: str) -> tuple[float, list[str]]:
        """Seconds and addresses."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{name}\n")
        self.process.stdin.flush()
        seconds, *found = self.process.stdout.readline().split()
        return float(seconds), found

    def end(self) -> None:
        self.process.communicate()


def look(settings: Settings, which: str, name: str, *options: str) -> tuple[float, list[str]]:
    """One name, in a process of its own."""
    program = settings.program(which, *options)
    result = program.look(name)
    program.end()
    return result


def servers(*addresses: str, options: str = "", more: str = "") -> str:
    text = "".join(f"nameserver {address}\n" for address in addresses) + more
    return f"{text}options {options}\n" if options else text


def row(label: str, cells: Sequence[object], first: int = 40, width: int = 9) -> None:
    print(f"{label:<{first}}" + "".join(f"{cell!s:>{width}}" for cell in cells), flush=True)


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


def cache(names: Names) -> Numbers:
    """How often one name is asked, and which files a running process reads again."""
    numbers: Numbers = {}
    row("questions for 5 look-ups of one name", ("A + AAAA",), 58)

    def times(key: str, shown: str, settings: Settings, which: str, name: str, pause: float = 0) -> None:
        before = len(names.asked)
        program = settings.program(which)
        for _ in range(5):
            program.look(name)
            time.sleep(pause)
        program.end()
        numbers[key] = len(names.asked) - before
        row(shown, (numbers[key],), 58)

    direct = Settings(servers(GOOD))
    for which in ("glibc", "musl", "go"):
        times(which, f"{'Go' if which == 'go' else which}, one process", direct, which, f"{which}.web.test")
    dnsmasq = subprocess.Popen(
        ["dnsmasq", "--no-daemon", "--conf-file=/dev/null", "--no-resolv", f"--server={GOOD}",
         f"--listen-address={LOCAL}", "--bind-interfaces", "--no-hosts"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    through = Settings(servers(LOCAL))
    wait_for(LOCAL)
    times("dnsmasq", "glibc, through dnsmasq", through, "glibc", "masq.web.test")
    times("dnsmasq_ttl0", "the same, TTL 0", through, "glibc", "masq.ttl0.web.test")
    times("dnsmasq_ttl1", "the same, TTL 1 s, one look-up in 1.5 s", through, "glibc", "masq.ttl1.web.test", 1.5)
    times("dnsmasq_missing", "the same, a name that does not exist", through, "glibc", "missing.corp.test")
    dnsmasq.terminate()
    dnsmasq.communicate()
    return numbers


def wait_for(server: str, port: int = 53) -> None:
    """Until something listens there."""
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex((server, port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit(f"nothing listens at {server}")


def reload(names: Names) -> Numbers:
    """A running process looks up a name before and after its files change."""
    numbers: Numbers = {}
    cases = (("glibc", "glibc", ""), ("no_reload", "glibc", "no-reload"), ("musl", "musl", ""), ("go", "go", ""))

    def one(case: tuple[str, str, str]) -> list[bool]:
        key, which, options = case
        settings = Settings(servers(GOOD, options=options))
        program = settings.program(which)
        program.look(f"{key}.first.web.test")
        settings.resolv.write_text(servers(OTHER, options=options))
        new = []
        for moment in ("now", "later"):
            name = f"{key}.{moment}.web.test"
            if moment == "later":
                time.sleep(6)
            program.look(name)
            new.append({q.server for q in names.questions(name)} == {OTHER})
        program.end()
        return new

    with ThreadPoolExecutor(len(cases)) as pool:
        results = list(pool.map(one, cases))
    row("server asked after resolv.conf names another one", ("at once", "6 s later"), 52, 12)
    for (key, which, options), (now, later) in zip(cases, results, strict=True):
        numbers |= {f"{key}_now": int(now), f"{key}_later": int(later)}
        label = ("Go" if which == "go" else which) + (f", {options}" if options else "")
        row(label, ["new" if new else "old" for new in (now, later)], 52, 12)
    settings = Settings(servers(GOOD), "files")
    program = settings.program("glibc")
    numbers["switch_before"] = len(program.look("switch.web.test")[1])
    (settings.folder / "nsswitch.conf").write_text("hosts: files dns\n")
    numbers["switch_after"] = min(len(program.look("switch.web.test")[1]), 1)
    program.end()
    print(f"glibc, nsswitch.conf gets \"dns\": found before {numbers['switch_before']}, "
          f"after {numbers['switch_after']}")  # fmt: skip
    return numbers


HANGS = 8  # seconds after which a look-up counts as one that does not end


def large(names: Names) -> Numbers:
    """Answers that do not fit into a datagram of 512 bytes, over paths with and without TCP."""
    paths = {
        "tcp": ("TCP works", GOOD), "no_tcp": ("TCP is refused", NO_TCP),
        "lost": ("SYN is lost", SYN_LOST), "silent": ("TCP accepted, no answer", TCP_SILENT),
    }  # fmt: skip
    programs = {"glibc": ("glibc", ""), "edns0": ("glibc", " edns0"), "musl": ("musl", ""), "go": ("go", "")}
    jobs = list(itertools.product(("big", "huge"), paths, programs))

    def one(job: tuple[str, str, str]) -> tuple[float, int] | None:
        size, path, key = job
        which, more = programs[key]
        settings = Settings(servers(paths[path][1], options=f"timeout:1 attempts:1{more}"))
        program = settings.program(which, "-4")
        watch = threading.Timer(HANGS, program.process.kill)
        watch.start()
        try:
            seconds, found = program.look(f"{path.replace('_', '')}.{key}.{size}.test")
        except ValueError:  # it was killed and printed nothing
            return None
        finally:
            watch.cancel()
            program.end()
        return seconds, len(found)

    with ThreadPoolExecutor(len(jobs)) as pool:
        results = dict(zip(jobs, pool.map(one, jobs), strict=True))
    numbers: Numbers = {}
    for size in ("big", "huge"):
        row(f"{len(ZONE[f'*.{size}.test'])} addresses", ("glibc", "with edns0", "musl", "Go"), 26, 12)
        for path, (shown, _) in paths.items():
            cells = []
            for key in programs:
                result = results[size, path, key]
                numbers[f"{size}_{path}_{key}_hangs"] = int(result is None)
                numbers[f"{size}_{path}_{key}"] = result[1] if result else 0
                cells.append("hangs" if result is None else result[1])
            row(shown, cells, 26, 12)
    numbers["glibc_opt"] = sum(q.edns for q in names.questions("tcp.glibc.big.test"))
    numbers["go_opt"] = sum(q.edns for q in names.questions("tcp.go.big.test"))
    print(f"Each cell: addresses found; hangs: no end after {HANGS} s, with timeout:1 attempts:1.")
    print(f"questions with EDNS: glibc {numbers['glibc_opt']}, Go {numbers['go_opt']}")
    return numbers


def pool(names: Names) -> Numbers:
    """How many of eight look-ups, begun at once, have asked half a second later."""
    numbers: Numbers = {}
    settings = Settings(servers(SILENT, options="timeout:1 attempts:1"))
    script = "lookups.js"
    for key, shown, size in (("node", "Node, dns.lookup", ""), ("node16", "the same, UV_THREADPOOL_SIZE=16", "16")):
        start = settings.start("node", str(script), key, **({"UV_THREADPOOL_SIZE": size} if size else {}))
        said = json.loads(start.communicate()[0].splitlines()[-1])
        numbers[key] = early(names, key)
        numbers[f"{key}_file_first"] = int(said["file"] < said["name"])
        print(f"{shown:<36}{numbers[key]:>4}   file read before the first name: {numbers[f'{key}_file_first']}")
    start = settings.start("./look-go", "at-once", GODEBUG="netdns=go")
    start.communicate("".join(f"go{n}.web.test\n" for n in range(8)))
    numbers["go"] = early(names, "go")
    print(f"{'Go':<36}{numbers['go']:>4}")
    return numbers


def early(names: Names, key: str) -> int:
    """How many names ``key0…``, ``key1…`` were asked for within half a second of the first."""
    asked = [q for n in range(8) for q in names.questions(f"{key}{n}.web.test")]
    first = min(q.at for q in asked)
    return len({q.name for q in asked if q.at < first + 0.5})


def sshd(names: Names) -> Numbers:
    """What a server of ssh asks about who logs in."""
    numbers: Numbers = {}
    with Path("/etc/passwd").open("w") as passwd:
        passwd.write(f"ann:x:{os.getuid()}:{os.getgid()}::{FOLDER}:/bin/sh\nsshd:x:990:990::/:/bin/false\n")
    for key in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{FOLDER}/{key}"], check=True)
    server = shutil.which("sshd") or "/usr/sbin/sshd"
    cases = (("no", GOOD, 2201), ("yes", GOOD, 2202), ("no", SILENT, 2203), ("yes", SILENT, 2204))
    for use, address, port in cases:
        daemon = Settings(servers(address)).start(
            server, "-D", "-e", "-f", "/dev/null", "-h", f"{FOLDER}/host", "-p", str(port), "-o", f"UseDNS={use}",
            "-o", f"AuthorizedKeysFile={FOLDER}/user.pub", "-o", "StrictModes=no", "-o", "UsePAM=no",
            "-o", "PidFile=none",
        )  # fmt: skip
        wait_for(CLIENT, port)
        before, start = len(names.asked), time.monotonic()
        done = subprocess.run(
            ["ssh", "-F", "/dev/null", "-i", f"{FOLDER}/user", "-p", str(port), "-o", "StrictHostKeyChecking=no",
             "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", f"ann@{CLIENT}", "echo in"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        seconds = time.monotonic() - start
        asked = names.asked[before:]
        key = f"{use}_{'good' if address == GOOD else 'silent'}"
        numbers |= {key: len(asked), f"{key}_s": seconds, f"{key}_in": int(done.stdout.strip() == "in")}
        kinds = " ".join(q.kind for q in asked) or "-"
        waits = "10 s or more" if seconds > 9.9 else "less than 5 s" if seconds < 5 else f"{seconds:.0f} s"
        print(f"UseDNS {use:<4} name server {'good' if address == GOOD else 'silent':<7} {waits:<14} {kinds}")
        if not numbers[f"{key}_in"]:
            print(done.stderr)
        daemon.terminate()
        daemon.communicate()
    return numbers


def trace(names: Names) -> Numbers:
    """What strace shows of a look-up whose first server is silent."""
    must("ip -6 address add 2001:db8:1::10/64 dev lo nodad")
    must("ip -6 route add default dev lo")
    command = "strace -f -e trace=connect,sendmmsg,poll getent ahosts www.web.test"
    numbers: Numbers = {}
    for key, addresses in (("good", [GOOD]), ("silent", [SILENT, GOOD])):
        text = Settings(servers(*addresses)).run(*command.split())
        numbers[key] = len(re.findall(r"5000\)\s+= 0 \(Timeout\)", text))
    print(f"$ {command}")
    for line in text.splitlines():
        if "AF_UNIX" not in line:  # nscd
            print(line[:100] + ("…" if len(line) > 100 else ""))
    return numbers


def main() -> None:
    every = (questions, dead, pair, tools, order, unreachable, cache, reload, large, pool, sshd, trace)
    experiments = {each.__name__: each for each in every}
    names = machine()
    print(json.dumps(experiments[sys.argv[1]](names)))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
