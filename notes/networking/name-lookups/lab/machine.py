"""The machine of the lab: its /etc, its addresses, and programs that look up names on it."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from server import (
    FAILS,
    GOOD,
    NO_AAAA,
    NOBODY,
    ONCE,
    OTHER,
    RACE,
    SILENT,
    SILENT2,
    SILENT3,
    UDP_ONLY,
    Names,
)

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
