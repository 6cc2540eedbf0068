"""The cache: results of one run, kept on disk for the next one.

Each value is stored under a hash of everything it depends on: the contents of its input files and
the version of the tool. So no value can be out of date, and the cache may be deleted at any time.

Each file of the cache carries a keyed hash (the seal), and its key lies in the user's own cache
folder. A file that came with a pull request has no valid seal and is ignored before its content is
parsed. Files are replaced whole, so interrupted and concurrent runs leave a complete file. Each
file is limited in size.

What is stored and cannot be read any more is made again. ``Store`` tells of it, since otherwise
nobody would see why a run takes long.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path
from typing import Any

from perfnotes.storage.write import remove_half_written, write_atomically

FOLDER = ".perfnotes-cache"
LARGEST = 16 * 1024 * 1024  # bytes of one section's file
LARGEST_OBJECTS = 96 * 1024 * 1024  # bytes of all objects
_SECRET = 32  # bytes

Tell = Callable[[str], object]  # is told in one sentence what cannot be read or stored


class CacheSection:
    """One file of the cache: JSON values by key, the most recently used first.

    Each line is one entry. It is parsed when ``get`` asks for it, and ``save`` writes it unchanged.
    """

    def __init__(self, file: Path, secret: bytes, tell: Tell = lambda _: None) -> None:
        self._file, self._secret, self._tell = file, secret, tell
        self._new = False
        self._old = self._read()
        self._used: dict[str, str] = {}

    def get(self, key: str) -> Any:
        """Return the value stored under ``key``, or None if there is none."""
        line = self._used.get(key) or self._old.get(key)
        if line is None:
            return None
        self._used[key] = line
        return json.loads(line)[1]

    def put(self, key: str, value: Any) -> None:
        self._used[key] = json.dumps([key, value], ensure_ascii=True, separators=(",", ":"))
        self._new = True

    def entries(self) -> Iterator[tuple[str, Any]]:
        """Yield every key and value: those used in this run first, then the older ones."""
        return ((key, json.loads(line)[1]) for key, line in self._lines())

    def drop(self, key: str) -> None:
        """Forget a value."""
        self._old.pop(key, None)
        self._used.pop(key, None)
        self._new = True

    def save(self) -> None:
        """Write the file if anything changed. A folder that cannot be written is no error."""
        if not self._new or not self._secret:
            return
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._file, _sealed(self._body(), self._secret))
        self._new = False

    def _lines(self) -> Iterator[tuple[str, str]]:
        yield from reversed(list(self._used.items()))
        yield from ((k, v) for k, v in self._old.items() if k not in self._used)

    def _body(self) -> bytes:
        """Return the most recently used entries, as many as fit in ``LARGEST`` bytes."""
        lines: list[str] = []
        size = 0
        for _, line in self._lines():
            size += len(line) + 1
            if size > LARGEST:
                break
            lines.append(line)
        return "\n".join(lines).encode()

    def _read(self) -> dict[str, str]:
        try:
            if not self._secret or self._file.stat().st_size > LARGEST + 256:
                return {}
            body = _unsealed(self._file.read_bytes(), self._secret)
            if not body:
                self._tell(f"{self._file.name} of the cache was not written by this user")
            return {_key_of(line): line for line in body.decode().split("\n") if line}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, RecursionError) as error:
            self._tell(f"{self._file.name} of the cache cannot be read: {error!r}")
            return {}


def _key_of(line: str) -> str:
    """Return the key of a line ``["key",value]`` without parsing the value."""
    end = line.index('",')
    if "\\" in line[:end]:
        return str(json.loads(line)[0])
    return line[2:end]


class Objects:
    """One file of the cache: pickled Python objects by key. ``get`` unpickles one object."""

    def __init__(self, file: Path, secret: bytes, tell: Tell = lambda _: None) -> None:
        self._file, self._secret, self._tell = file, secret, tell
        self._old = self._read()
        self._used: dict[str, bytes] = {}
        self._new = False

    def get(self, key: str) -> Any:
        """Return the object stored under ``key``, or None if there is none or it cannot be read."""
        data = self._used.get(key) or self._old.get(key)
        if data is None:
            return None
        try:
            value = pickle.loads(data)
        except Exception as error:  # if its class has changed, unpickling can raise anything
            self._tell(f"a value in {self._file.name} of the cache cannot be read: {error!r}")
            return None
        self._used[key] = data
        return value

    def put(self, key: str, value: object) -> None:
        """Store a pickled copy of ``value``. An object that cannot be pickled is not stored."""
        if not self._secret:
            return
        try:
            self._used[key] = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
            self._new = True
        except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
            self._tell(f"a value for {self._file.name} of the cache cannot be stored: {error!r}")

    def save(self) -> None:
        """Write the objects that this run used, up to ``LARGEST_OBJECTS`` bytes.

        Objects that it did not use are dropped: their texts have changed or were removed.
        """
        if not self._new or not self._secret:
            return
        kept: dict[str, bytes] = {}
        size = 0
        for key, data in self._used.items():
            size += len(data)
            if size > LARGEST_OBJECTS:
                break
            kept[key] = data
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            body = pickle.dumps(kept, pickle.HIGHEST_PROTOCOL)
            write_atomically(self._file, _sealed(body, self._secret))
        self._new = False

    def close(self) -> None:
        """Save, then free all objects. Afterwards ``get`` returns None and ``put`` does nothing."""
        self.save()
        self._old, self._used, self._secret = {}, {}, b""

    def _read(self) -> dict[str, bytes]:
        try:
            if not self._secret or self._file.stat().st_size > 2 * LARGEST_OBJECTS:
                return {}
            body = _unsealed(self._file.read_bytes(), self._secret)
            if not body:
                self._tell(f"{self._file.name} of the cache was not written by this user")
            return dict(pickle.loads(body)) if body else {}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, EOFError, pickle.UnpicklingError) as error:
            self._tell(f"{self._file.name} of the cache cannot be read: {error!r}")
            return {}


class Cache:
    """The cache of a project. ``folder`` is its ``.perfnotes-cache``, or None for no cache."""

    def __init__(self, folder: Path | None, tell: Tell = lambda _: None) -> None:
        self.folder = folder
        self._tell = tell
        self._sections: dict[str, CacheSection] = {}
        self._objects: dict[str, Objects] = {}

    def section(self, name: str) -> CacheSection:
        """Return the section ``name``. Its file is read on the first call."""
        if name not in self._sections:
            folder = self.folder or Path(os.devnull)
            secret = _secret() if self.folder else b""
            self._sections[name] = CacheSection(folder / f"{name}.jsonl", secret, self._tell)
        return self._sections[name]

    def objects(self, name: str) -> Objects:
        """Return the file of Python objects ``name``. It is read on the first call."""
        if name not in self._objects:
            folder = self.folder or Path(os.devnull)
            secret = _secret() if self.folder else b""
            self._objects[name] = Objects(folder / f"{name}.pickle", secret, self._tell)
        return self._objects[name]

    def save(self) -> None:
        for section in self._sections.values():
            section.save()
        for objects in self._objects.values():
            objects.save()
        if self.folder:
            with suppress(OSError):
                remove_half_written(self.folder)


def digest(*parts: str | bytes) -> str:
    """Return a hash of the parts as 32 hex digits.

    The length of each part is hashed too, so ("ab", "c") and ("a", "bc") differ.
    """
    result = blake2b(digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        result.update(len(data).to_bytes(8, "little"))
        result.update(data)
    return result.hexdigest()


def content_digest(data: bytes) -> str:
    """Return a hash of one file's bytes as 32 hex digits."""
    return blake2b(data, digest_size=16).hexdigest()


