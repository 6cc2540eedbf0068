"""Look-ups by programs: caches, files read again, large answers, threads, sshd, strace."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from machine import CLIENT, FOLDER, LOCAL, ZONE, Numbers, Settings, must, row, servers
from server import GOOD, NO_TCP, OTHER, SILENT, SYN_LOST, TCP_SILENT, Names


def cache(names: Names) -> Numbers:
    """How often one name is asked, and which files a running process reads again."""
    numbers: Numbers = {}
    row("questions for 5 look-ups of one name", ("A + AAAA",), 58)

    def times(
        key: str, shown: str, settings: Settings, which: str, name: str, *options: str, pause: float = 0
    ) -> None:
        before = len(names.asked)
        program = settings.program(which, *options)
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
    times("dnsmasq_ttl1", "the same, TTL 1 s, one look-up in 1.5 s", through, "glibc", "masq.ttl1.web.test", pause=1.5)
    # Of A and AAAA at once one or both are asked: NXDOMAIN for the first may come before the second.
    times("dnsmasq_missing", "IPv4 alone, a name that does not exist", through, "glibc", "missing.corp.test", "-4")
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
