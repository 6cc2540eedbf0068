"""How many files of the C++ library the programs of three compilers load.

Prints one JSON object.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

COMPILERS = ("g++", "g++-11", "clang++")


def loaded(program: str) -> str:
    """The file that a program loads as libstdc++.so.6."""
    text = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    match = re.search(r"libstdc\+\+\.so\.6 => (\S+)", text)
    return os.path.realpath(match[1]) if match else ""


def main() -> None:
    files = []
    for compiler in COMPILERS:
        subprocess.run([compiler, "-O2", "-o", f"app_{compiler}", "app.cpp"], check=True)
        files.append(loaded(f"./app_{compiler}"))
    with_own = {*files, loaded("./app_rpath")}
    json.dump({"files": len(set(files)), "with_own": len(with_own)}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
