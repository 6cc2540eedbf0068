"""Which labs a change touches, and which of their numbers have to be run again.

A lab is touched if any file of its folder differs: ``lab.yml``, a source or a result. Every count
of a touched lab is run again, whether it is a claim or a value. A claim that was a count before the
change and is a timing now is run again as a count, so that no change hides a number from the rerun.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from perfnotes.labs.find import Labs
from perfnotes.model.lab import COUNT, Lab
from perfnotes.review.revision import Revision, resolve, working_files
from perfnotes.source.git import blob_hash
from perfnotes.source.read.labs import make_lab
from perfnotes.text.source import decode


def changed_since(labs: Labs, root: Path, base: str) -> tuple[Labs, list[str]]:
    """Return the labs as a rerun takes them, and the ids of those that differ from ``base``.

    ``root`` is the folder that holds ``notes/``. As for a pull request, the labs are compared with
    the last commit that ``base`` shares with HEAD. Raises ``RevisionError`` if that commit cannot
    be read.
    """
    revision = resolve(root, base, "HEAD")
    before = {path: blob.object for path, blob in revision.files().items()}
    now = _objects(root, revision.commit)
    ids = [id for id in labs.ids if _below(before, labs, id) != _below(now, labs, id)]
    kept = {id: _as_counts(lab, revision, before) for id, lab in labs.labs.items() if id in ids}
    return replace(labs, labs={**labs.labs, **kept}), ids


def _objects(root: Path, like: str) -> dict[str, str]:
    """Return the hash of each file of a lab in the working tree, by path."""
    found = {}
    for path in working_files(root):
        file = root / path
        if "/lab/" in path and file.is_file() and not file.is_symlink():
            found[path] = blob_hash(file.read_bytes(), like)
    return found


def _below(objects: dict[str, str], labs: Labs, id: str) -> dict[str, str]:
    """Return the hashes of the files of one lab."""
    prefix = f"{labs.shown}/{id}/lab/"
    return {path: hash for path, hash in objects.items() if path.startswith(prefix)}


def _as_counts(lab: Lab, revision: Revision, before: dict[str, str]) -> Lab:
    """Return the lab, with every claim as a count that was one at the revision."""
    path = lab.source.path
    if path not in before:
        return lab
    object = before[path]
    source, _ = decode(dict(revision.contents([object]))[object], path)
    old = make_lab(source, lab.folder, {})[0] if source else None
    if old is None:
        return lab
    counted = {id for id, value in old.shown.items() if value.kind == COUNT}
    claims = {
        id: replace(claim, kind=COUNT) if id in counted else claim
        for id, claim in lab.claims.items()
    }
    return replace(lab, claims=claims)
