"""Posts what a run found about its pull request as one comment, which later runs update.

Of all programs for reviews only this one may write to the repository, so it trusts nothing from a
pull request. The artifact was made by the pull request's own code and may hold anything. Its text
must have the form of ``perfnotes diff --format markdown``, in which strangers' texts are in code
spans: a text with a link, picture, mention or HTML is refused. Its number must belong to a pull
request whose head, by the API, is the commit of the run. Nothing from the artifact reaches a shell,
a path or the log. The program needs only Python, so that no package runs where the token is.

    RUN_ID=… GITHUB_TOKEN=… python3 tools/review/comment.py    # the rest is set by the runner
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

MARKER = "<!-- perfnotes diff -->"
ARTIFACT = "review-comment"
BOT = "github-actions[bot]"
LARGEST = 65_536  # characters of a comment
_LARGEST_FILES = {"comment.md": 4 * LARGEST, "number.txt": 20}
_LARGEST_ARCHIVE = 1 << 20
_GIVEN = ("GITHUB_API_URL", "GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "RUN_ID", "GITHUB_TOKEN")
_PAGES = 50  # of a hundred comments

_OURS = r"[A-Za-z0-9 ,;:.()→-]"
_FOLLOWED = re.compile(r"[:.](?![ ]|$)")  # else it could be an address or an emoji
_TICKS = re.compile("`+")
_NUMBERED = re.compile(r"[A-Za-z]-\d")  # GH-1 would be a link to an issue
_LINE = re.compile(r"(?:  )?- (?:\*\*[A-Za-z, ]+:\*\* )?(?P<item>.+)|(?P<sentence>[A-Z].*)")
_SUMMARY = re.compile(r"<summary>[A-Za-z, ]+ \(\d{1,6}\)</summary>")
_FIXED = ("", "## What changes for readers")


class RefusedError(Exception):
    """Nothing is posted; the message says why and quotes nothing from the artifact."""


class LateError(RefusedError):
    """The comment is not needed any more: the pull request is closed or has a newer head."""


def problem(text: str) -> str:
    """Return why a text may not be posted, or "" if it may."""
    if len(text.encode("utf-16-le")) // 2 > LARGEST - 1000:
        return "it is too long"
    lines = text.removesuffix("\n").split("\n")
    if lines[0] != MARKER:
        return "it does not begin as a comparison does"
    for number, line in enumerate(lines[1:], 2):
        following = lines[number] if number < len(lines) else ""
        if not line.isprintable() or not _is_ours(line, following):
            return f"line {number} has another form than a comparison's"
    return ""


def _is_ours(line: str, following: str) -> bool:
    if line == "<details>":
        return bool(_SUMMARY.fullmatch(following))
    if line == "</details>" or _SUMMARY.fullmatch(line):
        return following == ""  # only a blank line ends a block of HTML
    if line in _FIXED:
        return True
    found = _LINE.fullmatch(line)
    return found is not None and _is_plain(found["item"] or found["sentence"])


def _is_plain(text: str) -> bool:
    """Return whether the text outside code spans has only signs that mean nothing in Markdown."""
    outside, at = [], 0
    while opening := _TICKS.search(text, at):
        outside.append(text[at : opening.start()])
        closing = re.compile(rf"(?<!`){opening[0]}(?!`)").search(text, opening.end())
        if closing is None:
            return False
        at = closing.end()
    outside.append(text[at:])
    return all(
        re.fullmatch(f"{_OURS}*", words)
        and not _FOLLOWED.search(words)
        and not _NUMBERED.search(words)
        for words in outside
    )


@dataclass(frozen=True)
class Api:
    """The code host's API, asked with the token; ``base`` has no slash at its end."""

    base: str
    token: str

    def get(self, path: str) -> Any:
        with self._open("GET", self.base + path) as answer:
            return json.load(answer)

    def send(self, method: str, path: str, data: Mapping[str, str]) -> None:
        with self._open(method, self.base + path, json.dumps(data).encode()):
            pass

    def archive(self, path: str) -> bytes:
        """Return an artifact's ZIP file.

        The API redirects to another host, which must not get the token.
        """
        try:
            with self._open("GET", self.base + path) as answer:
                return _bounded(answer)
        except urllib.error.HTTPError as redirect:
            place = redirect.headers.get("Location", "")
            with redirect:
                if redirect.code not in (301, 302, 303, 307, 308):
                    raise
        if urlsplit(place).scheme != urlsplit(self.base).scheme:
            raise RefusedError("the artifact lies at an address of another kind")
        with _OPENER.open(urllib.request.Request(place), timeout=60) as answer:
            return _bounded(answer)

    def _open(self, method: str, url: str, data: bytes | None = None) -> Any:
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self.token}",
            "X-GitHub-Api-Version": "2022-11-28",
            "User-Agent": "perfnotes",
        }
        request = urllib.request.Request(url, data, headers, method=method)
        return _OPENER.open(request, timeout=60)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, because Python would send the token to the other host too."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def _bounded(answer: Any) -> bytes:
    data: bytes = answer.read(_LARGEST_ARCHIVE + 1)
    if len(data) > _LARGEST_ARCHIVE:
        raise RefusedError("the artifact is too large")
    return data


