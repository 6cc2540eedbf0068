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

from net import Host, Net, load, must, name_of, pending, run, state

Numbers = dict[str, float]
S = "10.0.2.2"
LINGER_0 = b"\1\0\0\0\0\0\0\0"  # close() sends RST
USER_TIMEOUT = 18  # TCP_USER_TIMEOUT


def line(name: str, value: object) -> None:
    print(f"{name:<72}{value}".rstrip(), flush=True)


def show(prompt: str, host: Host, *words: str) -> None:
    print(f"{prompt}$ {' '.join(words)}\n{host.run(*words)}", flush=True)


def waiting(host: Host, kind: str = "time-wait") -> int:
    return len(host.run("ss", "-Htn", "state", kind).splitlines())


def pair(net: Net, listener: socket.socket, to: str = S) -> tuple[socket.socket, socket.socket]:
    """An open connection: the end of the client and that of the server."""
    mine = net.client.connect((to, listener.getsockname()[1]))
    return mine, listener.accept()[0]


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


def answer(call: object, *arguments: object) -> str:
    """What a call returns: the number of bytes, or the error."""
    try:
        got = call(*arguments)  # type: ignore[operator]
    except OSError as error:
        return name_of(error.errno or 0)
    return "end" if got == b"" else f"{got if isinstance(got, int) else len(got)} byte"


def close_all_read(theirs: socket.socket) -> None:
    theirs.recv(10)
    theirs.close()


def close_unread(theirs: socket.socket) -> None:
    theirs.close()


def linger(theirs: socket.socket) -> None:
    theirs.recv(10)
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_0)
    theirs.close()


def die(theirs: socket.socket) -> None:
    theirs.recv(10)
    die_unread(theirs)


def die_unread(theirs: socket.socket) -> None:
    child = os.fork()
    if not child:
        time.sleep(100)
    theirs.close()
    os.kill(child, 9)
    os.waitpid(child, 0)


def resets(net: Net) -> Numbers:
    """The server ends a connection; the client then reads, writes and writes again."""
    server = net.server
    numbers: Numbers = {}
    listener = server.listen(80, 20)

    counters = ("TcpExtTCPAbortOnClose", "TcpExtTCPAbortOnData")
    print(f"{'the server':<38}{'RSTs':>5}  {'read':<12}{'write':<12}write again")
    for key, what, end in (
        ("read", "has read all, and closes", close_all_read),
        ("killed", "has read all, and is killed", die),
        ("unread", "closes with a byte unread", close_unread),
        ("killed_unread", "is killed with a byte unread", die_unread),
        ("linger", "closes with SO_LINGER of 0 s", linger),
    ):
        before = [server.counter(name) for name in counters]
        mine, theirs = pair(net, listener)
        mine.send(b"x")
        time.sleep(0.05)
        list(server.cable.segments())
        end(theirs)
        time.sleep(0.05)
        sent = server.cable.resets()
        said = [answer(mine.recv, 10)]
        for _ in range(2):
            said.append(answer(mine.send, b"y"))
            time.sleep(0.05)
        print(f"{what:<38}{sent:>5}  " + "".join(f"{x:<12}" for x in said).rstrip(), flush=True)
        numbers[f"{key}_resets"] = sent
        numbers[f"{key}_on_close"], numbers[f"{key}_on_data"] = (
            server.counter(n) - b for n, b in zip(counters, before, strict=True)
        )
        numbers[f"{key}_epipe"] = int("EPIPE" in said)
        numbers[f"{key}_reset"] = int(said[0] == "ECONNRESET")
        mine.close()
    show("server", server, "nstat", "-asz", *counters)
    return numbers | others(net, listener)


def others(net: Net, listener: socket.socket) -> Numbers:
    """Connections that nobody accepted, a port without a listener, and a reply before a reset."""
    client, server = net.client, net.server
    numbers: Numbers = {}
    waiting_ones = [client.connect((S, 80)) for _ in range(3)]
    listener.close()
    time.sleep(0.05)
    numbers["queued"] = sum(answer(s.recv, 10) == "ECONNRESET" for s in waiting_ones)
    line("the listener closes: of 3 that were not accepted, reset", numbers["queued"])
    s = client.tcp()
    refused = name_of(s.connect_ex((S, 80)))
    numbers["refused"] = int(refused == "ECONNREFUSED")
    numbers["refused_late"] = int(refused == "ETIMEDOUT")
    line("nobody listens: connect fails with", refused)
    listener = server.listen(80, 20)
    mine, theirs = pair(net, listener)
    mine.send(b"request")
    time.sleep(0.05)
    theirs.send(b"reply")
    theirs.close()
    time.sleep(0.05)
    said = [answer(mine.recv, 10), answer(mine.recv, 10)]
    numbers["reply_then_reset"] = int(said == ["5 byte", "ECONNRESET"])
    line("a reply, then close with the request unread: two reads give", ", ".join(said))
    mine.close()
    numbers["late_data_reset"], numbers["late_data_on_data"] = late_data(net, listener)
    line(
        "a long reply, close, then more data: clients that read ECONNRESET",
        numbers["late_data_reset"],
    )
    line("and TCPAbortOnData rises by", numbers["late_data_on_data"])
    return numbers


