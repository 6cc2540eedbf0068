"""Runs a command on a terminal of its own and presses Ctrl-C 0.3 s after it has printed "ready".

    python3 press.py COMMAND [ARGUMENT...]

Prints what the terminal showed, and how the command ended.
"""

import os
import pty
import sys
import time

CTRL_C = b"\x03"


def main() -> None:
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(sys.argv[1], sys.argv[1:])
    shown = b""
    while b"ready" not in shown:
        shown += os.read(terminal, 1000)
    time.sleep(0.3)
    os.write(terminal, CTRL_C)
    while True:
        try:
            data = os.read(terminal, 1000)
        except OSError:  # Linux answers EIO once nobody has the terminal open
            break
        if not data:
            break
        shown += data
    _, status = os.waitpid(child, 0)
    print(shown.decode().replace("\r\n", "\n"), end="")
    if os.WIFSIGNALED(status):
        print(f"ended by signal {os.WTERMSIG(status)}")
    else:
        print(f"exit status {os.WEXITSTATUS(status)}")


main()
