"""What tools show of a request that waits, and a web server that makes its clients wait.

    seen.py look    strace, tcpdump, nstat and ss on client.py
    seen.py web     Python's web server, whose answer is two writes, on a kept connection

Run as root in a kernel of its own: bash own-kernel.sh python3 seen.py look
The last line is JSON; the others are for the reader.
"""

from __future__ import annotations

import http.client
import http.server
import json
import os
import socket
import statistics
import struct
import subprocess
import sys
import time

from hosts import Host, pair
from small import (
    ANSWER,
    REQUESTS,
    TIMES,
    Counting,
    Numbers,
    Way,
    exactly,
    once,
    one,
    serving,
    two,
)


class Plain(http.server.BaseHTTPRequestHandler):
    """A page of two bytes: end_headers() writes the headers, then write() the body."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *rest: object) -> None:
        """Be quiet."""


class NoDelay(Plain):
    disable_nagle_algorithm = True


class Buffered(Plain):
    wbufsize = -1  # a buffer of the default size; the handler flushes it after each request


def web(a: Host, b: Host) -> Numbers:
    """Twenty GETs on one connection; http.client sets TCP_NODELAY itself."""
    numbers: Numbers = {}
    once(a, b, Way(one))  # ARP
    print(f"{'':<42}{'packets':>16}{'delayed ACKs':>14}")
    kinds = {"plain": ("http.server, HTTP/1.1", Plain),
             "nodelay": ("  disable_nagle_algorithm = True", NoDelay),
             "buffered": ("  wbufsize = -1", Buffered)}  # fmt: skip
    for key, (shown, handler) in kinds.items():
        runs = [get(a, b, handler) for _ in range(TIMES)]
        seen = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
        numbers |= {f"{key}_{name}": value for name, value in seen.items()}
        print(f"{shown:<42}{seen['sent']:>16}{seen['delayed']:>14}", flush=True)
    return numbers


def get(a: Host, b: Host, handler: type[Plain]) -> dict[str, float]:
    with b.inside():
        server = http.server.HTTPServer((b.address, 0), handler)
    child = os.fork()
    if not child:
        server.serve_forever()
    for requests in (1, REQUESTS):  # the first connection pays for the new process
        with a.inside():
            client = http.client.HTTPConnection(b.address, server.server_port)
            client.connect()
        before = a.counters()
        for _ in range(requests):
            client.request("GET", "/")
            client.getresponse().read()
        after = a.counters()
        if requests == 1:
            client.close()
    info = client.sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 232)
    client.close()
    os.kill(child, 9)
    os.waitpid(child, 0)
    server.server_close()
    return {
        "sent": struct.unpack_from("I", info, 152)[0],  # data_segs_in
        "delayed": after["TcpExtDelayedACKs"] - before["TcpExtDelayedACKs"],
    }


SHORT = r"ss -Htino | grep -oE 'ESTAB.*|(unacked|notsent):[0-9]+'"


def polls(a: Host, b: Host, way: Way, kind: str) -> list[str]:
    """What ss shows again and again while a client asks in a row."""
    states = []
    with serving(b, way), a.inside():
        running = subprocess.Popen([sys.executable, __file__, "asks", b.address, str(way.port), kind])
        while running.poll() is None:
            states.append(subprocess.run(SHORT, shell=True, capture_output=True, text=True, check=False).stdout)
    return [state for state in states if "ESTAB" in state]


def look(a: Host, b: Host) -> Numbers:
    """What strace, tcpdump, nstat and ss show of client.py."""
    port = 7000
    client = ["python3", "client.py", b.address, str(port)]
    once(a, b, Way(one))  # ARP
    with serving(b, Way(port=port)):
        with a.inside():
            dump = subprocess.Popen(
                ["tcpdump", "-Z", "root", "-ttt", "-lnq", "-i", "eth0", f"tcp port {port}"],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
            assert dump.stdout
            assert dump.stderr
            dump.stderr.readline()  # it listens
            time.sleep(0.2)
            trace = subprocess.run(
                ["strace", "-r", "-T", "-e", "trace=sendto,recvfrom", *client],
                stderr=subprocess.PIPE, text=True, check=True,
            )  # fmt: skip
        time.sleep(0.3)
        dump.terminate()
        print(f"A$ strace -r -T -e trace=sendto,recvfrom {' '.join(client)}\n{trace.stderr}", end="")
        print(f"A$ tcpdump -ttt -lnq -i eth0 tcp port {port}\n{dump.stdout.read()}", end="")
        counted = b.run("nstat -asz TcpExtDelayedACKs")
        print(f"B$ nstat -asz TcpExtDelayedACKs\n{counted}", end="")
    held = [state for state in polls(a, b, Way(port=port), "two") if "notsent" in state]
    busy = [state for state in polls(a, b, Way(port=port + 1, works=0.05), "one") if "notsent" in state]
    print(f"A$ {SHORT}\n{held[0]}", end="")
    print(f"looks with notsent while B works for 50 ms on requests of one write: {len(busy)}")
    return {"held": len(held), "busy": len(busy)}


def asks(address: str, port: str, kind: str) -> None:
    """A hundred requests in a row, each in one write or in two."""
    s = Counting(socket.AF_INET, socket.SOCK_STREAM)
    s.connect((address, int(port)))
    for _ in range(100):
        (two if kind == "two" else one)(s)
        exactly(s, len(ANSWER))


def main() -> None:
    if sys.argv[1] == "asks":
        asks(*sys.argv[2:])
        return
    with pair() as (a, b):
        print(json.dumps({"look": look, "web": web}[sys.argv[1]](a, b)))


if __name__ == "__main__":
    main()
