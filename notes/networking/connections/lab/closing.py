"""How TCP connections end, and what is left of them: each experiment counts.

    closing.py waits        who gets TIME-WAIT, how long, and when its port is used again
    closing.py restart      who may bind a port with connections left, or beside a listener
    closing.py leaks        a program that does not close, and one without free descriptors
    closing.py resets       which end of a connection the other side sees as a reset
    closing.py idle         a firewall between the two is full, or forgets a connection

Run each as root in a kernel of its own: bash own-kernel.sh python3 closing.py waits
All but the last line are for the reader; the last line is JSON.
"""

from __future__ import annotations

import json
import os
import resource
import select
import socket
import sys
import time
from pathlib import Path

from firewall import idle
from net import Host, Net, Numbers, S, line, name_of, pair, pending, state
from resets import resets


def waiting(host: Host, kind: str = "time-wait") -> int:
    return len(host.run("ss", "-Htn", "state", kind).splitlines())


def opened(
    net: Net, listener: socket.socket, n: int, *, first: str = "client", to: str = S
) -> tuple[int, str]:
    """Open n connections, each closed first by one end: how many, and the error."""
    for done in range(n):
        try:
            mine = net.client.connect((to, listener.getsockname()[1]))
        except OSError as error:
            return done, name_of(error.errno or 0)
        theirs = listener.accept()[0]
        ends = (mine, theirs) if first == "client" else (theirs, mine)
        for end in ends:
            end.close()
            time.sleep(0.02)
    return n, ""


def who_waits(net: Net) -> Numbers:
    """Which end gets TIME-WAIT, and how many seconds it has left at once."""
    client, server = net.client, net.server
    numbers: Numbers = {}
    for host in (client, server):
        host.set("ipv4/tcp_fin_timeout", 5)
    before = waiting(client), waiting(server)
    listener = server.listen(80, 20)
    print(f"{'closes first':<20}{'TIME-WAIT of client':>22}{'of server':>14}")
    for first in ("client", "server"):
        opened(net, listener, 3, first=first)
        after = waiting(client), waiting(server)
        numbers[f"{first}_client"], numbers[f"{first}_server"] = (
            a - b for a, b in zip(after, before, strict=True)
        )
        print(f"{first:<20}{numbers[f'{first}_client']:>22}{numbers[f'{first}_server']:>14}")
        before = after
    numbers["fin_timeout"] = int(server.get("ipv4/tcp_fin_timeout"))
    print("server$ ss -tno state time-wait sport = :80   # with tcp_fin_timeout=5")
    rows = server.run("ss", "-Htno", "state", "time-wait", "sport = :80").splitlines()
    print(*rows[:1], sep="\n")
    numbers["seconds_left"] = int(rows[0].split("timer:(timewait,")[1].split("sec")[0])
    listener.close()
    return numbers


def waits(net: Net) -> Numbers:
    """Connections with ten local ports, which are closed at once."""
    client, server = net.client, net.server
    numbers = who_waits(net)
    numbers["default_reuse"] = int(client.get("ipv4/tcp_tw_reuse"))
    numbers["recycle"] = int(Path("/proc/sys/net/ipv4/tcp_tw_recycle").exists())
    client.set("ipv4/ip_local_port_range", "40000 40009")
    listener = server.listen(81, 20)
    numbers["first_ten"], _ = opened(net, listener, 10)
    line("opened from ten ports, closed first by the client", numbers["first_ten"])
    time.sleep(2)
    recycled = client.counter("TcpExtTWRecycled")
    for reuse in (0, 2, 1):
        client.set("ipv4/tcp_tw_reuse", reuse)
        numbers[f"reuse_{reuse}"], error = opened(net, listener, 10)
        line(
            f"ten more, two seconds later, tcp_tw_reuse={reuse}",
            f"{numbers[f'reuse_{reuse}']} {error}",
        )
    numbers["recycled"] = client.counter("TcpExtTWRecycled") - recycled
    line("TcpExtTWRecycled", numbers["recycled"])
    client.set("ipv4/tcp_tw_reuse", 0)
    other = server.listen(82, 20)
    numbers["elsewhere"], _ = opened(net, other, 10)
    line("ten to another port of the server, with tcp_tw_reuse=0", numbers["elsewhere"])
    client.set("ipv4/tcp_tw_reuse", 1)
    client.set("ipv4/tcp_timestamps", 0)
    bare = server.listen(83, 20)
    opened(net, bare, 10)
    time.sleep(2)
    numbers["no_stamps"], error = opened(net, bare, 10)
    line("the same with tcp_tw_reuse=1 and tcp_timestamps=0", f"{numbers['no_stamps']} {error}")
    client.set("ipv4/tcp_timestamps", 1)
    client.set("ipv4/tcp_tw_reuse", 2)
    inner = client.listen(84, 20)
    opened(net, inner, 10, to="127.0.0.1")
    time.sleep(2)
    numbers["loopback"], _ = opened(net, inner, 10, to="127.0.0.1")
    line("the same over 127.0.0.1 with tcp_tw_reuse=2", numbers["loopback"])
    client.set("ipv4/tcp_tw_reuse", 0)
    third = server.listen(85, 20)
    opened(net, third, 10, first="server")
    numbers["server_again"], _ = opened(net, third, 10, first="server")
    line("the server closes ten first: ten more from the same ports", numbers["server_again"])
    return numbers


