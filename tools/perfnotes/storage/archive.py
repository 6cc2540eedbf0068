"""Packs a built site into one archive, which can be read without a server and without a network.

The same site gives the same bytes: entries are sorted by name, and all carry the time in
``SOURCE_DATE_EPOCH``. A link to a folder is changed to its ``index.html``, because a browser that
opens a folder from disk shows a list of files instead of the page.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import tarfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

from perfnotes.storage.write import write_atomically

KINDS = (".tar.gz", ".tgz", ".zip")
_LINK = re.compile(
    rb'(<(?:a|area|link)\b[^<>]*?\shref="|http-equiv="refresh" content="0; url=)'
    rb'([^"#?:]+)(?=["#?])'
)
_FOLDERS = (b"", b".", b"..")  # an address that ends in one of these parts is a folder's
_ZIP_BEGINS = 315532800  # 1980-01-01 in seconds since 1970: the earliest time a ZIP can hold


def pack(site: Path, target: Path) -> int:
    """Write every file of ``site`` into the archive ``target`` and return its size in bytes.

    The suffix of ``target`` decides the format: ``.zip``, or else a gzipped tar. Raises
    ``ValueError`` if ``SOURCE_DATE_EPOCH`` is no time that the format can hold.
    """
    top = target.name
    for kind in KINDS:
        top = top.removesuffix(kind)
    timestamp = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    make = _zip if target.suffix == ".zip" else _tar
    data = make([(f"{top}/{name}", content) for name, content in _files(site)], timestamp)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, data)
    return len(data)


def _files(site: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(f for f in site.rglob("*") if f.is_file()):
        data = file.read_bytes()
        if file.suffix == ".html":
            data = _LINK.sub(_to_file, data)
        yield file.relative_to(site).as_posix(), data


def _to_file(link: re.Match[bytes]) -> bytes:
    before, address = link.groups()
    if address.rpartition(b"/")[2] in _FOLDERS and not address.startswith(b"//"):
        address = address.removesuffix(b"/") + b"/index.html"
    return bytes(before + address)


def _tar(files: list[tuple[str, bytes]], timestamp: int) -> bytes:
    out = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=out, mode="wb", filename="", mtime=timestamp) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, data in files:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(data), timestamp, 0o644
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def _zip(files: list[tuple[str, bytes]], timestamp: int) -> bytes:
    out = io.BytesIO()
    moment = time.gmtime(max(timestamp, _ZIP_BEGINS))
    when = (moment[0], moment[1], moment[2], moment[3], moment[4], moment[5])
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, when)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return out.getvalue()
