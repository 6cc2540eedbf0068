"""Requests on one connection, each of two small writes: client.py HOST PORT [REQUESTS]"""

import socket
import sys
import time

s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 3):
    s.send(b"8 bytes ")
    s.send(b"and 12 more.")
    s.recv(20)
    time.sleep(0.1)
