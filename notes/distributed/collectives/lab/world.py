"""Processes that talk over socket pairs, and count what they send.

Each message carries a header with two clocks of its sender, for a network in which a rank can send
one message and receive one at the same time. The clock of rounds goes up by one for a message, the
clock of bytes by its length. A message can be received only after it was sent, so at the end the
clocks of the slowest rank say how many messages, and how many bytes, lie behind one another.
Headers are not counted. Nothing here looks at the time of day.
"""

import os
import pickle
import socket
import struct
from array import array
from dataclasses import dataclass, field

HEADER = struct.Struct("<qqq")


@dataclass
class Rank:
    """One process: its number, its sockets to all others, and its counts."""

    number: int
    size: int
    pairs: dict
    rounds: int = 0
    behind: int = 0
    sent: dict = field(default_factory=dict)  # bytes by receiver
    messages: int = 0

    def _write(self, to, data):
        payload = data.tobytes()
        self.pairs[to].sendall(HEADER.pack(len(payload), self.rounds, self.behind) + payload)
        self.sent[to] = self.sent.get(to, 0) + len(payload)
        self.messages += 1
        return len(payload)

    def _read(self, source, kind):
        length, rounds, behind = HEADER.unpack(self._exactly(source, HEADER.size))
        data = array(kind)
        data.frombytes(self._exactly(source, length))
        return data, rounds, behind

    def _exactly(self, source, length):
        data = bytearray()
        while len(data) < length:
            part = self.pairs[source].recv(length - len(data))
            if not part:
                raise ConnectionError(f"rank {source} is gone")
            data += part
        return bytes(data)

    def send(self, to, data):
        length = self._write(to, data)
        self.rounds += 1
        self.behind += length

    def receive(self, source, kind):
        data, rounds, behind = self._read(source, kind)
        self.rounds = max(self.rounds, rounds) + 1
        self.behind = max(self.behind, behind) + len(data) * data.itemsize
        return data

    def exchange(self, to, data, source):
        """Sends to one rank and receives from one, which may be another, at the same time."""
        length = self._write(to, data)
        got, rounds, behind = self._read(source, data.typecode)
        self.rounds = max(self.rounds, rounds) + 1
        self.behind = max(self.behind + length, max(self.behind, behind) + len(got) * got.itemsize)
        return got


def run(size, work, late=None):
    """Forks ``size`` processes, has each do ``work(rank)``, and returns a dict of counts for each.

    ``late`` is a rank whose clock of rounds begins at 100. The messages must fit into the buffer of
    a socket, since every rank writes before it reads.
    """
    ends = [{} for _ in range(size)]
    for a in range(size):
        for b in range(a):
            ends[a][b], ends[b][a] = socket.socketpair()
    children = []
    for number in range(size):
        out, into = os.pipe()
        child = os.fork()
        if not child:
            rank = Rank(number, size, ends[number], rounds=100 if number == late else 0)
            result = work(rank)
            counts = {"result": result, "rounds": rank.rounds, "behind": rank.behind, "sent": rank.sent, "messages": rank.messages}
            with os.fdopen(into, "wb") as pipe:
                pickle.dump(counts, pipe)
            os._exit(0)
        os.close(into)
        children.append((child, out))
    for mine in ends:
        for pair in mine.values():
            pair.close()
    counts = []
    for child, out in children:
        with os.fdopen(out, "rb") as pipe:
            counts.append(pickle.load(pipe))
        os.waitpid(child, 0)
    return counts
