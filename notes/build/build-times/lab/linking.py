"""Which linkers the compilers accept, how long each takes, and who shares out the work of LTO. JSON.

    linking.py names|times|lto
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

LINKERS = ("bfd", "gold", "lld", "mold")
OBJECTS = 16
REPEATS = 5
SYMBOL = "_Z2f0RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
SOURCE = """\
#include <regex>
#include <string>
bool f0(const std::string &s) { return std::regex_search(s, std::regex("a+b")); }
"""


def run(*command: str) -> None:
    subprocess.run(command, check=True)


def names() -> dict[str, int]:
    """Of five names behind -fuse-ld=, those with which a program is linked."""
    pathlib.Path("main.c").write_text("int main(void) { return 0; }\n")
    facts = {}
    for compiler in ("gcc", "clang"):
        for name in (*LINKERS, "quick"):
            done = subprocess.run([compiler, f"-fuse-ld={name}", "main.c", "-o", f"{compiler}.{name}"],
                                  capture_output=True)
            facts[f"{compiler}_{name}"] = int(done.returncode == 0)
        facts[f"{compiler}_accepts"] = sum(facts[f"{compiler}_{name}"] for name in LINKERS)
    return facts


def times() -> dict[str, list[float] | int]:
    """Wall time of linking 16 large objects with debug information: the same objects for each linker."""
    pathlib.Path("part.cpp").write_text(SOURCE)
    pathlib.Path("main.cpp").write_text("int main() {}\n")
    run("g++", "-g", "-c", "part.cpp")
    run("g++", "-c", "main.cpp")
    objects = []
    for number in range(OBJECTS):
        objects.append(f"part{number}.o")
        run("objcopy", "--redefine-sym", f"{SYMBOL}=f{number}", "part.o", objects[-1])
    taken: dict[str, list[float]] = {name: [] for name in (*LINKERS, "bfd_again")}
    for _ in range(REPEATS):
        for name, times_of_it in taken.items():
            start = time.perf_counter()
            run("g++", f"-fuse-ld={name.removesuffix('_again')}", "main.o", *objects, "-o", name)
            times_of_it.append(time.perf_counter() - start)
    return taken | {"input": sum(os.path.getsize(name) for name in objects)}


MAKE = """\
#!/bin/sh
echo "$@" >> calls
exec make "$@"
"""
NESTED = "program: ; {plus}gcc -O2 -flto=auto -flto-partition=max m.o f0.o f1.o f2.o f3.o -o program\n"


def calls(*command: str) -> tuple[int, int, int]:
    """How often LTO started make, with how many jobs (0 if it named none), and its serial warnings."""
    log = pathlib.Path("calls")
    log.unlink(missing_ok=True)
    done = subprocess.run(command, check=True, text=True, capture_output=True,
                          env=os.environ | {"MAKE": f"{os.getcwd()}/mymake"})
    lines = [line for line in (log.read_text() if log.exists() else "").splitlines()
             if "--version" not in line]
    jobs = re.findall(r"-j(\d+)", " ".join(lines))
    return len(lines), int(jobs[0]) if jobs else 0, done.stderr.count("using serial compilation of")


def lto() -> dict[str, int]:
    make = pathlib.Path("mymake")
    make.write_text(MAKE)
    make.chmod(0o755)
    objects = []
    for k in range(4):
        pathlib.Path(f"f{k}.c").write_text(
            f"__attribute__((noinline)) int f{k}(int n)\n"
            f"{{ int s = {k}; for (int i = 0; i < n; i++) s += i * n ^ s; return s; }}\n")
        objects.append(f"f{k}.o")
    pathlib.Path("m.c").write_text(
        "int f0(int), f1(int), f2(int), f3(int);\n"
        "int main(int c, char **v) { (void)v; return f0(c) + f1(c) + f2(c) + f3(c); }\n")
    for name in ("m", *(name[:2] for name in objects)):
        run("gcc", "-O2", "-flto", "-c", f"{name}.c")
    link = ["-flto-partition=max", "m.o", *objects, "-o", "program"]
    facts = {"cpus": len(os.sched_getaffinity(0))}
    facts["plain_calls"], _, facts["plain_warnings"] = calls("gcc", "-O2", "-flto", *link)
    facts["auto_calls"], facts["auto_jobs"], facts["auto_warnings"] = calls("gcc", "-O2", "-flto=auto", *link)
    for name, plus in (("nested", ""), ("nested_plus", "+")):
        pathlib.Path(f"{name}.mk").write_text(NESTED.format(plus=plus))
        pathlib.Path("program").unlink(missing_ok=True)
        facts[f"{name}_calls"], facts[f"{name}_jobs"], _ = calls(
            "make", "-s", "-j5", "-f", f"{name}.mk", f"MAKE={os.getcwd()}/mymake")
    return facts


def main() -> None:
    facts = {"names": names, "times": times, "lto": lto}[sys.argv[1]]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        print(json.dumps(facts()))


if __name__ == "__main__":
    main()
