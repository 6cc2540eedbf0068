"""Types a line and presses keys in an interactive bash on a terminal of its own.

    python3 keys.py [OPTION...] LINE [KEY...]

Prints the line that bash then holds, with | where the cursor stands. A KEY is C-a, M-f, M-C-e, DEL,
M-DEL, ESC, Tab, Up or Enter; anything else is typed as it is, and \\n in it is a line feed.

    --history LINES   the lines that were typed before, separated by ;
    --inputrc LINES   settings of Readline, separated by ;
    --setup COMMAND   a command that bash runs first
    --raw             also shows what the last key wrote to the terminal
    --run COMMAND     runs this with bash -c instead, and shows what it prints
"""

import argparse
import os
import pty
import re
import signal
import sys
import tempfile
import time
from pathlib import Path

NAMED = {"DEL": b"\x7f", "ESC": b"\x1b", "Tab": b"\t", "Up": b"\x1b[A", "Enter": b"\r"}
SHOW = b"\x18\x04"  # C-x C-d, which the start file below binds
START = r"""
PS1='> '
show() { printf '%s|%s\n' "${READLINE_LINE:0:READLINE_POINT}" "${READLINE_LINE:READLINE_POINT}" > "$KEYS"; }
for keymap in emacs vi-insert vi-command; do bind -m $keymap -x '"\C-x\C-d": show'; done
"""


def sent(key: str) -> bytes:
    """The bytes that a terminal sends for a key, or the text itself."""
    if key in NAMED:
        return NAMED[key]
    if match := re.fullmatch(r"(M-)?(C-)?(.|DEL)", key):
        meta, control, last = match.groups()
        code = NAMED[last] if last == "DEL" else last.encode()
        if control:
            code = bytes([ord(last.upper()) & 31])
        return b"\x1b" + code if meta else code
    return key.replace("\\n", "\n").replace("\\e", "\x1b").encode()


def until(terminal: int, end: bytes, seconds: float = 10) -> bytes:
    """What the terminal shows, until it ends with ``end``."""
    shown = b""
    limit = time.monotonic() + seconds
    os.set_blocking(terminal, False)
    while not shown.endswith(end) and time.monotonic() < limit:
        try:
            shown += os.read(terminal, 4096)
        except BlockingIOError:
            time.sleep(0.01)
        except OSError:  # Linux answers EIO once nobody has the terminal open
            break
    return shown


def rest(terminal: int, seconds: float) -> bytes:
    """What the terminal shows within that time."""
    return until(terminal, b"\0", seconds)


def edit(options: argparse.Namespace, home: Path) -> None:
    """Presses the keys at bash's prompt, and prints the line."""
    answer = home / "answer"
    (home / "start").write_text(START + (options.setup or "") + "\n")
    (home / "inputrc").write_text((options.inputrc or "").replace(";", "\n") + "\n")
    (home / "history").write_text((options.history or "").replace(";", "\n") + "\n")
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(
            KEYS=str(answer),
            INPUTRC=str(home / "inputrc"),
            HISTFILE=str(home / "history"),
            TERM="xterm",
        )
        os.execvp("bash", ["bash", "--noprofile", "--rcfile", str(home / "start"), "-i"])
    until(terminal, b"> ")
    shown = b""
    for key in [options.line, *options.keys]:
        rest(terminal, 0.05)
        os.write(terminal, sent(key))
        # After ESC bash waits half a second for a key that might belong to it.
        shown = rest(terminal, 0.7 if key == "ESC" else 0.4 if options.raw else 0.1)
    if options.raw:
        print(repr(shown.decode())[1:-1])
    os.write(terminal, SHOW)
    for _ in range(150):
        rest(terminal, 0.02)
        if answer.exists() and answer.read_text().endswith("\n"):
            print(answer.read_text(), end="")
            break
    else:
        print("(no answer)")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def run(options: argparse.Namespace, home: Path) -> None:
    """Presses the keys while a command reads from the terminal, and prints its output."""
    child, terminal = pty.fork()
    if child == 0:
        output = os.open(home / "output", os.O_WRONLY | os.O_CREAT)
        os.dup2(output, 1)
        os.environ.update(INPUTRC="/dev/null", TERM="xterm")
        os.execvp("bash", ["bash", "-c", options.run])
    rest(terminal, 0.3)
    for key in [options.line, *options.keys]:
        os.write(terminal, sent(key))
        rest(terminal, 0.05)
    os.waitpid(child, 0)
    print((home / "output").read_text(), end="")


def main() -> None:
    """Reads the arguments."""
    parser = argparse.ArgumentParser()
    for name in ("--history", "--inputrc", "--setup", "--run"):
        parser.add_argument(name)
    parser.add_argument("--raw", action="store_true")
    parser.add_argument("line")
    parser.add_argument("keys", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        (run if options.run else edit)(options, Path(home))
    sys.stdout.flush()


main()
