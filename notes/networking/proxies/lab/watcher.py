"""A proxy on loopback that forwards nothing: it writes down how each connection begins.

One port serves all: the first bytes tell plain HTTP, SOCKS 4 and 5, and TLS apart. A GET is
answered by the proxy itself, a CONNECT is refused, or, with a certificate, answered in the place
of the server, as an intercepting proxy does.
"""

from __future__ import annotations

import base64
import contextlib
import socket
import ssl
import struct
import threading

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n"
LOGIN = (
    b"HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=lab\r\n"
    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
)
CONFUSED = b"HTTP/1.1 400 What\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
REFUSAL = b"HTTP/1.1 502 Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Watcher:
    """The proxy. ``seen`` has a line for each request: ``GET URL``, ``CONNECT host:port``, …"""

    def __init__(self, certificate: str = "", asks: bool = False) -> None:
        self._asks = asks
        self.seen: list[str] = []
        self.logins: list[str] = []
        self._tls: ssl.SSLContext | None = None
        if certificate:
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._tls.load_cert_chain(certificate)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, scheme: str = "http", user: str = "") -> str:
        """The address of this proxy, as one writes it into a variable."""
        return f"{scheme}://{user}127.0.0.1:{self.port}"

    def _accept(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(20)
        with connection, contextlib.suppress(OSError, ValueError):
            first = connection.recv(1, socket.MSG_PEEK)
            if first == b"\x05":
                self._socks5(connection)
            elif first == b"\x04":
                self._socks4(connection)
            elif first == b"\x16":
                self.seen.append("TLS")
                connection.sendall(CONFUSED)
                connection.recv(4096)
            elif first:
                self._http(connection)

    def _http(self, connection: socket.socket) -> None:
        head = until(connection, b"\r\n\r\n").decode("latin-1").split("\r\n")
        method, target = head[0].split(" ")[:2]
        self.seen.append(f"{method} {target}")
        for line in head[1:]:
            name, _, value = line.partition(":")
            if name.lower() == "proxy-authorization":
                self.logins.append(base64.b64decode(value.split()[-1]).decode())
        if self._asks and not self.logins:
            connection.sendall(LOGIN)
        elif method != "CONNECT":
            connection.sendall(ANSWER)
        elif self._tls is None:
            connection.sendall(REFUSAL)
        else:
            connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
            with self._tls.wrap_socket(connection, server_side=True) as inside:
                line = until(inside, b"\r\n\r\n").decode("latin-1").split("\r\n")[0]
                self.seen.append(f"inside {line}")
                inside.sendall(ANSWER)

    def _socks5(self, connection: socket.socket) -> None:
        count = exactly(connection, 2)[1]
        exactly(connection, count)
        connection.sendall(b"\x05\x00")
        kind = exactly(connection, 4)[3]
        if kind == 1:
            asked = "address " + socket.inet_ntoa(exactly(connection, 4))
        elif kind == 3:
            asked = "name " + exactly(connection, exactly(connection, 1)[0]).decode()
        else:
            asked = "address " + socket.inet_ntop(socket.AF_INET6, exactly(connection, 16))
        (port,) = struct.unpack(">H", exactly(connection, 2))
        self.seen.append(f"SOCKS5 {asked}:{port}")
        connection.sendall(b"\x05\x00\x00\x01" + bytes(6))
        self._beyond(connection)

    def _socks4(self, connection: socket.socket) -> None:
        port, address = struct.unpack(">2xH4s", exactly(connection, 8))
        until(connection, b"\0")
        asked = "address " + socket.inet_ntoa(address)
        if address[:3] == bytes(3) and address[3]:
            asked = "name " + until(connection, b"\0")[:-1].decode()
        self.seen.append(f"SOCKS4 {asked}:{port}")
        connection.sendall(b"\x00\x5a" + bytes(6))
        self._beyond(connection)

    def _beyond(self, connection: socket.socket) -> None:
        """Answer what comes through the SOCKS connection, if it is plain HTTP."""
        if connection.recv(1, socket.MSG_PEEK) == b"G":
            until(connection, b"\r\n\r\n")
            connection.sendall(ANSWER)


def exactly(connection: socket.socket, size: int) -> bytes:
    """Read that many bytes. Raises ValueError if the other side ends before."""
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise ValueError("ended early")
        data += more
    return data


def until(connection: socket.socket, end: bytes) -> bytes:
    """Read up to and with ``end``. Raises ValueError if the other side ends before."""
    data = b""
    while not data.endswith(end):
        data += exactly(connection, 1)
    return data
