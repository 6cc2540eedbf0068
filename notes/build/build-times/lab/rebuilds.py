"""What make and ninja compile again after a change, and after none. Prints JSON."""

import json
import pathlib
import subprocess
import tempfile
import time

import project
from project import compiled, run

# The header is made by a rule. FORCE makes the rule run in each build; the second recipe leaves the
# file alone if its text is the same.
GENERATED = """\
$(OBJECTS): common.h
common.h: FORCE ; {recipe}
FORCE:
"""
ALWAYS = "printf '#define K 1\\n' > $@"
IF_CHANGED = "printf '#define K 1\\n' > $@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@"

NINJA_GENERATED = """\
rule generate
  command = {command}
{restat}build always: phony
build common.h: generate always
"""

# The rule of the object does not name the header that it needs.
INCOMPLETE = """\
.PHONY: all
all: generated.h user.o
generated.h: ; sleep 1; echo '#define N 1' > $@
user.o: user.c{needs} ; gcc -c user.c -o $@
"""


GRAIN = 0.05    # seconds: longer than the steps in which the kernel counts the times of files


def make(folder: pathlib.Path) -> int:
    time.sleep(GRAIN)
    return compiled(run(folder, "make"))


def ninja(folder: pathlib.Path) -> int:
    time.sleep(GRAIN)
    return compiled(run(folder, "ninja", "-v"))


def plain(folder: pathlib.Path) -> dict[str, int]:
    """Nothing changed; the header touched; other flags; the header an hour in the future."""
    facts = {}
    for name, build in (("make", make), ("ninja", ninja)):
        project.write(folder)
        run(folder, "rm", "-rf", *(str(path) for path in folder.glob("*.o")), ".ninja_log", ".ninja_deps")
        facts[f"{name}_first"] = build(folder)
        facts[f"{name}_again"] = build(folder)
        project.age(folder, 0, "common.h")
        facts[f"{name}_touched"] = build(folder)
        for path, old in ((folder / "Makefile", "CFLAGS := -O1"), (folder / "build.ninja", "flags = -O1")):
            path.write_text(path.read_text().replace(old, old.replace("-O1", "-O2")))
        facts[f"{name}_flags"] = build(folder)
        project.age(folder, 3600, "common.h")
        facts[f"{name}_future"] = build(folder)
        facts[f"{name}_future_again"] = build(folder)
        if name == "make":
            facts["skew_lines"] = run(folder, "make").count("Clock skew detected")
        project.age(folder, 0, "common.h")
        build(folder)
        facts[f"{name}_mended"] = build(folder)
        facts[f"{name}_skew_mended"] = run(folder, name).count("Clock skew detected")
    return facts


def branches(folder: pathlib.Path) -> dict[str, int]:
    """A branch with another header, and back to the first one."""
    git = ("git", "-c", "user.name=lab", "-c", "user.email=lab@example.invalid")
    project.write(folder)
    (folder / ".gitignore").write_text("*.o\n*.d\n")
    run(folder, "git", "init", "-q", "-b", "first")
    run(folder, "git", "add", ".")
    run(folder, *git, "commit", "-q", "-m", "first")
    make(folder)
    run(folder, "git", "checkout", "-q", "-b", "second")
    header = folder / "common.h"
    header.write_text(header.read_text().replace("K 1", "K 2"))
    run(folder, *git, "commit", "-q", "-a", "-m", "second")
    run(folder, "git", "checkout", "-q", "first")
    return {"branch_back": make(folder), "branch_again": make(folder)}


def generated(folder: pathlib.Path, recipe: str) -> int:
    """Compilations of a second build whose header is generated in each build."""
    project.write(folder)
    with (folder / "Makefile").open("a") as file:
        file.write(GENERATED.format(recipe=recipe))
    make(folder)
    return make(folder)


def generated_ninja(folder: pathlib.Path, restat: str) -> int:
    project.write(folder)
    (folder / "generate.sh").write_text(IF_CHANGED.replace("$@", "common.h"))
    text = (folder / "build.ninja").read_text().replace(".c\n", ".c | common.h\n")
    text += NINJA_GENERATED.format(command="sh generate.sh", restat=restat)
    (folder / "build.ninja").write_text(text)
    ninja(folder)
    return ninja(folder)


def incomplete(folder: pathlib.Path, needs: str, *options: str) -> int:
    """The exit status of a build in which a prerequisite is missing, or not."""
    folder.mkdir()
    (folder / "user.c").write_text('#include "generated.h"\nint n = N;\n')
    (folder / "Makefile").write_text(INCOMPLETE.format(needs=needs))
    return subprocess.run(["make", "-s", *options], cwd=folder, capture_output=True).returncode


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        base = pathlib.Path(name)
        facts = plain(base / "plain") | branches(base / "branches")
        facts["generated_always"] = generated(base / "always", ALWAYS)
        facts["generated_if_changed"] = generated(base / "if_changed", IF_CHANGED)
        facts["ninja_no_restat"] = generated_ninja(base / "no_restat", "")
        facts["ninja_restat"] = generated_ninja(base / "restat", "  restat = 1\n")
        facts["incomplete_serial"] = incomplete(base / "i1", "")
        facts["incomplete_parallel"] = incomplete(base / "i2", "", "-j2")
        facts["complete_parallel"] = incomplete(base / "i3", " generated.h", "-j2")
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
