"""A wire between ssh and sshd that counts bytes, and can hand them over by the clock.

It listens on the laptop and passes everything on. A ticking wire keeps what arrives during a tick
and hands it over when the tick ends, in both directions. So one tick is half a round trip, however
slow the machine computes within it. A wire that is shut still takes what is sent and acknowledges it,
since it is the other end of that TCP connection: only ssh and sshd themselves can notice. TCP's own handshake takes no tick here except the half round
trip after which the other end knows of the connection: add one round trip for it.
"""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time

from hosts import Host

TICK = 0.4  # seconds; long against what ssh and sshd compute between two messages


class Wire:
    """From a port of ``host`` on loopback to ``target``."""

    def __init__(self, host: Host, port: int, target: tuple[str, int], ticking: bool = True) -> None:
        self._host, self._target, self._ticking = host, target, ticking
        self._begun = self._last = time.monotonic()
        self.forth = 0  # bytes from ssh to sshd
        self._shut: set[str] = set()
        self._listener = host.listen(port, "127.0.0.1")
        threading.Thread(target=self._accept, daemon=True).start()

    def now(self) -> int:
        """The number of the tick that is going on."""
        return int((time.monotonic() - self._begun) / TICK)

    def begin(self) -> int:
        """Wait until nothing was on the wire for three ticks and one begins; return its number."""
        while time.monotonic() - self._last < 3 * TICK:
            time.sleep(TICK / 10)
        self._wait()
        return self.now()

    def shut(self, *ways: str) -> None:
        """From now on lose what goes ``forth``, from ssh to sshd, or ``back``."""
        self._shut.update(ways)

    def _wait(self) -> None:
        """Sleep until the tick ends."""
        time.sleep(max(0.0, self._begun + (self.now() + 1) * TICK - time.monotonic()))

    def _rest(self, source: socket.socket) -> bytes:
        """What else comes until the tick ends, and nothing that comes later."""
        data = b""
        end = self._begun + (self.now() + 1) * TICK
        while (left := end - time.monotonic()) > 0:
            if select.select([source], [], [], left)[0] and time.monotonic() < end:
                more = source.recv(1 << 20)
                data += more
                if not more:
                    self._wait()
                    break
        return data

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                threading.Thread(target=self._dial, args=(near,), daemon=True).start()

    def _dial(self, near: socket.socket) -> None:
        if self._ticking:
            self._wait()
        far = self._host.connect(*self._target)
        far.settimeout(None)
        if self._ticking:
            with contextlib.suppress(BlockingIOError):  # what ssh sent as soon as it was connected
                first = near.recv(1 << 20, socket.MSG_DONTWAIT)
                self.forth += len(first)
                far.sendall(first)
        for way in (("forth", near, far), ("back", far, near)):
            threading.Thread(target=self._pass, args=way, daemon=True).start()

    def _pass(self, way: str, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                self._last = time.monotonic()
                if self._ticking:
                    data += self._rest(source)
                if way == "forth":
                    self.forth += len(data)
                if way not in self._shut:
                    sink.sendall(data)
            if way not in self._shut:
                sink.shutdown(socket.SHUT_WR)
