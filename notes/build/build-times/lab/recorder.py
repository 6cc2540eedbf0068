"""Stands in for a compiler: notes when it starts and ends, and makes the file that it is asked for.

    recorder.py LOG FULL OUTPUT

LOG gets a `+` when a job begins and a `-` when it ends. A job stays until FULL jobs have been alive
at once, and a little longer, so that one job too many would be seen as well.
"""

import fcntl
import pathlib
import sys
import time

PATIENCE = 15.0    # seconds; only a build that stays below FULL waits so long
LINGER = 0.1


def note(log: str, sign: str) -> int:
    """Appends a sign, and returns how many jobs have been alive at once so far."""
    with open(log, "a+", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(sign)
        file.flush()
        file.seek(0)
        return peak(file.read())


def peak(signs: str) -> int:
    alive = most = 0
    for sign in signs:
        alive += 1 if sign == "+" else -1
        most = max(most, alive)
    return most


def main() -> None:
    log, full, output = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    reached = note(log, "+")
    end = time.monotonic() + PATIENCE
    while reached < full and time.monotonic() < end:
        time.sleep(0.02)
        reached = note(log, "")
    time.sleep(LINGER)
    pathlib.Path(output).write_text("made\n", encoding="ascii")
    note(log, "-")


if __name__ == "__main__":
    main()
