"""Finding Node, and installing the other engines below ``build/`` with npm."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from benchmarks.search.measured import ROOT, EngineError, remove

FOLDER = ROOT / "build" / "search-peers"
JIEBA = "jieba==0.42.1"
_PINS = Path(__file__).with_name("package.json")


def node() -> str:
    """Return the path of Node, in which the other engines run; ``EngineError`` without one."""
    found = shutil.which("node")
    if not found:
        raise EngineError("Node.js is missing (on Debian: apt-get install nodejs npm)")
    return found


def install() -> Path:
    """Return the folder with the pinned engines, which are installed first if they are missing."""
    pins = FOLDER / "package.json"
    if pins.is_file() and pins.read_bytes() == _PINS.read_bytes():
        return FOLDER
    npm = shutil.which("npm")
    if not npm:
        raise EngineError("npm is missing (on Debian: apt-get install npm)")
    remove(FOLDER)
    FOLDER.mkdir(parents=True)
    print("installing MiniSearch and Pagefind below build/ (once)", flush=True)
    pins.write_bytes(_PINS.read_bytes())
    command = [npm, "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode:
        pins.unlink()
        raise EngineError(f"npm could not install the engines: {done.stderr.strip()[-600:]}")
    return FOLDER