def late_data(net: Net, listener: socket.socket) -> tuple[int, int]:
    """The server reads all and closes while the client has no room for the reply, and sends more."""
    mine = net.client.tcp()
    mine.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    mine.connect((S, 80))
    theirs = listener.accept()[0]
    mine.send(b"request")
    time.sleep(0.05)
    theirs.recv(100)
    theirs.setblocking(False)
    theirs.send(bytes(100_000))  # as much as fits: the rest, and the FIN, wait in the kernel
    before = net.server.counter("TcpExtTCPAbortOnData")
    theirs.close()
    mine.send(b"another request")
    time.sleep(0.05)
    said = ""
    while said not in ("end", "ECONNRESET"):
        said = answer(mine.recv, 100_000)
    return int(said == "ECONNRESET"), net.server.counter("TcpExtTCPAbortOnData") - before


FIREWALL = """
-P FORWARD DROP
-A FORWARD -m conntrack --ctstate ESTABLISHED -j ACCEPT
-A FORWARD -p tcp --syn -m conntrack --ctstate NEW -j ACCEPT
"""
TRACKING = "/proc/sys/net/netfilter/nf_conntrack_"


def firewall() -> None:
    """The router lets pass what belongs to a connection that it tracks, and SYNs."""
    load(
        "lib/crc-ccitt",
        "net/ipv6/ipv6",
        "net/ipv4/netfilter/nf_defrag_ipv4",
        "net/ipv6/netfilter/nf_defrag_ipv6",
    )
    load("net/netfilter/nf_conntrack", "net/netfilter/x_tables", "net/netfilter/xt_conntrack")
    load(
        "net/netfilter/xt_tcpudp",
        "net/ipv4/netfilter/ip_tables",
        "net/ipv4/netfilter/iptable_filter",
    )
    os.environ["XTABLES_LOCKFILE"] = "/dev/null"
    for rule in FIREWALL.strip().splitlines():
        must(f"iptables-legacy {rule}")


def keep_alive(s: socket.socket, idle: int, interval: int = 1, probes: int = 3) -> None:
    s.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("IDLE", idle), ("INTVL", interval), ("CNT", probes)):
        s.setsockopt(socket.IPPROTO_TCP, getattr(socket, f"TCP_KEEP{option}"), value)


def has(s: socket.socket) -> int:
    """Bytes that have come."""
    s.setblocking(False)
    try:
        return len(s.recv(100))
    except BlockingIOError:
        return 0


def idle(net: Net) -> Numbers:
    """The router's table of connections is full; then it forgets those idle for two seconds."""
    client, server = net.client, net.server
    numbers: Numbers = {}
    firewall()
    listener = server.listen(80, 40)
    most = Path(TRACKING + "max").read_text()
    Path(TRACKING + "max").write_text("20")
    begun = [client.begin((S, 80)) for _ in range(30)]
    time.sleep(0.3)
    for kind, wanted in (("open", "ESTABLISHED"), ("wait", "SYN_SENT")):
        numbers[f"full_{kind}"] = sum(state(s) == wanted for s in begun)
    numbers["full_overflows"] = server.counter("TcpExtListenOverflows")
    line("30 attempts through a table with nf_conntrack_max=20: open", numbers["full_open"])
    line("waiting in SYN-SENT", numbers["full_wait"])
    line("ListenOverflows of the server", numbers["full_overflows"])
    log = [
        text.split("] ", 1)[-1] for text in run("dmesg").stdout.splitlines() if "table full" in text
    ]
    print("router$ dmesg | grep full | head -n 1", *log[:1], sep="\n")
    numbers["full_logged"] = min(len(log), 1)
    Path(TRACKING + "max").write_text(most)
    for s in (*begun, listener):
        s.close()

    numbers["default_timeout"] = int(Path(TRACKING + "tcp_timeout_established").read_text())
    line("nf_conntrack_tcp_timeout_established without settings", numbers["default_timeout"])
    Path(TRACKING + "tcp_timeout_established").write_text("2")
    listener = server.listen(81, 20)
    names = ("plain", "reads", "user", "early", "late")
    ends = {name: pair(net, listener) for name in names}
    keep_alive(ends["early"][0], 1)
    keep_alive(ends["late"][0], 4)
    ends["user"][0].setsockopt(socket.IPPROTO_TCP, USER_TIMEOUT, 2000)
    time.sleep(3.5)
    for name in ("plain", "user", "early"):
        ends[name][0].send(b"x")
    time.sleep(1)
    for name in ("plain", "early"):
        numbers[name] = has(ends[name][1])
    line("after 3.5 s without a segment a byte arrives", numbers["plain"])
    line("the same with a keepalive each second", numbers["early"])
    mine, _ = pair(net, listener)
    numbers["new"] = int(state(mine) == "ESTABLISHED")
    line("a new connection to the same port opens", numbers["new"])
    numbers["server_thinks"] = int(state(ends["plain"][1]) == "ESTABLISHED")
    line("the server has the dead connection as", state(ends["plain"][1]))
    time.sleep(5)
    plain = ends["plain"][0].getsockname()[1]
    row = client.run("ss", "-Htno", f"sport = :{plain}").split()
    print("client$ ss -tno", " ".join(row), sep="\n")
    numbers["timer"] = int("timer:(on," in row[-1])
    for name in names:
        numbers[f"{name}_error"] = int((error := pending(ends[name][0])) == "ETIMEDOUT")
        what = {"plain": "has sent, no option", "reads": "only waits to read, no option",
                "user": "has sent, TCP_USER_TIMEOUT of 2 s", "early": "keepalive after 1 s",
                "late": "keepalive after 4 s"}[name]  # fmt: skip
        line(f"six seconds later: {what}", f"{state(ends[name][0])} {error}")

    return numbers


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](Net())))
