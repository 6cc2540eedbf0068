"""Three hosts on one machine: network namespaces joined by pairs of virtual interfaces.

    laptop 10.1.0.2 ---- 10.1.0.1 server 10.2.0.1 ---- 10.2.0.2 db

The laptop has no route to 10.2.0.0/24, and only the server knows the name ``db``. Each host has
its own /etc/hosts, and all have a user ``ann``. It needs no root: ``enter`` starts the program
again in a user namespace, where it may make network namespaces.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

FOLDER = Path.cwd()
USER = f"ann:x:{os.getuid()}:{os.getgid()}::{FOLDER}:/bin/sh\n"
_LIBC = ctypes.CDLL(None, use_errno=True)
_NEWNET = 0x40000000  # CLONE_NEWNET of <sched.h>


def enter() -> None:
    """Start this program again in namespaces of its own, unless it is there already."""
    if os.environ.get("IN_NAMESPACES"):
        return
    os.environ["IN_NAMESPACES"] = "1"
    own = ["unshare", "--user", "--map-current-user", "--keep-caps", "--net", "--mount"]
    os.execvp(own[0], [*own, sys.executable, *sys.argv])


class Host:
    """One network namespace. Commands run in it by ``start``, sockets are made by ``inside``."""

    def __init__(self, name: str, names: str) -> None:
        self.name = name
        for file, text in (("hosts", f"127.0.0.1 localhost\n{names}"), ("passwd", USER)):
            (FOLDER / f"{file}.{name}").write_text(text)
        binds = " && ".join(
            f"mount --bind {FOLDER}/{file}.{name} /etc/{file}" for file in ("hosts", "passwd")
        )
        self._holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "sh", "-c",
             f"{binds} && ip link set lo up && echo up && exec sleep 120"],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._holder.stdout
        assert self._holder.stdout.readline() == "up\n", name
        self.pid = self._holder.pid
        self._net = os.open(f"/proc/{self.pid}/ns/net", os.O_RDONLY)

    def start(self, *command: str, errors: str | None = None, request: str = "") -> subprocess.Popen[str]:
        """Start a command on this host; ``errors`` is the file that gets what it complains of.

        It reads ``request`` and then waits for more, or without one finds nothing to read.
        """
        enter_host = ["nsenter", f"--target={self.pid}", "--net", "--mount", f"--wd={FOLDER}"]
        process = subprocess.Popen(
            [*enter_host, *command], stdin=subprocess.PIPE if request else subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=open(FOLDER / (errors or "err"), "w"), text=True,
        )  # fmt: skip
        if process.stdin:
            process.stdin.write(request)
            process.stdin.flush()
        return process

    def call(self, *command: str) -> str:
        """Run a command on this host to its end, and return what it printed."""
        return self.start(*command).communicate(timeout=30)[0]

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """Sockets that this thread makes meanwhile belong to this host."""
        before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        assert _LIBC.setns(self._net, _NEWNET) == 0
        try:
            yield
        finally:
            assert _LIBC.setns(before, _NEWNET) == 0
            os.close(before)

    def connect(self, address: str, port: int, seconds: float = 5) -> socket.socket:
        """A connection from this host."""
        with self.inside():
            return socket.create_connection((address, port), seconds)

    def listen(self, port: int, address: str = "0.0.0.0") -> socket.socket:
        """A socket that listens on this host."""
        with self.inside():
            return socket.create_server((address, port))

    def listening(self) -> list[tuple[str, str]]:
        """Process and address of each socket that listens, as ``ss -ltnp`` shows them."""
        found = []
        for line in self.call("ss", "-ltnpH").splitlines():
            address = line.split()[3]
            process = re.search(r'"([^"]+)"', line)
            found.append((process.group(1) if process else "?", address))
        return found

    def end(self) -> None:
        """End the host; its interfaces go with it."""
        self._holder.kill()
        self._holder.wait()


def serve(host: Host, port: int, answer: bool = True, address: str = "0.0.0.0") -> socket.socket:
    """Serve at a port of ``host``: say which address the client has, then give back what comes.

    With ``answer=False`` it says nothing and only reads.
    """
    listener = host.listen(port, address)

    def one(connection: socket.socket, peer: str) -> None:
        with connection, contextlib.suppress(OSError):
            if answer:
                connection.sendall(f"{host.name} sees {peer}\n".encode())
            while data := connection.recv(1 << 16):
                if answer:
                    connection.sendall(data)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, (peer, *_) = listener.accept()
                threading.Thread(target=one, args=(connection, peer), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener


class Network:
    """The three hosts, with keys for ssh."""

    def __init__(self) -> None:
        self.laptop = Host("laptop", "10.1.0.1 server\n")
        self.server = Host("server", "10.2.0.2 db\n")
        self.db = Host("db", "")
        for left, a, right, b in (
            (self.laptop, "10.1.0.2", self.server, "10.1.0.1"),
            (self.server, "10.2.0.1", self.db, "10.2.0.2"),
        ):
            names = f"to-{right.name}", f"to-{left.name}"
            run("ip", "link", "add", names[0], "type", "veth", "peer", "name", names[1])
            for host, name, address in ((left, names[0], a), (right, names[1], b)):
                run("ip", "link", "set", name, "netns", str(host.pid))
                host.call("ip", "address", "add", f"{address}/24", "dev", name)
                host.call("ip", "link", "set", name, "up")
        for key in ("user_key", "host_key"):
            if not (FOLDER / key).exists():
                run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(FOLDER / key))
        host_key = (FOLDER / "host_key.pub").read_text()
        (FOLDER / "known").write_text("".join(f"{n} {host_key}" for n in ("server", "db", "[server]:2200")))

    @contextlib.contextmanager
    def sshd(self, *options: str, host: Host | None = None, key: str = "") -> Iterator[None]:
        """A server for ssh at port 22, with more ``options``; ``key`` are words before the key."""
        host = host or self.server
        allowed = FOLDER / "allowed"
        allowed.write_text(f"{key} {(FOLDER / 'user_key.pub').read_text()}".lstrip())
        program = run("which", "sshd").strip()  # it starts itself again, by its full path
        settings = [f"HostKey={FOLDER}/host_key", f"AuthorizedKeysFile={allowed}", "PidFile=none",
                    "StrictModes=no", "UsePAM=no", *options]  # fmt: skip
        words = [word for setting in settings for word in ("-o", setting)]
        process = host.start(program, "-D", "-e", "-f", "/dev/null", *words, errors=f"sshd.{host.name}")
        wait_for(lambda: any(a.endswith(":22") for _, a in host.listening()), process)
        try:
            yield
        finally:
            stop(process)

    def ssh(
        self, *words: str, to: str = "server", errors: str = "ssh", request: str = ""
    ) -> subprocess.Popen[str]:
        """Start ssh on the laptop."""
        options = ["BatchMode=yes", f"UserKnownHostsFile={FOLDER}/known", f"IdentityFile={FOLDER}/user_key"]
        fixed = [word for option in options for word in ("-o", option)]
        return self.laptop.start("ssh", "-F", "none", *fixed, *words, to, errors=errors, request=request)

    @contextlib.contextmanager
    def tunnel(self, *words: str, to: str = "server") -> Iterator[subprocess.Popen[str]]:
        """A tunnel that stands: ``ssh -N`` with its options, once it has asked for its ports."""
        process = self.ssh("-v", "-N", *words, to=to)
        # ssh says "Entering interactive session" when its own listeners stand; for -R the server answers.
        done = "remote forward (success|failure)" if any(w.startswith("-R") for w in words) else "Entering interactive"
        wait_for(lambda: re.search(done, self.said()) is not None, process)
        try:
            yield process
        finally:
            stop(process)

    @staticmethod
    def said(file: str = "ssh") -> str:
        """What ssh or sshd complained of so far."""
        return (FOLDER / file).read_text()

    def complaints(self) -> list[str]:
        """What ssh said besides ``debug1:`` and who it is."""
        skipped = r"debug1:|Authenticated to|OpenSSH_|Bytes per|Transferred:|Killed by"
        lines = [line.strip() for line in self.said().splitlines()]
        return [line for line in lines if line and not re.match(skipped, line)]

    def end(self) -> None:
        """End the three hosts."""
        for host in (self.laptop, self.server, self.db):
            host.end()


def stop(process: subprocess.Popen[str]) -> None:
    """End a process. A signal that comes just before ssh waits is seen late, so try twice."""
    for end in (process.terminate, process.kill):
        end()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1)
            return


def run(*command: str) -> str:
    """Run a command to its end, and return what it printed."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def wait_for(
    condition: Callable[[], object], process: subprocess.Popen[str] | None = None, seconds: float = 20
) -> None:
    """Wait until the condition holds; fail if that takes long, or if the process ends before."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end or (process and process.poll() is not None):
            raise RuntimeError("ended or late: " + " ".join(map(str, process.args if process else [])))
        time.sleep(0.02)
