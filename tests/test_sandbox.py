"""What a lab reaches inside the sandbox: each probe reaches it outside, and must not inside."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from perfnotes.labs import sandbox
from perfnotes.labs.box import LabError
from perfnotes.labs.find import find_labs
from perfnotes.labs.instruments._call import read_untrusted
from perfnotes.labs.needs import has_core_files
from perfnotes.labs.sandbox import NoSandboxError
from perfnotes.labs.scratch import Scratch
from perfnotes.model.lab import Limits
from tests.lab_notes import CLAIM, living, write_lab

pytestmark = pytest.mark.slow

LIMITS = Limits(20.0, 512 << 20)
CORE_PATTERN = Path("/proc/sys/kernel/core_pattern")
UNSHARE = "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"


@dataclass
class World:
    """What lies outside the sandbox, for probes to look for."""

    folder: Path
    notes: Path
    outsider: int  # a process of this user
    port: int

    def code(self, probe: str) -> str:
        for name, value in (
            ("FOLDER", str(self.folder)), ("NOTES", str(self.notes)),
            ("PID_OUTSIDE", str(self.outsider)), ("PORT", str(self.port)),
        ):  # fmt: skip
            probe = probe.replace(name, value)
        lines = "".join(f"    {line}\n" for line in probe.splitlines())
        return (
            "import glob, os, socket\ntry:\n" + lines + "    print('reached')\n"
            "except (OSError, AssertionError) as error:\n    print('refused:', error)\n"
        )


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("world")
    write_lab(folder)
    for name in (".cache/perfnotes/key", ".ssh/id_ed25519"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as file:
        file.bind(str(folder / "bus"))
        file.listen()
        with socket.socket(socket.AF_UNIX) as abstract:
            abstract.bind(f"\0perfnotes-test-{os.getpid()}")
            abstract.listen()
            command = [sys.executable, "-c", "import time; time.sleep(600)", "outsider-4711"]
            outsider = subprocess.Popen(command, env={"OUTSIDER_SECRET": "1"})
            time.sleep(0.3)  # until it is the program and no longer its parent's copy
            try:
                yield World(folder, folder / "notes", outsider.pid, tcp.getsockname()[1])
                assert outsider.poll() is None
            finally:
                outsider.kill()
                outsider.wait()


@pytest.fixture(scope="module")
def box(world: World) -> Iterator[Scratch]:
    lab = find_labs(world.notes, "notes").labs["caches/rows"]
    with Scratch(lab, world.notes) as found:
        assert found.sandbox
        yield found


PROBES = {
    "the cache's key": "open('FOLDER/.cache/perfnotes/key').read()",
    "a file like those of ssh": "open('FOLDER/.ssh/id_ed25519').read()",
    "files of the home": "assert os.listdir('FOLDER')",
    "writing to the home": "open('FOLDER/new', 'w').close()",
    "writing into the notes": "open('NOTES/topics.yml', 'a').close()",
    "reading the notes": "open('NOTES/topics.yml').read()",
    "the environment of another process": (
        "found = False\n"
        "for name in glob.glob('/proc/[0-9]*/environ'):\n"
        "    try:\n"
        "        found = found or b'OUTSIDER_SECRET' in open(name, 'rb').read()\n"
        "    except OSError:\n"
        "        pass\n"
        "assert found"
    ),
    "other processes": (
        "names = glob.glob('/proc/[0-9]*/cmdline')\n"
        "assert any(b'outsider-' + b'4711' in open(name, 'rb').read() for name in names)"
    ),
    "signals to another process": "os.kill(PID_OUTSIDE, 0)",
    "loopback": "socket.create_connection(('127.0.0.1', PORT), 5)",
    "a socket in a file": "socket.socket(socket.AF_UNIX).connect('FOLDER/bus')",
    "an abstract socket": (
        f"socket.socket(socket.AF_UNIX).connect('\\0perfnotes-test-{os.getpid()}')"
    ),
}
# Whether these succeed outside depends on the user and the system.
ONLY_INSIDE = {
    "the settings of the kernel": "os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY)",
    "the terminal": "os.open('/dev/tty', os.O_RDWR)",
    "tracing another process": (
        UNSHARE + "assert c.ptrace(0x4206, PID_OUTSIDE, 0, 0) == 0, os.strerror(ctypes.get_errno())"
    ),
    "tracing the supervisor": (
        UNSHARE + "assert c.ptrace(0x4206, 1, 0, 0) == 0, os.strerror(ctypes.get_errno())"
    ),
    "the supervisor's files": "os.readlink('/proc/1/fd/1')",
    "the supervisor's memory": "open('/proc/1/mem', 'rb')",
    "user namespaces": (
        UNSHARE + "assert c.unshare(0x10000000) == 0, os.strerror(ctypes.get_errno())"
    ),
    "root": "assert os.getuid() == 0 or os.setuid(0) is None",
    "capabilities": (
        "caps = [l for l in open('/proc/self/status') if l.startswith('Cap')]\n"
        "assert any(int(l.split()[1], 16) for l in caps), 'none'"
    ),
    "descriptors beyond the three": (
        "names = [os.readlink(f) for f in glob.glob('/proc/self/fd/*') if os.path.exists(f)]\n"
        "assert len(names) > 3, 'none'"
    ),
    "the files of its own output": "assert os.listdir('../out'), 'none'",
    "a folder of the system": "open('/usr/new', 'w')",
    "the folder above its own": "open('/new', 'w')",
    "devices": "assert glob.glob('/dev/[svx]d*') + glob.glob('/dev/kmsg'), 'none'",
    "names of users": "assert [l for l in open('/etc/passwd') if l.split(':')[2] not in '0 65534']",
    "hardware of the network": "assert glob.glob('/sys/class/net/*'), 'none'",
}


@pytest.mark.parametrize("name", [*PROBES, *ONLY_INSIDE])
def test_a_lab_does_not_reach(world: World, box: Scratch, name: str) -> None:
    before = CORE_PATTERN.read_bytes()
    code = world.code((PROBES | ONLY_INSIDE)[name])
    if name in PROBES:
        command = [sys.executable, "-c", code]
        outside = subprocess.run(command, capture_output=True, text=True, check=True)
        assert outside.stdout == "reached\n", outside.stdout
        (world.folder / "new").unlink(missing_ok=True)
    inside = box.execute(["python3", "-c", code], LIMITS)
    assert inside.stdout.startswith("refused:"), inside.stdout + inside.stderr
    assert CORE_PATTERN.read_bytes() == before
    assert not (world.folder / "new").exists()


def test_a_lab_has_what_it_needs(box: Scratch) -> None:
    code = (
        "import os, multiprocessing, socket, tempfile\n"
        "open('made', 'w').write('x'); os.rename('made', os.environ['TMPDIR'] + '/made')\n"
        "open(os.environ['HOME'] + '/x', 'w'); open('/tmp/x', 'w'); open('/dev/shm/x', 'w')\n"
        "multiprocessing.Lock()\n"
        "server = socket.create_server(('localhost', 0))\n"
        "socket.create_connection(server.getsockname())\n"
        "open('/dev/null').read(); open('/dev/urandom', 'rb').read(1)\n"
        "print(len(os.sched_getaffinity(0)), os.listdir('/sys/devices/system/cpu') != [])\n"
    )
    done = box.execute(["python3", "-c", code], LIMITS)
    assert done.stdout == f"{len(os.sched_getaffinity(0))} True\n", done.stderr


def test_the_environment_is_a_list_of_ours(box: Scratch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "1")
    assert "SECRET_TOKEN" not in box.execute(["env"], LIMITS).stdout


@pytest.mark.parametrize("signal", [9, 15, 19])
def test_a_lab_cannot_shake_off_its_supervisor(box: Scratch, signal: int) -> None:
    code = f"import os, time; os.kill(1, {signal}); time.sleep(60)"
    with pytest.raises(LabError, match=r"did not end within|was stopped"):
        box.execute(["python3", "-c", code], Limits(0.5, 512 << 20))


def test_a_daemon_ends_with_the_lab(box: Scratch) -> None:
    code = (
        "import os\n"
        "if os.fork() == 0:\n    os.setsid()\n"
        "    if os.fork() == 0:\n        os.execvp('sleep', ['sleep', '4711.77'])\n"
        "    os._exit(0)\n"
        "os.wait()\n"
    )
    with pytest.raises(LabError, match=r"left a process behind \(sleep\)"):
        box.execute(["python3", "-c", code], LIMITS)
    assert not living("4711.77")


def test_files_in_memory_count_as_memory(box: Scratch) -> None:
    code = "f = open('/dev/shm/x', 'wb')\nfor _ in range(200): f.write(bytes(1 << 20))\n"
    code += "import time; time.sleep(60)"
    with pytest.raises(LabError, match=r"of memory|No space left"):
        box.execute(["python3", "-c", code], Limits(20.0, 64 << 20))


def test_a_bomb_of_processes_is_bounded(box: Scratch) -> None:
    code = "import resource; print(resource.getrlimit(resource.RLIMIT_NPROC)[1] <= 4096)"
    assert box.execute(["python3", "-c", code], LIMITS).stdout == "True\n"


def test_a_lab_leaves_core_files_only_if_it_raises_its_limit(box: Scratch) -> None:
    crash = "import os, resource as r; hard = r.getrlimit(r.RLIMIT_CORE)[1]; %s; os.abort()"
    run = "import subprocess, sys; print(subprocess.run([sys.executable, '-c', %r]).returncode)"
    box.execute(["python3", "-c", run % (crash % "pass")], LIMITS)
    assert not list(box.path.glob("core*"))
    raised = crash % "r.setrlimit(r.RLIMIT_CORE, (hard, hard))"
    box.execute(["python3", "-c", run % raised], LIMITS)
    assert (box.path / "core").exists() is has_core_files()


def test_what_a_tool_wrote_is_read_without_following_a_link(world: World, box: Scratch) -> None:
    secret = world.folder / ".ssh/id_ed25519"
    own = box.path.parent / "instrument-x"
    own.mkdir()
    (own / "plain").write_text("told")
    (own / "link").symlink_to(secret)
    os.mkfifo(own / "pipe")
    (box.path.parent / "instrument-y").symlink_to(secret.parent)
    assert read_untrusted(box, own / "plain") == "told"
    assert read_untrusted(box, own / "link") is None
    assert read_untrusted(box, own / "pipe") is None
    assert read_untrusted(box, own / "nothing") is None
    assert read_untrusted(box, box.path.parent / "instrument-y" / "id_ed25519") is None


@pytest.mark.parametrize(
    ("permission", "probe"),
    [
        ("sys", ONLY_INSIDE["hardware of the network"].replace("net", "bdi")),
        ("perf", "assert os.listdir('/sys/bus/event_source/devices')"),
        ("namespaces", ONLY_INSIDE["user namespaces"]),
    ],
)
def test_a_permission_is_given_with_consent_alone(
    world: World, permission: str, probe: str, tmp_path: Path
) -> None:
    write_lab(tmp_path, f"permissions: [{permission}]\n" + CLAIM)
    lab = find_labs(tmp_path / "notes", "notes").labs["caches/rows"]
    for consent, said in ((False, "refused"), (True, "reached")):
        with Scratch(lab, consent=consent) as box:
            done = box.execute(["python3", "-c", world.code(probe)], LIMITS)
            assert done.stdout.startswith(said), done.stdout
            uid = box.execute(["python3", "-c", "import os; print(os.getuid())"], LIMITS)
            assert uid.stdout == "65534\n"


def test_without_consent_nothing_runs_without_a_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lab(tmp_path, "permissions: [unconfined]\n" + CLAIM)
    lab = find_labs(tmp_path / "notes", "notes").labs["caches/rows"]
    with pytest.raises(NoSandboxError, match="asks to run without a sandbox"):
        Scratch(lab)
    with Scratch(lab, consent=True) as box:
        assert box.sandbox is None
    write_lab(tmp_path)
    lab = find_labs(tmp_path / "notes", "notes").labs["caches/rows"]
    monkeypatch.setenv("PATH", "/nowhere")
    sandbox.find.cache_clear()
    try:
        with pytest.raises(NoSandboxError, match="apt install bubblewrap"):
            Scratch(lab)
    finally:
        sandbox.find.cache_clear()


def test_a_bubblewrap_that_does_not_work_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text(
        "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n"
    )
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    sandbox.find.cache_clear()
    try:
        found = sandbox.find()
    finally:
        sandbox.find.cache_clear()
    assert isinstance(found, str)
    assert "does not work here: bwrap: setting up uid map: Permission denied" in found