def files_of(archive: bytes) -> dict[str, str]:
    """Return the artifact's two files by name; ``RefusedError`` if one is missing or too large."""
    found = {}
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as packed:
            for name, largest in _LARGEST_FILES.items():
                with packed.open(name) as file:
                    data = file.read(largest + 1)
                if len(data) > largest:
                    raise RefusedError(f"{name} is too large")
                found[name] = data.decode("utf-8")
    except (KeyError, RuntimeError, UnicodeDecodeError, zipfile.BadZipFile, ValueError) as error:
        raise RefusedError(f"the artifact cannot be read ({type(error).__name__})") from None
    return found


def pull_request(api: Api, repository: str, claimed: str, run: Mapping[str, Any]) -> int:
    """Return the claimed number if that pull request is open and its head is the run's commit.

    Raises ``LateError`` if it is closed or has a newer head, ``RefusedError`` if it is another one.
    """
    if not re.fullmatch(r"[1-9][0-9]{0,8}", claimed):
        raise RefusedError("the pull request's number is no number")
    try:
        found = api.get(f"/repos/{repository}/pulls/{claimed}")
    except urllib.error.HTTPError as error:
        raise RefusedError(f"there is no such pull request ({error.code})") from None
    head, source = found["head"], run["head_repository"]
    if source is None or head["repo"] is None or head["repo"]["id"] != source["id"]:
        raise RefusedError("the pull request is from another repository than the run")
    if head["sha"] != run["head_sha"]:
        raise LateError("the pull request's head is another one than the run's: a newer run tells")
    if found["state"] != "open":
        raise LateError("the pull request is closed")
    return int(claimed)


def post(api: Api, repository: str, number: int, text: str) -> str:
    """Update our comment, or write the first one; return which of the two it did."""
    for comment in _comments(api, repository, number):
        is_ours = (comment["user"] or {}).get("login") == BOT
        if is_ours and comment["body"].startswith(MARKER):
            path = f"/repos/{repository}/issues/comments/{int(comment['id'])}"
            api.send("PATCH", path, {"body": text})
            return "the comment is brought up to date"
    api.send("POST", f"/repos/{repository}/issues/{number}/comments", {"body": text})
    return "the comment is written"


def _comments(api: Api, repository: str, number: int) -> Iterator[Mapping[str, Any]]:
    for page in range(1, _PAGES + 1):
        found = api.get(f"/repos/{repository}/issues/{number}/comments?per_page=100&page={page}")
        yield from found
        if len(found) < 100:
            return


def whole(text: str, run_address: str) -> str:
    """Return the text with a link to the run, which only this program may add."""
    return (
        f"{text.rstrip()}\n\n---\n\nWritten by the code of this pull request in a run that may "
        f"only read. [The run]({run_address}) holds the preview of the site, pictures and the "
        "findings.\n"
    )


def act(api: Api, repository: str, run_id: str, server: str) -> str:
    """Fetch the run's artifact, judge it and post the comment; return what was done."""
    if not re.fullmatch(r"[0-9]{1,20}", run_id) or not re.fullmatch(
        r"[\w.-]+/[\w.-]+", repository, re.ASCII
    ):
        raise RefusedError("RUN_ID or GITHUB_REPOSITORY is not what it should be")
    run = api.get(f"/repos/{repository}/actions/runs/{run_id}")
    if run["event"] != "pull_request":
        raise RefusedError("the run was not for a pull request")
    path = f"/repos/{repository}/actions/runs/{run_id}/artifacts?name={ARTIFACT}"
    artifacts = [a for a in api.get(path)["artifacts"] if not a["expired"]]
    if not artifacts:
        return "the run left no comment"
    packed = api.archive(f"/repos/{repository}/actions/artifacts/{int(artifacts[0]['id'])}/zip")
    files = files_of(packed)
    number = pull_request(api, repository, files["number.txt"].strip(), run)
    wrong = problem(files["comment.md"])
    if wrong:
        raise RefusedError(f"the text is not posted: {wrong}")
    address = f"{server}/{repository}/actions/runs/{run_id}"
    return post(api, repository, number, whole(files["comment.md"], address))


def main() -> int:
    """Return 0, 1 if something was refused or the API fails, or 2 without its settings."""
    given = [os.environ.get(name, "") for name in _GIVEN]
    if "" in given:
        print(f"give {', '.join(_GIVEN)}", file=sys.stderr)
        return 2
    address, server, repository, run, token = given
    try:
        print(act(Api(address, token), repository, run, server))
    except LateError as late:
        print(f"nothing to do: {late}")
    except RefusedError as refused:
        print(f"refused: {refused}", file=sys.stderr)
        return 1
    except (urllib.error.URLError, TimeoutError) as error:
        print(f"the API does not answer ({type(error).__name__})", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
