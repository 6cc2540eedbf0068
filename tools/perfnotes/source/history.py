"""History: when each file changed last and who changed it, as git recorded it.

It is no error if git is not installed, or if the history is missing or shallow.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field

from perfnotes.model.contributor import name_and_address, shown_name
from perfnotes.source.git import GitError, NoGitError, PlantedRepositoryError, git, objects


class History(Struct, frozen=True):
    """When each file changed last, and who changed it.

    ``dates`` maps a file (relative to ``root``) to the day of its last commit, and ``commits`` to
    the hash of that commit. ``people`` maps a file to everybody who changed it, each with the
    number of that person's first commit to the file. The newest commit has the number -1, the one
    before it -2 and so on, so that an earlier commit has a smaller number. ``missing`` says in one
    sentence why there is no history, or is empty.
    """

    root: Path | None = None
    dates: dict[str, str] = field(default_factory=dict)
    latest: str = ""  # the day of the newest commit
    # The time of the newest commit, in seconds since 1970.
    timestamp: int = 0
    missing: str = ""
    people: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    commits: Mapping[str, str] = field(default_factory=dict)

    def date(self, file: str) -> str:
        """Return the day of the file's last commit, or "" if it is not known."""
        return self.dates.get(file, "")

    def versions(self, file: str) -> list[str]:
        """Return every text that ``file`` had, newest first; none if git cannot tell."""
        if self.root is None or self.missing:
            return []
        texts: list[bytes | None] = []
        with suppress(GitError):
            commits = _git(self.root, "log", "--format=%H", "--", file).split()
            texts = objects(self.root, [f"{commit}:./{file}" for commit in commits])
        # None where the commit removed the file, or where this clone has no old texts.
        return [text.decode("utf-8", "replace") for text in texts if text is not None]


# These override a user's git settings, so that the output is the same everywhere.
_FIXED = ("--no-renames", "--no-show-signature", "--diff-merges=off", "--no-ext-diff")
_SETTINGS = tuple(
    part
    for setting in ("log.showRoot=true", "log.follow=false", "i18n.logOutputEncoding=UTF-8",
                    "mailmap.file=", "mailmap.blob=", "trailer.separators=:")
    for part in ("-c", setting)
)  # fmt: skip
# For each commit: its hash, its day, its time in seconds, the author and the co-authors.
_FORMAT = (
    "%x01%H %cs %ct%x02%aN%x02%aE%x02%(trailers:key=Co-authored-by,valueonly,unfold,separator=%x02)"
)
_HEAD = re.compile(
    r"\x01(?P<commit>[0-9a-f]+) (?P<day>\d+-\d\d-\d\d) (?P<seconds>-?\d+)"
    r"\x02(?P<name>[^\x02]*)\x02(?P<address>[^\x02]*)\x02(?P<others>.*)"
)
_LONGEST = 500  # characters of a co-author; a longer text is ignored
_AT_ONCE = 200  # names that one git process looks up


def read_history(folder: Path) -> History:
    """Read the history of ``folder``, which may be a repository or lie inside one."""
    try:
        if _git(folder, "rev-parse", "--is-shallow-repository").strip() == "true":
            return _missing("the git history is shallow", "git fetch --unshallow gets the rest")
        how = (f"--format={_FORMAT}", "--name-only", "-z", "--relative", *_FIXED)
        log = _git(folder, "log", *how, "--", ".")
    except NoGitError:
        return _missing("git is not installed", "install git and build again")
    except PlantedRepositoryError as error:
        return _missing("the notes hold a git repository as plain files", str(error))
    except GitError as error:
        if "dubious ownership" in str(error):
            return _missing(
                "git does not trust this folder, whose owner is somebody else",
                "git config --global --add safe.directory, with its path, makes git trust it",
            )
        return _missing("there is no git history here", "a clone has one")
    return _read(folder, log) or _missing("nothing here is in git yet", "git commit records it")


def identity(folder: Path) -> str:
    """Return the name with which this person commits in ``folder``; "" if git knows none."""
    try:
        name = _git(folder, "config", "--get", "user.name")
    except GitError:
        return ""
    return shown_name(name.strip(), "")


def _read(folder: Path, log: str) -> History | None:
    """Read the output of ``git log``, which has the newest commit first; None if it has no file."""
    dates: dict[str, str] = {}
    commits: dict[str, str] = {}
    people: dict[str, dict[str, int]] = {}
    latest, timestamp, day, commit = "", 0, "", ""
    authors: list[str] = []
    number = 0
    chunks = log.replace("\n", "\0").split("\0")
    heads = [found for chunk in chunks if (found := _HEAD.match(chunk))]
    co_authors = _mapped(folder, {c for head in heads for c in _co_authors(head)})
    for chunk in chunks:
        if head := _HEAD.match(chunk):
            commit, day, number = head["commit"], head["day"], number - 1
            latest, timestamp = latest or day, timestamp or int(head["seconds"])
            names = [shown_name(head["name"], head["address"])]
            names += [co_authors.get(c, "") for c in _co_authors(head)]
            authors = [name for name in names if name]
        elif chunk:
            dates.setdefault(chunk, day)
            commits.setdefault(chunk, commit)
            people.setdefault(chunk, {}).update(dict.fromkeys(authors, number))
    if not dates:
        return None
    return History(folder, dates, latest, timestamp, people=people, commits=commits)


def _co_authors(head: re.Match[str]) -> list[str]:
    return [each for each in head["others"].split("\x02") if 0 < len(each.strip()) < _LONGEST]


def _mapped(folder: Path, contacts: set[str]) -> dict[str, str]:
    """Map each co-author as a commit writes it to the name to show, corrected by ``.mailmap``."""
    known = sorted(contacts)
    pairs = {contact: name_and_address(contact) for contact in known}
    asked = [c for c in known if pairs[c][1]]
    for i in range(0, len(asked), _AT_ONCE):
        part = asked[i : i + _AT_ONCE]
        with suppress(GitError):
            contacts_of = ("{} <{}>".format(*pairs[c]) for c in part)
            answers = _git(folder, "check-mailmap", "--", *contacts_of).splitlines()
            if len(answers) == len(part):
                pairs |= {
                    c: name_and_address(answer) for c, answer in zip(part, answers, strict=True)
                }
    return {contact: shown_name(*pair) for contact, pair in pairs.items()}


def _missing(reason: str, hint: str) -> History:
    return History(missing=f"{reason}, so dates of last changes are left out ({hint})")


def _git(folder: Path, *arguments: str) -> str:
    return git(folder, *_SETTINGS, *arguments).decode("utf-8", "replace")
