"""What the files that build.sh made need, and which libraries they load, as numbers.

Prints one JSON object. 1 and 2 are the folders one/ and two/; a status is that of a process.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys


def run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a command with further environment variables."""
    return subprocess.run(
        command, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )


def printed(*command: str, **variables: str) -> int:
    """The number that a program prints; -1 if it does not start."""
    done = run(*command, **variables)
    return int(done.stdout) if done.returncode == 0 else -1


def needed(path: str) -> list[str]:
    """The libraries that a file names."""
    return re.findall(r"\(NEEDED\).*\[(.+?)\]", run("readelf", "-d", path).stdout)


def versions(path: str, prefix: str) -> list[tuple[int, ...]]:
    """The versions of other libraries that a file asks for, such as GLIBC_2.34 as (2, 34)."""
    text = run("readelf", "-V", path).stdout.partition("Version needs section")[2]
    found = re.findall(rf"Name: {prefix}_(\d+(?:\.\d+)*) ", text)
    return sorted({tuple(map(int, each.split("."))) for each in found})


def defined(path: str, prefix: str) -> list[tuple[int, ...]]:
    """The versions that a library has."""
    text = run("readelf", "-V", path).stdout.partition("Version needs section")[0]
    found = re.findall(rf"Name: {prefix}_(\d+(?:\.\d+)*)\n", text)
    return sorted({tuple(map(int, each.split("."))) for each in found})


def loaded(path: str, name: str) -> str:
    """The file that a program loads under a name, as ldd prints it."""
    match = re.search(rf"{re.escape(name)} => (\S+)", run("ldd", path).stdout)
    return os.path.realpath(match[1]) if match else ""


def main() -> None:
    facts: dict[str, int] = {}
    for program in ("app", "app_static", "hello"):
        facts[f"{program}_cxx"] = sum("libstdc++" in each for each in needed(program))
        facts[f"{program}_versions"] = len(versions(program, "GLIBCXX"))
        facts[f"{program}_glibc"] = versions(program, "GLIBC")[-1][1]
    facts["app_glibcxx"] = versions("app", "GLIBCXX")[-1][2]
    facts["have_glibcxx"] = defined(loaded("./app", "libstdc++.so.6"), "GLIBCXX")[-1][2]
    for abi in "01":
        facts[f"use{abi}_glibcxx"] = versions(f"use{abi}", "GLIBCXX")[-1][2]
    for program in ("app", "app_static"):
        done = run(f"./{program}", LD_LIBRARY_PATH="old")
        facts[f"{program}_old_status"] = done.returncode
        facts[f"{program}_old_missing"] = done.stderr.count("not found")
    for order in ("old:own", "own:old"):
        name = order.replace(":", "_before_")
        facts[f"{name}_status"] = run("./app", LD_LIBRARY_PATH=order).returncode
    done = run("./hello", LD_LIBRARY_PATH="oldc")
    facts["hello_old_missing"] = done.stderr.count("not found")
    facts["hello_new_missing"] = run("./hello").stderr.count("not found")

    own = os.path.realpath("own/libstdc++.so.6")
    for program in ("app_linked", "app_rpath"):
        facts[f"{program}_own"] = int(loaded(f"./{program}", "libstdc++.so.6") == own)

    for kind in ("nothing", "rpath", "runpath"):
        facts[f"{kind}_alone"] = printed(f"./with_{kind}")
        facts[f"{kind}_with_env"] = printed(f"./with_{kind}", LD_LIBRARY_PATH="two")
    facts["default_is_runpath"] = int("(RUNPATH)" in run("readelf", "-d", "with_default").stdout)
    facts["top_rpath"] = printed("./top_rpath")
    facts["top_runpath"] = printed("./top_runpath")
    facts["top_runpath_status"] = run("./top_runpath").returncode
    facts["top_rpath_status"] = run("./top_rpath").returncode

    facts["plugin_alone"] = printed("./host", "./plugin.so")
    facts["plugin_second"] = printed("./host", "./two/libwhere.so.1", "./plugin.so")

    for abi in "01":
        names = run("nm", "-C", f"greet{abi}.o").stdout
        facts[f"greet{abi}_cxx11"] = len(re.findall(r" T greet\(std::__cxx11::", names))
    link = ("g++", "-o", "use_mixed", "use1.o")
    facts["link_mixed"] = run(*link, "greet0.o").returncode
    facts["link_same"] = run(*link, "greet1.o").returncode
    facts["amount_same"] = printed("./order1")
    facts["amount_mixed"] = printed("./order_mixed")
    json.dump(facts, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