@cache
def tool() -> str:
    """Return a hash of this program: its own files, Python, and the installed packages."""
    here = Path(__file__).parents[1]
    parts: list[str | bytes] = [sys.version, sys.platform]
    for base, folders, names in os.walk(here):
        folders[:] = sorted(f for f in folders if f != "__pycache__")
        for name in sorted(names):
            if name.endswith((".py", ".json")):
                file = f"{base}/{name}"
                parts += [os.path.relpath(file, here), Path(file).read_bytes()]
    return digest(*parts, *_packages())


def _packages() -> Iterator[str]:
    for place in sys.path:
        if place.endswith("-packages"):
            with suppress(OSError):
                yield from sorted(n for n in os.listdir(place) if n.endswith("-info"))  # noqa: PTH208


def _sealed(body: bytes, secret: bytes) -> bytes:
    return _seal(body, secret) + b"\n" + body


def _unsealed(data: bytes, secret: bytes) -> bytes:
    """Return the body of a sealed file, or no bytes if the seal was not made with this key."""
    seal, _, body = data.partition(b"\n")
    return body if compare_digest(seal, _seal(body, secret)) else b""


def _seal(body: bytes, secret: bytes) -> bytes:
    return blake2b(body, digest_size=32, key=secret).hexdigest().encode()


def _secret() -> bytes:
    """Return this user's key, which is made on first use, or no bytes if it cannot be stored."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    file = Path(home) / "perfnotes" / "key"
    for _ in range(2):
        try:
            secret = file.read_bytes()
            return secret if len(secret) == _SECRET else b""
        except FileNotFoundError:
            with suppress(OSError):
                file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                _make_once(file)
        except OSError:
            return b""
    return b""


def _make_once(file: Path) -> None:
    """Make the key's file. If two runs do this at once, the key of the first one stays."""
    temporary = file.with_name(f".key.{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, os.urandom(_SECRET))
        os.close(descriptor)
        with suppress(FileExistsError):
            os.link(temporary, file)
    finally:
        temporary.unlink(missing_ok=True)
