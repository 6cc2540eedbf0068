"""The seal of a stored value: a keyed hash, whose key lies in the user's own cache folder.

A value that came with a pull request has no valid seal, because whoever wrote it does not know the
key. Such a value is not used, and not even parsed.
"""

from __future__ import annotations

import hmac
import os
from contextlib import suppress
from pathlib import Path

_SIZE = 32  # bytes of the key and of a seal


class Sealer:
    """Makes and compares seals with one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def seal(self, *parts: bytes) -> bytes:
        """Return the seal of the parts. Their lengths count, so moving a byte changes the seal."""
        # An edit reads 30 MB, and many processors compute SHA-256 twice as fast as BLAKE2.
        result = hmac.new(self._key, digestmod="sha256")
        for part in parts:
            result.update(len(part).to_bytes(8, "little"))
            result.update(part)
        return result.digest()

    def is_valid(self, seal: object, *parts: bytes) -> bool:
        return isinstance(seal, bytes) and hmac.compare_digest(seal, self.seal(*parts))


def user_cache() -> Path:
    """Return the folder of perfnotes in this user's cache, which need not exist."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    return Path(home) / "perfnotes"


def user_key() -> bytes:
    """Return this user's key, which is made on first use, or no bytes if it cannot be stored."""
    file = user_cache() / "key"
    for _ in range(2):
        try:
            key = file.read_bytes()
            return key if len(key) == _SIZE else b""
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
        os.write(descriptor, os.urandom(_SIZE))
        os.close(descriptor)
        with suppress(FileExistsError):
            os.link(temporary, file)
    finally:
        temporary.unlink(missing_ok=True)
