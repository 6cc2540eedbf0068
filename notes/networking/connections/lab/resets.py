"""Which end of a connection the other side sees as a reset."""

from __future__ import annotations

import os
import socket
import time

from net import Net, Numbers, S, line, name_of, pair, show

LINGER_0 = b"\1\0\0\0\0\0\0\0"  # close() sends RST


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
