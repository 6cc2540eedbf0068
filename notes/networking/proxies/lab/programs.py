"""The programs that the lab runs, each with the words that make it fetch one URL once."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

URLLIB = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=20).read()"
REQUESTS = "import sys, requests; requests.get(sys.argv[1], timeout=20)"
NODE = "fetch(process.argv[1]).then(r => r.text()).catch(() => process.exit(1))"
APT = (
    "/usr/lib/apt/apt-helper", "-o", "Dir::Etc=/nonexistent", "-o", "Acquire::Retries=0",
)  # fmt: skip
PIP = (
    sys.executable, "-m", "pip", "--disable-pip-version-check", "--retries", "0", "download",
    "--no-cache-dir", "--no-deps", "--timeout", "20",
)  # fmt: skip


def words(program: str, url: str) -> list[str]:
    """The command line of a program that fetches a URL."""
    known = {
        "curl": ["curl", "-qsS", "-m", "20", "-o", "out", url],
        "wget": ["wget", "-nv", "--tries=1", "--timeout=20", "-O", "out", url],
        "git": ["git", "ls-remote", url],
        "urllib": [sys.executable, "-c", URLLIB, url],
        "requests": [sys.executable, "-c", REQUESTS, url],
        "pip": [*PIP, *trusting(url), "--index-url", url, "nothing"],
        "apt": [*APT, "download-file", url, "out"],
        "node": ["node", "-e", NODE, url],
    }
    return known[program]


def trusting(url: str) -> list[str]:
    """pip asks no index over plain HTTP, unless it is told to trust the host."""
    return ["--trusted-host", url.split("/")[2]] if url.startswith("http:") else []


def call(command: list[str], variables: dict[str, str]) -> list[str]:
    """Run a command in an empty folder with these variables and no others; the lines of its errors."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C", "TMPDIR": folder,
            "GIT_TERMINAL_PROMPT": "0", **variables,
        }  # fmt: skip
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    return [line for line in done.stderr.splitlines() if line.strip()]
