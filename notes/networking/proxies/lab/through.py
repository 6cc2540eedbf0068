"""Connects its input and output with HOST PORT through a proxy, as ``nc -X connect`` does.

through.py PROXY PROXY_PORT HOST PORT
"""

import socket
import sys

proxy, proxy_port, host, port = sys.argv[1:]
with socket.create_connection((proxy, int(proxy_port))) as connection:
    connection.sendall(f"CONNECT {host}:{port} HTTP/1.1\r\n\r\n".encode())
    sys.exit(b" 200 " not in connection.recv(4096).split(b"\r\n")[0])
