"""What the compiler driver says when the compiler proper is killed, and when memory is refused. JSON.

The source is a named pipe, so that the compiler waits in it until it is killed.
"""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

MESSAGE = "fatal error: Killed signal terminated program cc1plus"


def child(parent: int, name: str) -> int:
    """The child of a process that runs the program of that name."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                text = stat.read_text()
            except OSError:
                continue
            program, rest = text.split(") ", 1)
            if program.split("(", 1)[1] == name and int(rest.split()[1]) == parent:
                return int(stat.parent.name)
        time.sleep(0.02)
    raise SystemExit(f"no {name} came")


def killed(folder: pathlib.Path) -> str:
    os.mkfifo(folder / "stuck.cpp")
    process = subprocess.Popen(["g++", "-c", "stuck.cpp"], cwd=folder, text=True, stderr=subprocess.PIPE)
    os.kill(child(process.pid, "cc1plus"), signal.SIGKILL)
    return process.communicate()[1]


def refused(folder: pathlib.Path) -> str:
    """The same compiler with an address space of 64 MiB."""
    (folder / "large.cpp").write_text("#include <regex>\n")
    done = subprocess.run(["bash", "-c", "ulimit -v 65536; exec g++ -c large.cpp"], cwd=folder, text=True,
                          capture_output=True)
    return done.stderr


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        one, other = killed(folder), refused(folder)
    print(json.dumps({"killed": one.count(MESSAGE), "refused": other.count(MESSAGE),
                      "refused_says": other.count("memory")}))


if __name__ == "__main__":
    main()