ADDRESS, PORT = socket.SO_REUSEADDR, socket.SO_REUSEPORT
NAMES = {ADDRESS: "SO_REUSEADDR", PORT: "SO_REUSEPORT"}
NOBODY = 65534


def server_socket(host: Host, port: int, *options: int, user: int = 0) -> tuple[socket.socket, str]:
    """Bind and listen, and say how that went."""
    with host.inside():
        os.seteuid(user)
        s = socket.socket()
        os.seteuid(0)
    try:
        for option in options:
            s.setsockopt(socket.SOL_SOCKET, option, 1)
        s.bind(("", port))
        s.listen(30)
    except OSError as error:
        return s, name_of(error.errno or 0)
    return s, "works"


def restart(net: Net) -> Numbers:
    """Who gets port 8080 of the server: after a server that has ended, and beside one that runs."""
    server = net.server
    numbers: Numbers = {}

    def attempt(key: str, what: str, *options: int, port: int = 8080, user: int = 0) -> None:
        s, how = server_socket(server, port, *options, user=user)
        s.close()
        numbers[key] = int(how == "works")
        with_what = " ".join(NAMES[o] for o in options) or "no option"
        print(f"{what:<44}{with_what:<16}{how}", flush=True)

    old, _ = server_socket(server, 8080)
    opened(net, old, 1, first="server")
    old.close()
    attempt("after_none", "after one that closed first")
    attempt("after_address", "after one that closed first", ADDRESS)
    numbers["listening"] = len(server.ss("-l", "sport = :8080"))
    numbers["left"] = waiting(server)
    old, _ = server_socket(server, 8079, ADDRESS)
    opened(net, old, 1, first="server")
    old.close()
    attempt("after_old", "the same, and it had SO_REUSEADDR", port=8079)
    attempt("after_both", "the same, and it had SO_REUSEADDR", ADDRESS, port=8079)
    old, _ = server_socket(server, 8081)
    mine, theirs = pair(net, old)
    old.close()
    attempt("open_none", "its connection is still open", port=8081)
    attempt("open_address", "its connection is still open", ADDRESS, port=8081)
    mine.close()
    theirs.close()
    old, _ = server_socket(server, 8082, ADDRESS)
    mine, theirs = pair(net, old)
    old.close()
    attempt("open_both", "the same, and it had SO_REUSEADDR", ADDRESS, port=8082)
    mine.close()
    theirs.close()
    for key, option in (("address", ADDRESS), ("port", PORT)):
        port = 8083 + option
        old, _ = server_socket(server, port, option)
        attempt(f"beside_{key}", f"beside one with {NAMES[option]}", option, port=port)
        if option == PORT:
            attempt("beside_mixed", "beside one with SO_REUSEPORT", ADDRESS, port=port)
            attempt(
                "beside_user",
                "beside another user's with SO_REUSEPORT",
                PORT,
                port=port,
                user=NOBODY,
            )
        old.close()

    far = net.client.listen(80, 5)
    with server.inside():
        taken = socket.socket()
        server.set("ipv4/ip_local_port_range", "40000 40001")
        taken.connect(("10.0.1.1", 80))
    number = taken.getsockname()[1]
    attempt("outgoing", "an outgoing connection has the number", ADDRESS, port=number)
    numbers["outgoing_listening"] = len(server.ss("-l", f"sport = :{number}"))
    for end in (taken, far):
        end.close()
    return numbers | migrates(net)


