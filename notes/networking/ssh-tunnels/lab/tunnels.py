"""Who listens, who connects and what it costs: each part of the lab is one function.

tunnels.py who | address | dead | busy | limits | bytes | trips | window | silent
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import socket
import struct
import subprocess
import sys
import threading
import time
import zlib
from pathlib import Path

from hosts import FOLDER, Host, Network, enter, serve, stop, wait_for
from wire import Wire

Numbers = dict[str, float]
WELCOME = 4096


def first_line(connection: socket.socket) -> str:
    """What the service says first; "" if the connection ends before."""
    connection.settimeout(5)
    with contextlib.suppress(ConnectionError):
        data = b""
        while not data.endswith(b"\n") and (more := connection.recv(1)):
            data += more
        return data.decode().strip()
    return ""


def socks(connection: socket.socket, name: str, port: int) -> int:
    """Ask a SOCKS 5 proxy for a host by name; its answer is 0 for success, -1 if there is none."""
    connection.sendall(b"\5\1\0")
    assert connection.recv(2) == b"\5\0"
    connection.sendall(b"\5\1\0\3" + bytes([len(name)]) + name.encode() + struct.pack(">H", port))
    answer = connection.recv(10)
    return answer[1] if answer else -1


def shown(found: list[tuple[str, str]], port: int) -> str:
    """The addresses that listen at a port."""
    return " ".join(sorted(a for _, a in found if a.rsplit(":", 1)[1] == str(port))) or "-"


def who(net: Network) -> Numbers:
    """For each kind of tunnel: which process listens on which host, and whom the service sees."""
    numbers: Numbers = {}
    for host, port in ((net.db, 80), (net.server, 80), (net.laptop, 3000)):
        serve(host, port)
    try:
        net.laptop.connect("10.2.0.2", 80)
    except OSError as error:
        print(f"laptop to db, no tunnel: {error.strerror}\n")
    print(f"{'':<24}{'listens':<16}{'at':<30}the service says")
    cases = (
        ("local", "-L8080:db:80", net.laptop, 8080),
        ("local_localhost", "-L8080:localhost:80", net.laptop, 8080),
        ("remote", "-R9000:localhost:3000", net.server, 9000),
        ("dynamic", "-D1080", net.laptop, 1080),
        ("remote_dynamic", "-R1080", net.server, 1080),
    )
    with net.sshd():
        for key, option, user, port in cases:
            before = {h.name: set(h.listening()) for h in (net.laptop, net.server, net.db)}
            with net.tunnel(option):
                new = {
                    h.name: sorted(set(h.listening()) - before[h.name])
                    for h in (net.laptop, net.server, net.db)
                }
                connection = user.connect("127.0.0.1", port)
                if "dynamic" in key:
                    socks(connection, "db" if key == "dynamic" else "localhost", 80 if key == "dynamic" else 3000)
                said = first_line(connection)
            processes = {f"{p} on {h}" for h, found in new.items() for p, _ in found}
            at = " ".join(a for found in new.values() for _, a in found)
            print(f"{option[:2]} {option[2:]:<21}{' '.join(processes):<16}{at:<30}{said}")
            for host, found in new.items():
                numbers[f"{key}_{host}"] = int(bool(found))
            for name, address in (("server", "10.2.0.1"), ("laptop", "10.1.0.2"), ("loopback", "127.0.0.1")):
                numbers[f"{key}_from_{name}"] = int(said.endswith(f"sees {address}"))
        # -W: no port at all; ssh's own input and output are the connection.
        before = [h.listening() for h in (net.laptop, net.server)]
        process = net.ssh("-W", "db:80")
        assert process.stdout
        said = process.stdout.readline().strip()
        numbers["stdio_listeners"] = sum(len(h.listening()) for h in (net.laptop, net.server)) - sum(map(len, before))
        stop(process)
        print(f"{'-W db:80':<24}{'nobody':<16}{'-':<30}{said}")
    return numbers


def can(host: Host, address: str, port: int) -> int:
    """Whether a connection from ``host`` gets the service's line."""
    with contextlib.suppress(OSError):
        return int(bool(first_line(host.connect(address, port))))
    return 0


