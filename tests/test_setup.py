"""The scripts that make the environment."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

# A Python that only writes down when it makes an environment and installs into it.
PYTHON = f"""\
#!/bin/sh
case "$1 $2" in
"-m venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
"-m pip") touch .venv/bin/perfnotes && chmod +x .venv/bin/perfnotes ;;
*) exec {sys.executable} "$@" ;;
esac
echo begin >>log
sleep 0.2
echo end >>log
"""


def test_two_that_make_the_environment_at_once_take_turns(tmp_path: Path) -> None:
    for name in (
        "tools/setup/venv.sh",
        "tools/setup/apt.sh",
        "pyproject.toml",
        "tools/bin/perfnotes",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "requirements").mkdir()
    for name in ("site.txt", "dev.txt"):
        (tmp_path / "requirements" / name).touch()
    python = tmp_path / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    command = [str(tmp_path / "tools/setup/venv.sh"), "site"]
    env = {"PATH": "/usr/bin:/bin", "PYTHON": str(python)}
    both = [subprocess.Popen(command, env=env, stderr=subprocess.PIPE) for _ in range(2)]
    said = b"".join(each.communicate(timeout=60)[1] for each in both)
    assert [each.returncode for each in both] == [0, 0]
    # The environment, its requirements, perfnotes: each once, and nothing in between.
    assert (tmp_path / "log").read_text().split() == ["begin", "end"] * 3
    assert said in (b"", b"perfnotes: another process makes .venv; waiting for its end\n")
