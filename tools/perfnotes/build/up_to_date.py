"""Whether a site is what a build would make: then there is nothing to do.

What a site was made from is one hash, over the contents of every file and what git tells of them.
The site itself is known by the names, sizes and times of its files, because only builds write
there. If somebody changed, removed or added a file in it, the site is restored from the files that
the cache keeps.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict, replace

from perfnotes.build.page_cache import KeptFiles
from perfnotes.source.git import GitError, git
from perfnotes.source.inputs import Inputs, file_content, folder_digest
from perfnotes.storage.digests import digest, program_digest
from perfnotes.storage.exchange import finish_interrupted
from perfnotes.storage.listing import Listing
from perfnotes.storage.replaceable import is_replaceable
from perfnotes.storage.store import Store
from perfnotes.storage.write import NewFolder

_SITES, _BUILT = "sites", "built"


class SiteState(Struct, frozen=True, kw_only=True):
    """What is stored about a site. ``StoredSite.save`` fills in the last four fields."""

    folder: str  # the site's absolute path
    themes: list[str]  # folders of templates
    files: dict[str, str]  # digests of the site's files by path; empty without a cache folder
    settings: str  # as by ``settings_digest``
    pages: int = 0  # how many
    messages: str = ""  # what the build printed; a build that finds nothing to do prints it again
    strict: bool = False
    lock: str = ""  # the folder that builds of this site lock
    # The mark of the LaterEdits that led to this site. It is empty after a whole build.
    edits_mark: str = ""
    tool: str = ""  # hash of the program
    inputs: str = ""  # hash of everything that the site was made from
    theme: str = ""  # hash of the files in ``themes``
    listing: str = ""  # hash of the names, sizes and times of the site's files


class StoredSite:
    """The state of the site ``name`` in the store.

    ``inputs`` is the hash of everything that the site is made from, as it is now.
    """

    def __init__(self, store: Store, name: str, inputs: str) -> None:
        self._store, self._name, self._inputs = store, name, inputs
        self._section = store.section(_SITES)
        # The files of the site, as ``is_untouched`` found them.
        self._listing: Listing | None = None

    @cached_property
    def _state(self) -> SiteState | None:
        try:
            return convert(self._section.get(self._name), SiteState)
        except ValidationError:  # there is none, or an earlier version of the program wrote it
            return None

    def finish_interrupted(self) -> None:
        """Do the rest of a build that was killed while it exchanged files of the site."""
        if self._state:
            finish_interrupted(Path(self._state.folder))

    def up_to_date(self) -> SiteState | None:
        """Return the state if the site is what a build would make now, else None.

        Files that somebody changed in the site are restored first.
        """
        state = self._of_these_inputs
        if not state:
            return None
        site = Path(state.folder)
        if Listing(site, state.files).digest != state.listing:
            if not self._restore(site, state.files):
                return None
            state = replace(state, listing=Listing(site, state.files).digest)
            self._section.put(self._name, asdict(state))
            self._store.save()
        return state

    def current_folder(self) -> Path | None:
        """Return the site's folder if it is what a build would make now, else None.

        Unlike ``up_to_date``, this restores nothing in a site that somebody changed.
        """
        state = self._of_these_inputs
        if state and Listing(Path(state.folder), state.files).digest == state.listing:
            return Path(state.folder)
        return None

    @property
    def _of_these_inputs(self) -> SiteState | None:
        """The state if the site was made from the inputs and the themes as they are now."""
        state = self._state
        if not state or state.inputs != self._inputs or _themes_digest(state.themes) != state.theme:
            return None
        return state

    def last(self) -> SiteState | None:
        """Return the state if this version of the program stored it and the site is there."""
        state = self._state
        if not state or state.tool != program_digest():
            return None
        return state if Path(state.folder).is_dir() else None

    def restore_into(self, site: Path, settings: str) -> bool:
        """Put the files of the stored site into the folder ``site``, which becomes its place.

        Returns False if another version of the program made that site, or with other settings than
        ``settings``, or if the cache no longer has one of its files.
        """
        state = self._state
        if not state or (state.tool, state.settings) != (program_digest(), settings):
            return False
        if not self._restore(site, state.files):
            return False
        listing = Listing(site, state.files).digest
        self._state = replace(state, folder=str(site), listing=listing)
        return True

    def is_untouched(self, state: SiteState) -> bool:
        """Whether nobody changed the site or the theme since a build stored ``state``."""
        self._listing = Listing(Path(state.folder), state.files)
        return self._listing.digest == state.listing and _themes_digest(state.themes) == state.theme

    def size_of(self, path: str) -> int:
        """The bytes of a file of the site, as ``is_untouched`` found it."""
        assert self._listing, "is_untouched comes first"
        return self._listing.size_of(path)

    def _restore(self, site: Path, files: Mapping[str, str]) -> bool:
        """Make ``site`` anew from the cache; False if the cache lacks one of its files."""
        if not files or not is_replaceable(site):
            return False
        new = NewFolder(site)
        try:
            if not KeptFiles(self._store).put_all(new.make(), files):
                return False
            new.publish()
        finally:
            new.drop()
        return True

    def keep_files(
        self, site: Path, kept: Mapping[str, str], known: Mapping[str, str]
    ) -> dict[str, str]:
        """Keep every file of ``site`` in the cache and return the digests of all by path.

        The files in ``kept``, digests by path, are kept already; ``known`` are those of others.
        """
        cache = KeptFiles(self._store)
        files = cache.keep_all(site, kept, known)
        cache.save()
        return files

    def save(self, state: SiteState, written: Iterable[str] | None = None) -> None:
        """Store ``state``, that of the site as it is now.

        ``written`` are the paths of the files that were written or removed since ``is_untouched``
        looked at the site. Without it, all files are looked at.
        """
        if self._listing and written is not None:
            self._listing.refresh(written)
            listing = self._listing.digest
        else:
            listing = Listing(Path(state.folder), state.files or None).digest
        state = replace(
            state,
            tool=program_digest(),
            inputs=self._inputs,
            theme=_themes_digest(state.themes),
            listing=listing,
        )
        self._section.put(self._name, asdict(state))
        self._store.save()


def store_inputs(store: Store, name: str, inputs: Inputs) -> None:
    """Store what the last whole build of the site ``name`` was made from."""
    store.section(_BUILT).put(name, [inputs.frame, inputs.files])


def changed_since(store: Store, name: str, inputs: Inputs) -> list[str] | None:
    """Return the files of the notes that differ from the last whole build of the site ``name``.

    Returns None if anything else differs too, or if no whole build is stored.
    """
    known = store.section(_BUILT).get(name)
    if not known or known[0] != inputs.frame:
        return None
    before, now = known[1], inputs.files
    paths = sorted(before.keys() | now.keys())
    return [path for path in paths if before.get(path) != now.get(path)]


def copy_site_state(store: Store, name: str, to: str) -> None:
    """Store for the site ``to`` what is stored for the site ``name``."""
    for section in (_SITES, _BUILT):
        store.section(section).copy(name, to)


def settings_digest(root: Path, *more: str) -> str:
    """Return a digest of the settings: after a change of one, everything is built.

    ``more`` are those that a command gives besides ``mkdocs.yml``.
    """
    timestamp = os.environ.get("SOURCE_DATE_EPOCH", "")
    return digest(file_content(root / "mkdocs.yml"), timestamp, *more)


def _themes_digest(folders: Iterable[str]) -> str:
    return digest(*(folder_digest(Path(folder), folder) for folder in folders))


def git_state(root: Path) -> str:
    """Return a digest of what git tells: the commit, and how names are written (``.mailmap``)."""
    try:
        said = git(root, "rev-parse", "--is-shallow-repository", "HEAD")
    except GitError as error:
        said = str(error).encode()
    return digest(said, file_content(root / ".mailmap"))