def address(net: Network) -> Numbers:
    """At which addresses the ports listen, and whether the next host gets in."""
    numbers: Numbers = {}
    serve(net.db, 80)
    serve(net.laptop, 3000)
    print(f"{'':<50}{'listens at':<30}next host")
    with net.sshd():
        for key, words in (
            ("plain", ["-L8080:db:80"]), ("star", ["-L*:8080:db:80"]), ("g", ["-g", "-L8080:db:80"]),
            ("one", ["-L10.1.0.2:8080:db:80"]),
        ):  # fmt: skip
            with net.tunnel(*words):
                at = shown(net.laptop.listening(), 8080)
                numbers[f"local_{key}"] = can(net.server, "10.1.0.2", 8080)
            label = " ".join(f"{w[:2]} {w[2:]}".strip() for w in words)
            print(f"{label:<50}{at:<30}{'yes' if numbers[f'local_{key}'] else 'no'}")
    for setting in ("no", "yes", "clientspecified"):
        with net.sshd(f"GatewayPorts={setting}"):
            for key, bind in (("plain", ""), ("star", "*:"), ("one", "10.2.0.1:"), ("localhost", "localhost:")):
                with net.tunnel(f"-R{bind}9000:localhost:3000"):
                    at = shown(net.server.listening(), 9000)
                    got = can(net.db, "10.2.0.1", 9000)
                    silent = int(not net.complaints())
                numbers[f"{setting}_{key}"] = got
                numbers[f"{setting}_{key}_silent"] = silent
                label = f"GatewayPorts {setting:<16}-R {bind}9000:…"
                print(f"{label:<50}{at:<30}{'yes' if got else 'no'}")
    return numbers


def attempt(net: Network, how: str, to: str, port: int) -> tuple[str, str, Numbers]:
    """Connect through a tunnel: what connect() says, what comes then, and both as numbers."""
    try:
        connection = net.laptop.connect("127.0.0.1", 1080 if how == "-D" else 8080)
    except OSError as error:
        return error.strerror, "-", {"accepted": 0, "reply": -1, "bytes": 0}
    numbers: Numbers = {"accepted": 1, "reply": -1}
    said = ""
    if how == "-D":
        numbers["reply"] = socks(connection, to, port)
        said = f"SOCKS answer {numbers['reply']}, " if numbers["reply"] >= 0 else "no SOCKS answer, "
    line = first_line(connection)
    numbers["bytes"] = len(line)
    return "accepted", said + (line or "end, no byte"), numbers


def dead(net: Network) -> Numbers:
    """A tunnel to a service that is not there: what the program sees, and what ssh says."""
    numbers: Numbers = {}
    serve(net.db, 80)
    try:
        net.server.connect("10.2.0.2", 81)
    except OSError as error:
        print(f"server to db:81, no tunnel: {error.strerror}\n")
        numbers["direct_accepted"] = 0
    for key, how, to, port, setting in (
        ("works", "-L", "db", 80, ""), ("refused", "-L", "db", 81, ""), ("socks", "-D", "db", 81, ""),
        ("name", "-L", "web.invalid", 80, ""), ("permit", "-L", "db", 80, "PermitOpen=localhost:80"),
        ("forbidden", "-L", "db", 80, "AllowTcpForwarding=no"),
    ):  # fmt: skip
        with net.sshd(*([setting] if setting else [])):
            option = "-D1080" if how == "-D" else f"-L8080:{to}:{port}"
            with net.tunnel(option):
                connected, then, found = attempt(net, how, to, port)
                if key != "works":
                    wait_for(net.complaints)
                numbers |= {f"{key}_{name}": value for name, value in found.items()}
                print(f"{how} {to}:{port}  {setting}".rstrip())
                print(f"  connect: {connected}; then: {then}")
                print(*(f"  ssh: {line}" for line in net.complaints()), sep="\n", end="\n" if net.complaints() else "")
    return numbers


def busy(net: Network) -> Numbers:
    """The port is taken: does ssh go on?"""
    numbers: Numbers = {}
    taken = [net.laptop.listen(8080, "127.0.0.1"), net.server.listen(9000, "127.0.0.1")]
    with net.sshd("AddressFamily=inet"):
        for key, option in (("local", "-L8080:db:80"), ("remote", "-R9000:localhost:3000")):
            for strict in ("no", "yes"):
                process = net.ssh("-4", "-N", "-o", f"ExitOnForwardFailure={strict}", option)
                wait_for(lambda: re.search("[Cc]ould not request|failed for listen", net.said()))
                with contextlib.suppress(Exception):
                    process.wait(2)
                status = process.poll()
                numbers[f"{key}_{strict}"] = int(status is None)
                numbers[f"{key}_{strict}_silent"] = int(not net.complaints())
                state = "runs on" if status is None else f"ended with status {status}"
                print(f"{option[:2]} {option[2:]}, ExitOnForwardFailure={strict}: {state}")
                print(*(f"  {line}" for line in net.complaints()), sep="\n")
                stop(process)
    for listener in taken:
        listener.close()
    return numbers


