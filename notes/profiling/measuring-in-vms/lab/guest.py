"""A virtual machine for the lab: QEMU without KVM boots a Linux kernel and runs one shell script in it.

    with Guest(script, programs, "-cpu max -smp 2") as guest:
        print(guest.text())

The machine has no disk and no network. Its file system is an archive that `initramfs.py` makes of busybox and
the programs named; what the script prints comes back through the machine's second serial port.
"""

from __future__ import annotations

import json
import shlex
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from initramfs import archive

# The kernel of Debian 12's installer, because it lies below /usr and is no more than a file.
KERNEL = Path("/usr/lib/debian-installer/images/12/amd64/text/debian-installer/amd64/linux")
PATIENCE = 120  # seconds until a guest must have done what was asked
INIT = """#!/bin/sh
export PATH=/bin LC_ALL=C
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
stty -F /dev/ttyS1 raw
sh /script > /dev/ttyS1 2>&1
echo the end > /dev/ttyS1
poweroff -f
"""


class Guest:
    """A running guest. Leaving the `with` block ends it."""

    def __init__(self, script: str, programs: list[str], options: str, boot: str = "") -> None:
        self._place = tempfile.TemporaryDirectory()
        here = Path(self._place.name)
        (here / "initrd").write_bytes(archive(programs, {"init": INIT, "script": script}))
        self._printed = here / "printed"
        self._monitor = here / "monitor"
        command = (f"qemu-system-x86_64 -accel tcg -machine q35 -m 256M {options} -display none -nodefaults -no-reboot"
                   f" -kernel {KERNEL} -initrd {here}/initrd -serial file:{here}/console -serial file:{self._printed}"
                   f" -qmp unix:{self._monitor},server=on,wait=off")
        self.process = subprocess.Popen([*shlex.split(command), "-append", f"console=ttyS0 quiet panic=-1 {boot}"],
                                        stderr=subprocess.PIPE, text=True)

    def __enter__(self) -> Guest:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.communicate()
        self._place.cleanup()

    def printed(self) -> str:
        """What the script has printed up to now."""
        return self._printed.read_text(errors="replace") if self._printed.exists() else ""

    def wait_for(self, words: str) -> str:
        """Waits until the script has printed these words; returns all that it printed before them."""
        end = time.monotonic() + PATIENCE
        while words not in self.printed():
            if self.process.poll() is not None and words not in self.printed():
                raise RuntimeError(f"the guest ended too early: {self.process.stderr.read()}{self.printed()}")
            if time.monotonic() > end:
                raise RuntimeError(f"no {words!r} from the guest: {self.printed()}")
            time.sleep(0.02)
        return self.printed().partition(words)[0]

    def text(self) -> str:
        """All that the script prints."""
        return self.wait_for("the end\n")

    def order(self, *commands: str) -> None:
        """Gives the monitor of QEMU orders such as `stop` and `cont`."""
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self._monitor))
            answers = line.makefile("r")
            answers.readline()  # the greeting
            for command in ("qmp_capabilities", *commands):
                line.sendall(json.dumps({"execute": command}).encode())
                while "return" not in json.loads(answers.readline()):  # events come in between
                    pass
