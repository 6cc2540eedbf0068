"""With which options `cmake --build` starts make. Prints JSON: 1 if the option is there, else 0."""

import json
import os
import pathlib
import subprocess
import tempfile

MAKE = """\
#!/bin/sh
echo " $* " >> "{log}"
exec make "$@"
"""


def started(folder: pathlib.Path, log: pathlib.Path, *options: str, level: str = "") -> str:
    """The arguments of make."""
    log.unlink(missing_ok=True)
    environment = os.environ | {"CMAKE_BUILD_PARALLEL_LEVEL": level}
    if not level:
        del environment["CMAKE_BUILD_PARALLEL_LEVEL"]
    subprocess.run(["cmake", "--build", str(folder), *options], check=True, env=environment,
                   stdout=subprocess.DEVNULL)
    return log.read_text().splitlines()[0]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        source = pathlib.Path(name)
        folder, make, log = source / "build", source / "mymake", source / "log"
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.16)\nproject(program C)\nadd_executable(program main.c)\n")
        (source / "main.c").write_text("int main(void) { return 0; }\n")
        make.write_text(MAKE.format(log=log))
        make.chmod(0o755)
        subprocess.run(["cmake", "-G", "Unix Makefiles", f"-DCMAKE_MAKE_PROGRAM={make}", "-S", name,
                        "-B", str(folder)], check=True, stdout=subprocess.DEVNULL)
        facts = {"none": started(folder, log).count(" -j"),
                 "bare": started(folder, log, "-j").count(" -j "),
                 "three": started(folder, log, level="3").count(" -j3 "),
                 "three_bare": started(folder, log, level="3").count(" -j ")}
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
