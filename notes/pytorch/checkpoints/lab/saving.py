"""Saving that is cut short, and saving that survives it.

    python3 saving.py           the cases, then counts as JSON
    python3 saving.py plain     torch.save twice, between marks for strace
    python3 saving.py atomic    the same with save()
"""

import contextlib
import json
import os
import re
import signal
import sys
import zipfile
from functools import partial

import torch

PATH = "model.pt"
STATE = {"model": torch.zeros(1 << 20), "step": 1}


def save(thing, path):
    """Writes the file so that path holds the old or the new one, also after a crash."""
    with open(f"{path}.part", "wb") as file:
        torch.save(thing, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.part", path)
    folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def first(error):
    """Its first sentence, without the place in the C++ source, and the line that names an operand."""
    lines = re.sub(r"\[enforce fail at [^]]*\] \. ", "", str(error)).splitlines() or [""]
    operand = [line for line in lines if line.startswith("Unsupported operand")]
    return lines[0].split(". ")[0] + "".join(f"; {line}" for line in operand)


def tried(what, body):
    """Prints the first line of the error that body() raises, and says whether there was one."""
    try:
        body()
    except Exception as error:
        print(f"{what}: {type(error).__name__} {first(error)}".rstrip())
        if error.__context__ and "operand" not in str(error):
            print(f"  and before it: {first(error.__context__)}")
        return 1
    print(f"{what}: no error")
    return 0


def killed(how):
    """Bytes at PATH after a process was killed in the middle of a save over a whole file."""
    save(STATE, PATH)
    if not os.fork():

        class Dies:
            def __reduce__(self):
                os.kill(os.getpid(), signal.SIGKILL)

        how(STATE | {"last": Dies()}, PATH)
    os.wait()
    return os.path.getsize(PATH)


def main():
    result = {"whole": 0}
    save(STATE, PATH)
    result["whole"] = os.path.getsize(PATH)
    for name, how in [("plain", torch.save), ("atomic", save)]:
        result[f"{name}_left"] = killed(how)
        print(f"killed in {how.__name__ if how is save else 'torch.save'}: {result[f'{name}_left']:,} bytes left")
        result[f"{name}_error"] = tried("  torch.load", lambda: torch.load(PATH))
    for what, text in [("Git LFS pointer", "version https://git-lfs.github.com/spec/v1"), ("page", "<!DOCTYPE html>")]:
        with open("text.pt", "w") as file:
            file.write(f"{text}\n")
        tried(f"a {what} instead", partial(torch.load, "text.pt"))
    save(STATE, PATH)
    os.truncate(PATH, result["whole"] // 2)
    result["half_error"] = tried("half of a file", lambda: torch.load(PATH))
    result["full_error"] = tried("disk full", lambda: torch.save(STATE, "/dev/full"))
    save(STATE, PATH)
    with open(PATH, "r+b") as file:
        file.seek(result["whole"] // 2)
        file.write(b"\1")
    result["flipped_error"] = tried("a changed byte", lambda: torch.load(PATH))
    result["flipped_mapped"] = tried("a changed byte, mmap=True", partial(torch.load, PATH, mmap=True))
    with zipfile.ZipFile(PATH) as archive:
        print("  zipfile.testzip:", archive.testzip())
    torch.save(torch.nn.Linear(2, 2), PATH)
    result["model_error"] = tried("a whole model", lambda: torch.load(PATH))
    print(json.dumps(result))


def mark(text):
    """A write that fails, which strace sees."""
    with contextlib.suppress(OSError):
        os.write(-1, text)


def marked(how):
    how(STATE, PATH)
    mark(b"perfnotes:begin")
    how(STATE, PATH)
    mark(b"perfnotes:end")


if __name__ == "__main__":
    if sys.argv[1:]:
        marked({"plain": torch.save, "atomic": save}[sys.argv[1]])
    else:
        main()
