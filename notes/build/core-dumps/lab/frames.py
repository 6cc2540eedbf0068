"""Lets ``shop`` crash and counts what gdb can name in the core file, with one file or another.

Prints a line of JSON: for each way to call gdb, the frames without a name (``_unknown``), and
whether the function that crashed has its right name (``_price``).
"""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
from pathlib import Path

HERE = Path.cwd()


def frames(*words: str) -> tuple[int, int]:
    """How many frames gdb cannot name, and how many it calls ``price``."""
    command = ["gdb", "-nx", "-q", "-batch", "-iex", "set debuginfod enabled off", *words]
    done = subprocess.run(
        [*command, "-ex", "echo \\n--\\n", "-ex", "bt"], check=False, capture_output=True, text=True
    )
    stack = done.stdout.rpartition("\n--\n")[2]
    return len(re.findall(r"^#.* \?\? \(", stack, re.MULTILINE)), len(
        re.findall(r"\bprice \(", stack)
    )


def crash() -> None:
    """Let the stripped program crash, with its core file in this folder."""
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
    if subprocess.run(["./shop"], check=False, capture_output=True).returncode >= 0:
        raise SystemExit("shop did not crash")
    for core in HERE.glob("core.*"):
        core.rename("core")


def debug_files() -> Path:
    """A folder with the debug information of ``shop``, found by its build id."""
    notes = subprocess.run(
        ["readelf", "-n", "shop"], check=False, capture_output=True, text=True
    ).stdout
    found = re.search(r"Build ID: ([0-9a-f]+)", notes)
    if found is None:
        raise SystemExit("shop has no build id")
    name = found[1]
    folder = HERE / "debug" / ".build-id" / name[:2]
    folder.mkdir(parents=True)
    target = folder / f"{name[2:]}.debug"
    subprocess.run(["objcopy", "--only-keep-debug", "shop.full", str(target)], check=True)
    return HERE / "debug"


def main() -> None:
    crash()
    found = {
        "stripped": frames("shop", "core"),
        "full": frames("shop.full", "core"),
        "alone": frames("-c", "core"),
        "by_id": frames("-iex", f"set debug-file-directory {debug_files()}", "shop", "core"),
    }
    theirs = HERE / f"root{HERE}"
    theirs.mkdir(parents=True)
    shutil.move(HERE / "lib", theirs / "lib")
    search = ("-iex", f"set solib-search-path {theirs}/lib")
    found["missing"] = frames("shop.full", "core")
    found["missing_search"] = frames(*search, "shop.full", "core")
    shutil.copytree(HERE / "new", HERE / "lib")
    found["wrong"] = frames("shop.full", "core")
    found["wrong_search"] = frames(*search, "shop.full", "core")
    found["wrong_sysroot"] = frames("-iex", "set sysroot root", "shop.full", "core")
    shutil.rmtree(HERE / "lib")
    shutil.move(theirs / "lib", HERE / "lib")
    words = ("unknown", "price")
    print(
        json.dumps({f"{k}_{w}": n for k, v in found.items() for w, n in zip(words, v, strict=True)})
    )


if __name__ == "__main__":
    main()
