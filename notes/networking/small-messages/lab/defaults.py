"""Which programs set TCP_NODELAY on their connection: strace watches them fetch a page."""

from __future__ import annotations

import http.server
import json
import subprocess
import sys
import threading


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *rest: object) -> None:
        """Be quiet."""


def main() -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_port
    url = f"http://127.0.0.1:{port}/"
    client = f"import http.client; c = http.client.HTTPConnection('127.0.0.1', {port}); c.request('GET', '/')"
    plain = f"import socket; socket.create_connection(('127.0.0.1', {port}))"
    aio = f"import asyncio; asyncio.run(asyncio.open_connection('127.0.0.1', {port}))"
    programs = {
        "curl": ("curl", ["curl", "-s", url]),
        "wget": ("wget", ["wget", "-q", "-O", "/dev/null", url]),
        "socket": ("Python, socket", [sys.executable, "-c", plain]),
        "client": ("Python, http.client", [sys.executable, "-c", client]),
        "asyncio": ("Python, asyncio", [sys.executable, "-c", aio]),
    }
    numbers = {}
    for key, (shown, command) in programs.items():
        done = subprocess.run(["strace", "-f", "-e", "trace=setsockopt,connect", *command],
                              capture_output=True, text=True, check=False)  # fmt: skip
        assert f"htons({port})" in done.stderr, done.stderr
        numbers[key] = sum("TCP_NODELAY, [1]" in line for line in done.stderr.splitlines())
        print(f"{shown:<24}{'TCP_NODELAY' if numbers[key] else '-'}")
    for command in ("curl --version", "wget --version", "python3 --version"):
        print(subprocess.run(command.split(), capture_output=True, text=True, check=False).stdout.splitlines()[0][:20].strip())
    print(json.dumps(numbers))


if __name__ == "__main__":
    main()
