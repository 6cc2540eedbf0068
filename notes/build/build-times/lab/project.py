"""A small project in C: six files that include one header, with a makefile or a build.ninja."""

import os
import pathlib
import subprocess
import time

FILES = 6

SOURCE = """\
#include <stdio.h>
#include "common.h"
int f{k}(int n)
{{
    printf("%d\\n", n + K);
    return n;
}}
"""
HEADER = """\
#ifndef COMMON_H
#define COMMON_H
#define K 1  // the constant
#endif
"""
MAKEFILE = """\
CFLAGS := -O1
OBJECTS := $(patsubst %.c,%.o,$(wildcard f*.c))
.PHONY: all
all: $(OBJECTS)
%.o: %.c ; gcc $(CFLAGS) -MMD -c $< -o $@
-include $(OBJECTS:.o=.d)
"""
NINJA = """\
flags = -O1
rule cc
  command = gcc $flags -MMD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
"""


def write(folder: pathlib.Path) -> None:
    """Writes the project, with files that are an hour old."""
    folder.mkdir(parents=True, exist_ok=True)
    for k in range(FILES):
        (folder / f"f{k}.c").write_text(SOURCE.format(k=k))
    (folder / "common.h").write_text(HEADER)
    (folder / "Makefile").write_text(MAKEFILE)
    (folder / "build.ninja").write_text(NINJA + "".join(
        f"build f{k}.o: cc f{k}.c\n" for k in range(FILES)))
    age(folder, -3600)


def age(folder: pathlib.Path, seconds: float, pattern: str = "*.[ch]") -> None:
    """Sets the modification times of files to so many seconds from now."""
    moment = time.time() + seconds
    for path in folder.glob(pattern):
        os.utime(path, (moment, moment))


def run(folder: pathlib.Path, *command: str) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(command, cwd=folder, check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.stdout


def compiled(text: str) -> int:
    """How many compilations a build printed."""
    return sum(line.startswith("gcc ") or "] gcc " in line for line in text.splitlines())
