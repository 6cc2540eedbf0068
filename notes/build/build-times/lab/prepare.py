"""Fills the folder in which a section of sessions.txt runs: prepare.py NAME FOLDER"""

import pathlib
import sys

import project

TOP = """\
all: a b
a b: ; make -C $@
.PHONY: all a b
"""


def main() -> None:
    name, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if name == "jobserver":
        (folder / "Makefile").write_text(TOP)
        for part in ("a", "b"):
            (folder / part).mkdir()
            (folder / part / "Makefile").write_text("all: ;\n")
    elif name == "missed":
        project.write(folder / "one")
        project.write(folder / "two")
    elif name != "killed":
        project.write(folder)


if __name__ == "__main__":
    main()