def serve_path(path: Path) -> None:
    """Serve at a Unix socket: say so to whoever connects."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()

    def accept() -> None:
        while True:
            connection, _ = listener.accept()
            with connection, contextlib.suppress(OSError):
                connection.sendall(b"the Unix socket\n")

    threading.Thread(target=accept, daemon=True).start()


def limits(net: Network) -> Numbers:
    """What a key may do that is restricted in authorized_keys."""
    numbers: Numbers = {}
    serve(net.db, 80)
    serve(net.laptop, 3000)
    serve(net.db, 5432)
    path = FOLDER / "service.sock"  # a Unix socket; the server's sshd reaches it by its path
    serve_path(path)
    opens = 'restrict,port-forwarding,permitopen="db:5432"'
    for key, words in (("free", ""), ("restricted", opens), ("listen", f'{opens},permitlisten="9001"')):
        with net.sshd(key=words):
            print(words or "(nothing before the key)")
            for name, option, host, port in (
                ("db_5432", "-L8080:db:5432", net.laptop, 8080), ("db_80", "-L8080:db:80", net.laptop, 8080),
                ("socket", f"-L8080:{path}", net.laptop, 8080), ("remote", "-R9000:localhost:3000", net.server, 9000),
            ):  # fmt: skip
                with net.tunnel(option):
                    numbers[f"{key}_{name}"] = can(host, "127.0.0.1", port)
                shown_option = option.replace(str(FOLDER), "")
                print(f"  {shown_option[:2]} {shown_option[2:]:<24}{'works' if numbers[f'{key}_{name}'] else 'refused'}")
    return numbers


def sent(host: Host, port: int = 22) -> int:
    """Bytes that the host's connection to a port has sent, without TCP's headers, by ``ss -ti``."""
    text = host.call("ss", "-tinH", "state", "established", f"( dport = :{port} )")
    found = re.search(r"\bbytes_sent:(\d+)", text)
    return int(found.group(1)) if found else 0


def bytes_(net: Network) -> Numbers:
    """Bytes on the wire for the bytes that a program sends through a tunnel."""
    numbers: Numbers = {}
    serve(net.db, 80)
    serve(net.db, 81, answer=False)
    words = random.Random(1)
    lines = (
        f"2026-11-29T12:{i // 60 % 60:02}:{i % 60:02} GET /item/{words.randrange(10**6)} 200 {words.randrange(5000)} us\n"
        for i in range(30_000)
    )
    text = "".join(lines).encode()[: 1 << 20]
    packed = zlib.compress(text, 6)
    contents = {"log": text, "zlib": packed, "random": words.randbytes(1 << 20)}
    with net.sshd():
        for mode in ("no", "yes"):
            with net.tunnel("-o", f"Compression={mode}", "-L8080:db:80", "-L8081:db:81"):
                connection = net.laptop.connect("127.0.0.1", 8080)
                first_line(connection)
                counts = []
                plain = sent(net.laptop, 8080)
                for _ in range(20):
                    time.sleep(0.05)
                    before = sent(net.laptop)
                    connection.sendall(b"x")
                    connection.recv(1)
                    time.sleep(0.05)
                    counts.append(sent(net.laptop) - before)
                numbers["byte_plain"] = (sent(net.laptop, 8080) - plain) / 20
                numbers[f"byte_{mode}"] = sorted(counts)[10]
                print(f"Compression={mode:<4}  1 byte typed{'':<18}{sorted(counts)[10]:>9} bytes sent")
                for key, content in contents.items():
                    connection = net.laptop.connect("127.0.0.1", 8081)
                    before = sent(net.laptop)
                    connection.sendall(content)
                    connection.shutdown(socket.SHUT_WR)
                    connection.recv(1)  # the service closes when it has read all
                    time.sleep(0.1)
                    count = sent(net.laptop) - before
                    numbers[f"{key}_{mode}"] = count / len(content)
                    print(f"Compression={mode:<4}  {len(content):>9} bytes, {key:<12}{count:>9} bytes sent  {count / len(content):.3f}")
    return numbers


def trips(net: Network) -> Numbers:
    """Round trips until a request is answered, on a wire that hands over what it has once per tick."""
    numbers: Numbers = {}
    serve(net.db, 80)
    serve(net.server, 80)

    def note(key: str, what: str, ticks: int) -> None:
        numbers[key] = ticks / 2
        print(f"{what:<58}{ticks / 2:>4g}")

    def ask(connection: socket.socket) -> None:
        connection.sendall(b"x\n")
        while b"x\n" not in connection.recv(WELCOME)[-2:]:
            pass

    def answer(process: subprocess.Popen[str]) -> None:
        """Wait until the service at the end of ``ssh -W`` gives the request back."""
        assert process.stdout
        line = ""
        while line != "x\n":
            line = process.stdout.readline()
            assert line, net.said()

    with net.sshd(), net.sshd(host=net.db):
        plain = Wire(net.laptop, 2280, ("10.1.0.1", 80))
        begin = plain.begin()
        ask(net.laptop.connect("127.0.0.1", 2280))
        note("plain", "a connection without ssh", plain.now() - begin)
        wire = Wire(net.laptop, 2200, ("10.1.0.1", 22))
        over = ["-o", "HostKeyAlias=server", "-p", "2200"]
        for key, what, options in (
            ("new", "ssh -W db:80, a new connection to the server", []),
            ("jump", "ssh -J server db, to a second ssh server, -W localhost:80", ["jump"]),
        ):
            begin = wire.begin()
            if options:
                inner = (
                    f"ssh -F none -o BatchMode=yes -o UserKnownHostsFile={FOLDER}/known "
                    f"-i {FOLDER}/user_key {' '.join(over)} -W %h:%p localhost"
                )
                process = net.ssh("-o", f"ProxyCommand={inner}", "-W", "localhost:80", to="db", request="x\n")
            else:
                process = net.ssh(*over, "-W", "db:80", to="localhost", request="x\n")
            answer(process)
            note(key, what, wire.now() - begin)
            stop(process)
        control = f"{FOLDER}/master"
        with net.tunnel(*over, "-M", "-S", control, "-L8080:db:80", "-D1080", to="localhost"):
            begin = wire.begin()
            ask(net.laptop.connect("127.0.0.1", 8080))
            note("local", "a connection through -L of a tunnel that stands", wire.now() - begin)
            begin = wire.begin()
            connection = net.laptop.connect("127.0.0.1", 1080)
            socks(connection, "db", 80)
            ask(connection)
            note("dynamic", "a connection through -D of a tunnel that stands", wire.now() - begin)
            begin = wire.begin()
            process = net.ssh(*over, "-S", control, "-W", "db:80", to="localhost", request="x\n")
            answer(process)
            note("shared", "ssh -W db:80 over a connection that stands (ControlPath)", wire.now() - begin)
            stop(process)
    return numbers


def window(net: Network) -> Numbers:
    """How much goes out before anything comes back: the wire's way back is shut."""
    numbers: Numbers = {}
    serve(net.db, 81, answer=False)
    with net.sshd():
        for count in (1, 2):
            wire = Wire(net.laptop, 2200 + count, ("10.1.0.1", 22), ticking=False)
            over = ["-o", "HostKeyAlias=server", "-p", str(2200 + count)]
            with net.tunnel(*over, "-L8080:db:81", to="localhost"):
                connections = [net.laptop.connect("127.0.0.1", 8080) for _ in range(count)]
                time.sleep(0.5)  # until the channels are open
                wire.shut("back")
                before = wire.forth
                for connection in connections:
                    threading.Thread(target=flood, args=(connection,), daemon=True).start()
                last = -1
                while wire.forth != last:
                    last = wire.forth
                    time.sleep(1)
                numbers[f"streams_{count}"] = (wire.forth - before) / (1 << 20)
                print(f"{count} connection{'s' * (count > 1)}: {wire.forth - before:,} bytes, then it waits")
    return numbers


