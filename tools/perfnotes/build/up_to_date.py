"""Whether the site that stands is what a build would make: then there is nothing to do.

What a site was made from is one hash, over the contents of every file and what git tells of them.
The site itself is known by the names, sizes and times of its files, for it is ours. One in which
something was changed, taken away or added by somebody else is put together again from the files
that the cache keeps.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from perfnotes.build.page_cache import Files
from perfnotes.source.git import GitError, git
from perfnotes.source.inputs import Inputs, file_content, folder_digest
from perfnotes.storage.digests import digest, tool
from perfnotes.storage.exchange import complete
from perfnotes.storage.listing import Listing
from perfnotes.storage.store import Store
from perfnotes.storage.write import NewFolder, is_replaceable

_SITES, _BUILT = "sites", "built"


class Standing:
    """A site by its ``name``; ``inputs`` is the hash of what it is to be made from."""

    def __init__(self, store: Store, name: str, inputs: str) -> None:
        self._store, self._name, self._inputs = store, name, inputs
        self._known = store.section(_SITES)
        self._listing: Listing | None = None  # of the site, as ``stands`` found it

    @cached_property
    def _entry(self) -> dict[str, Any] | None:
        """What the last build wrote down of the site."""
        entry: dict[str, Any] | None = self._known.get(self._name)
        return entry

    def complete(self) -> None:
        """Do the rest of a build that was killed while it exchanged files of the site."""
        if self._entry:
            complete(Path(self._entry["place"]))

    def made(self) -> dict[str, Any] | None:
        """What was said of the build that made the site, which stands now; or None: make it."""
        entry = self._entry
        if not entry or entry["inputs"] != self._inputs:
            return None
        if _themes(entry["themes"]) != entry["theme"]:
            return None
        site = Path(entry["place"])
        files = entry["files"]
        if Listing(site, files).digest != entry["listed"]:
            if not self._put_together(site, files):
                return None
            entry = {**entry, "listed": Listing(site, files).digest}
            self._known.put(self._name, entry)
            self._store.save()
        return entry

    def known(self) -> dict[str, Any] | None:
        """What this version of the program wrote down of the site, if it is there."""
        entry = self._entry
        if not entry or entry.get("tool") != tool():
            return None
        return entry if Path(entry["place"]).is_dir() else None

    def put_into(self, site: Path, fixed: str) -> bool:
        """Put the site that was written down together in another folder, where it stands then.

        Returns False if another version of the program wrote it down, or with other settings than
        ``fixed``, or if a file of it is not kept any more.
        """
        entry = self._entry
        if not entry or (entry.get("tool"), entry.get("fixed")) != (tool(), fixed):
            return False
        files = entry["files"]
        if not self._put_together(site, files):
            return False
        self._entry = {**entry, "place": str(site), "listed": Listing(site, files).digest}
        return True

    def stands(self, entry: Mapping[str, Any]) -> bool:
        """Whether the site and the theme are as they were written down."""
        self._listing = Listing(Path(entry["place"]), entry["files"])
        unchanged: bool = self._listing.digest == entry["listed"]
        return unchanged and _themes(entry["themes"]) == entry["theme"]

    def size_of(self, path: str) -> int:
        """The bytes of a file of the site, as ``stands`` found it."""
        assert self._listing, "the site has been looked at"
        return self._listing.size_of(path)

    def _put_together(self, site: Path, files: Mapping[str, str]) -> bool:
        """Put the site in its place once more, if every file of it is kept."""
        if not files or not is_replaceable(site):
            return False
        new = NewFolder(site)
        try:
            if not Files(self._store).put_all(new.make(), files):
                return False
            new.publish()
        finally:
            new.drop()
        return True

    def keep(self, site: Path, digests: Mapping[str, str]) -> dict[str, str]:
        """Keep every file of ``site`` but those whose ``digests`` are known; those of all files."""
        kept = Files(self._store)
        files = kept.keep_all(site, digests)
        kept.save()
        return files

    def record(
        self,
        site: Path,
        themes: Iterable[str],
        files: Mapping[str, str],
        written: Iterable[str] | None = None,
        **said: Any,
    ) -> None:
        """Write down what stands in ``site`` now; ``said`` comes back from ``made``.

        ``files`` are the digests of all its files, which are kept. ``written`` are those that are
        others since ``stands`` looked; without it the folder is looked through.
        """
        folders = sorted(themes)
        entry = {
            "tool": tool(),
            "inputs": self._inputs,
            "themes": folders,
            "theme": _themes(folders),
            "place": str(site),
            "listed": self._listed(site, files, written),
            "files": files,
        }
        self._known.put(self._name, entry | said)
        self._store.save()

    def _listed(self, site: Path, files: Collection[str], written: Iterable[str] | None) -> str:
        if self._listing is None or written is None:
            # Without a cache folder ``files`` is empty, although the site has files.
            return Listing(site, files or None).digest
        self._listing.refresh(written)
        return self._listing.digest


def note_inputs(store: Store, name: str, inputs: Inputs) -> None:
    """Write down what the last whole build of a site was made from."""
    store.section(_BUILT).put(name, [inputs.frame, inputs.files])


def changed_since(store: Store, name: str, inputs: Inputs) -> list[str] | None:
    """The files of the notes that are others than in the last whole build; None where more is."""
    known = store.section(_BUILT).get(name)
    if not known or known[0] != inputs.frame:
        return None
    before, now = known[1], inputs.files
    paths = sorted(before.keys() | now.keys())
    return [path for path in paths if before.get(path) != now.get(path)]


def copy_site(store: Store, name: str, to: str) -> None:
    """Write down for the site ``to`` what is written down of the site ``name``."""
    for section in (_SITES, _BUILT):
        store.section(section).copy(name, to)


def fixed_settings(root: Path, *more: str) -> str:
    """Return a digest of the settings that no build after an edit may find different.

    ``more`` are those that a command gives besides ``mkdocs.yml``.
    """
    day = os.environ.get("SOURCE_DATE_EPOCH", "")
    return digest(file_content(root / "mkdocs.yml"), day, *more)


def _themes(folders: Iterable[str]) -> str:
    return digest(*(folder_digest(Path(folder), folder) for folder in folders))


def git_state(root: Path) -> str:
    """What the dates and names of a site depend on: the commit, and how names are written."""
    try:
        said = git(root, "rev-parse", "--is-shallow-repository", "HEAD")
    except GitError as error:
        said = str(error).encode()
    return digest(said, file_content(root / ".mailmap"))
