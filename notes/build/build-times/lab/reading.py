"""What a file of one line has the compiler read, and what it needs for that. Prints JSON.

    reading.py                the C and C++ libraries, a precompiled header, one file in place of eight
    reading.py torch          torch/extension.h, which the Python that runs this has
"""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

HEADERS = ("", "stdio.h", "vector", "iostream", "regex")
LINE = "int f(int n) {{ return n + {k}; }}\n"


def output(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, check=True, capture_output=True, text=True)


def lines(*arguments: str) -> int:
    """Lines that are left for the compiler after preprocessing."""
    return output("g++", "-E", "-P", *arguments).stdout.count("\n")


def headers(text: str) -> list[str]:
    """The lines of -H: a dot for each level, `!` for a precompiled header, `x` for one refused."""
    return [line for line in text.splitlines() if line.startswith((".", "! ", "x "))]


def opened(*arguments: str) -> list[str]:
    return headers(output("g++", "-H", "-fsyntax-only", *arguments).stderr)


def compiled(*arguments: str) -> tuple[int, int]:
    """Different headers of a compilation, and the peak resident bytes of its largest process."""
    with open("opened", "w", encoding="utf-8") as log:
        process = subprocess.Popen(["g++", "-O2", "-H", "-c", *arguments], stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"g++ {' '.join(arguments)} failed")
    text = pathlib.Path("opened").read_text(encoding="utf-8")
    return len({line.lstrip(". ") for line in headers(text)}), usage.ru_maxrss * 1024


def libraries() -> dict[str, int]:
    facts = {}
    for header in HEADERS:
        name = header.removesuffix(".h") or "nothing"
        file = pathlib.Path("one.cpp")
        file.write_text((f"#include <{header}>\n" if header else "") + LINE.format(k=1))
        facts[f"{name}_lines"] = lines(str(file))
        facts[f"{name}_headers"], facts[f"{name}_memory"] = compiled(str(file))
    pathlib.Path("used.cpp").write_text(
        "#include <regex>\n#include <string>\n"
        'bool f(const std::string &s) { return std::regex_search(s, std::regex("a+b")); }\n')
    facts["used_lines"] = lines("used.cpp")
    _, facts["used_memory"] = compiled("used.cpp")
    _, facts["used_debug_memory"] = compiled("-g", "used.cpp")
    return facts


def fewer() -> dict[str, int]:
    """Eight files that include <iostream>: each alone, as one, and with a precompiled header."""
    names = []
    for k in range(8):
        names.append(f"part{k}.cpp")
        pathlib.Path(names[-1]).write_text('#include "all.h"\n' + LINE.format(k=k).replace("f(", f"f{k}("))
    pathlib.Path("all.h").write_text("#pragma once\n#include <iostream>\n")
    pathlib.Path("unity.cpp").write_text("".join(f'#include "{name}"\n' for name in names))
    facts = {"apart_lines": sum(lines(name) for name in names), "unity_lines": lines("unity.cpp")}
    facts["plain_opened"] = len(opened("-O2", names[0]))
    output("g++", "-O2", "-x", "c++-header", "all.h", "-o", "all.h.gch")
    facts["pch_opened"] = len(opened("-O2", names[0]))
    facts["pch_used"] = sum(line.startswith("! ") for line in opened("-O2", names[0]))
    facts["pch_other_flags"] = sum(line.startswith("! ") for line in opened("-O0", names[0]))
    facts["pch_bytes"] = os.path.getsize("all.h.gch")
    return facts


def debug() -> dict[str, int]:
    """The object file of used.cpp: plain, with -g, and with -g and its information in a file beside it."""
    facts = {}
    for name, flags in (("plain", []), ("g", ["-g"]), ("split", ["-g", "-gsplit-dwarf"])):
        output("g++", *flags, "-c", "used.cpp", "-o", f"{name}.o")
        facts[f"object_{name}"] = os.path.getsize(f"{name}.o")
    facts["object_dwo"] = os.path.getsize("split.dwo")
    return facts


def torch() -> dict[str, int]:
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        raise SystemExit("needs torch")
    root = pathlib.Path(spec.origin).parent / "include"
    places = [root, root / "torch/csrc/api/include", sysconfig.get_paths()["include"]]
    flags = ["-std=c++20", *(f"-I{place}" for place in places)]
    file = pathlib.Path("extension.cpp")
    file.write_text("#include <torch/extension.h>\n" + LINE.format(k=1))
    read, memory = compiled(*flags, str(file))
    return {"lines": lines(*flags, str(file)), "headers": read, "memory": memory}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        facts = torch() if sys.argv[1:] == ["torch"] else libraries() | fewer() | debug()
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