def migrates(net: Net) -> Numbers:
    """Two listeners share a port by SO_REUSEPORT, connections wait at both, and one closes."""
    client, server = net.client, net.server
    numbers: Numbers = {}
    server.set("ipv4/ip_local_port_range", "32768 60999")
    for migrate in (0, 1):
        server.set("ipv4/tcp_migrate_req", migrate)
        first, _ = server_socket(server, 9000 + migrate, PORT)
        second, _ = server_socket(server, 9000 + migrate, PORT)
        begun = [client.connect((S, 9000 + migrate)) for _ in range(20)]
        if not migrate:
            numbers["spread"] = int(
                all(0 < int(row.split()[1]) < 20 for row in server.ss("-l", "sport = :9000"))
            )
        first.close()
        time.sleep(0.1)
        numbers[f"migrate_{migrate}"] = sum(pending(s) == "ECONNRESET" for s in begun)
        numbers[f"migrate_{migrate}_left"] = int(
            server.ss("-l", f"sport = :{9000 + migrate}")[0].split()[1]
        )
        line(f"one of two listeners closes, tcp_migrate_req={migrate}: of 20 queued are reset",
             "some" if numbers[f"migrate_{migrate}"] else "none")  # fmt: skip
        for s in (*begun, second):
            s.close()
    return numbers


def leaks(net: Net) -> Numbers:
    """The server forgets to close; then it has no descriptor left for one more connection."""
    client, server = net.client, net.server
    numbers: Numbers = {}
    client.set("ipv4/tcp_fin_timeout", 3)
    listener = server.listen(80, 20)
    kept = [pair(net, listener) for _ in range(5)]
    half, other_half = pair(net, listener)
    half.shutdown(socket.SHUT_WR)  # the program still has the socket
    for mine, _ in kept:
        mine.close()
    print(f"{'seconds after the client closed five, and half-closed one':<60}{'0.1':<7}5")
    time.sleep(0.1)
    rows: dict[str, list[int]] = {}
    for wait in (0, 5):
        time.sleep(wait)
        for kind, host in (("fin-wait-2", client), ("close-wait", server)):
            rows.setdefault(kind, []).append(waiting(host, kind))
    for kind, where in (("fin-wait-2", "client"), ("close-wait", "server")):
        print(f"{where + ' in ' + kind.upper():<60}{rows[kind][0]:<7}{rows[kind][1]}")
        numbers[f"{where}_at_once"], numbers[f"{where}_later"] = rows[kind]
    _, theirs = kept[0]
    list(client.cable.segments())
    theirs.send(b"x")
    time.sleep(0.1)
    numbers["late_reset"] = client.cable.resets()
    line("the server sends on one of them: RSTs of the client", numbers["late_reset"])
    other_half.close()

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    begun = [client.begin((S, 80)) for _ in range(3)]
    time.sleep(0.1)
    poll = select.epoll()
    poll.register(listener, select.EPOLLIN)
    free = os.dup(0)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))  # no number is left
    errors = []
    for _ in range(1000):
        if poll.poll(10):
            try:
                listener.accept()
            except OSError as error:
                errors.append(name_of(error.errno or 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    numbers["spins"] = len(errors)
    numbers["emfile"] = errors.count("EMFILE")
    numbers["client_open"] = sum(state(s) == "ESTABLISHED" for s in begun)
    numbers["queued"] = int(server.ss("-l", "sport = :80")[0].split()[1])
    line("no descriptor left: of 1000 calls of epoll_wait return at once", numbers["spins"])
    line("accept then fails with EMFILE", numbers["emfile"])
    line("of 3 new connections are open to the client", numbers["client_open"])
    line("they wait in the queue", numbers["queued"])
    with theirs:
        pass
    numbers["after_close"] = int(bool(listener.accept()))
    line("after one close accept works", numbers["after_close"])
    return numbers


if __name__ == "__main__":
    experiments = {each.__name__: each for each in (waits, restart, leaks, resets, idle)}
    print(json.dumps(experiments[sys.argv[1]](Net())))