def flood(connection: socket.socket) -> None:
    """Send until nobody takes it any more."""
    with contextlib.suppress(OSError):
        connection.settimeout(30)
        connection.sendall(bytes(16 << 20))


def silent(net: Network) -> Numbers:
    """A tunnel without traffic, and what each end notices when its wire is cut without a word."""
    numbers: Numbers = {}
    for client, server in ((0, 0), (1, 0), (1, 1)):
        key = f"{client}{server}"
        with net.sshd(f"ClientAliveInterval={server}"):
            port = 2200 + 10 * client + server
            taken = 9000 + 10 * client + server  # a port of its own: an earlier sshd may still hold its one
            wire = Wire(net.laptop, port, ("10.1.0.1", 22), ticking=False)
            words = ["-o", f"ServerAliveInterval={client}", "-o", "HostKeyAlias=server", "-p", str(port)]
            with net.tunnel(*words, "-L8080:db:80", f"-R{taken}:localhost:3000", to="localhost") as process:
                time.sleep(0.3)
                before = wire.forth
                time.sleep(5)
                numbers[f"idle_{key}"] = wire.forth - before
                print(f"ssh: ServerAliveInterval={client}; sshd: ClientAliveInterval={server}")
                print(f"  5 s without traffic: ssh sent {wire.forth - before} bytes")
                wire.shut("forth", "back")
                time.sleep(10)
                status = process.poll()
                numbers[f"runs_{key}"] = int(status is None)
                numbers[f"held_{key}"] = int(shown(net.server.listening(), taken) != "-")
                print(f"  10 s after the cut: ssh {'runs on' if status is None else f'ended with status {status}'}; "
                      f"port {taken} of the server {'still listens' if numbers[f'held_{key}'] else 'is free'}")  # fmt: skip
                print(*(f"  ssh says: {line}" for line in net.complaints()), sep="\n", end="\n" if net.complaints() else "")
    return numbers


if __name__ == "__main__":
    enter()
    network = Network()
    try:
        print(json.dumps({**globals(), "bytes": bytes_}[sys.argv[1]](network)))
    finally:
        network.end()
