"""Links to other hosts: which addresses the notes and references name, and whether they answer.

Only ``perfnotes links`` sends requests; no build, check or test does. The answers are kept in a
file, so that the next run asks again only for addresses whose answer is old or was an error.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from perfnotes.graph.graph import Graph
from perfnotes.source.bib.citestyle import links as reference_links
from perfnotes.storage.write import write_atomically

_AGENT = "perfnotes-links (checks the links of a knowledge base)"
_DAY = 86_400
# Statuses with which hosts refuse programs. The link may still work for a reader in a browser.
_REFUSALS = (401, 403, 405, 406, 418, 429, 999)


@dataclass(frozen=True, slots=True)
class LinkPlace:
    """The place of an address in a file; ``line`` and ``column`` count from 1."""

    path: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class HostAnswer:
    """The answer of a host. ``status`` is the HTTP status, or 0 if none came; see ``reason``."""

    url: str
    status: int
    reason: str = ""

    @property
    def is_broken(self) -> bool:
        return self.status not in _REFUSALS and not 200 <= self.status < 400


def addresses(graph: Graph) -> dict[str, list[LinkPlace]]:
    """Every external address, without its anchor, with the places that name it."""
    found: dict[str, list[LinkPlace]] = {}

    def add(url: str, path: str, position: tuple[int, int]) -> None:
        found.setdefault(url.partition("#")[0], []).append(LinkPlace(path, *position))

    for links in graph.links.values():
        source = links.text.body.source
        for link, target in links.links:
            if target.kind == "url":
                add(link.dest, source.path, source.position(link.start))
        for offset, target in links.definitions.items():
            if target.kind == "url":
                add(target.id, source.path, source.position(offset))
    bibliography = graph.library.sources.get("references")
    for reference in graph.library.references.values():
        for _, url in reference_links(reference):
            if bibliography:
                add(url, bibliography.path, bibliography.position(reference.offset))
    return found


class Cache:
    """A file of answers by address, each with the time of the request in seconds since 1970.

    Errors and answers older than ``days`` are not used. An unreadable file counts as empty.
    """

    def __init__(self, file: Path, days: float) -> None:
        self._file, self._days = file, days
        try:
            self._known: dict[str, list[float | str]] = json.loads(file.read_text("utf-8"))
        except (OSError, ValueError):
            self._known = {}

    def get(self, url: str, now: float) -> HostAnswer | None:
        entry = self._known.get(url)
        if not entry or now - float(entry[0]) > self._days * _DAY:
            return None
        answer = HostAnswer(url, int(entry[1]), str(entry[2]))
        return None if answer.is_broken else answer

    def put(self, answer: HostAnswer, now: float) -> None:
        self._known[answer.url] = [now, float(answer.status), answer.reason]

    def save(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self._known, ensure_ascii=False, indent=1, sort_keys=True)
        write_atomically(self._file, text.encode())


def ask(url: str, seconds: float) -> HostAnswer:
    """Send a HEAD request for the address; if the host answers with an error status, a GET.

    ``seconds`` is the time limit of each request. Returns an ``Answer`` in every case.
    """
    answer = HostAnswer(url, 0, "no answer")
    for method in ("HEAD", "GET"):
        try:
            request = Request(url, method=method, headers={"User-Agent": _AGENT})
            with urlopen(request, timeout=seconds) as response:
                return HostAnswer(url, response.status)
        except HTTPError as error:
            answer = HostAnswer(url, error.code, str(error.reason))
        except (URLError, OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            return HostAnswer(url, 0, str(reason) or type(error).__name__)
        except Exception as error:  # malformed answers raise exceptions of http.client
            answer = HostAnswer(url, 0, type(error).__name__)
    return answer


def ask_all(
    urls: Iterable[str], cache: Cache, seconds: float, workers: int = 8
) -> list[HostAnswer]:
    """The answers for all addresses, sorted by address; known ones are taken from ``cache``.

    The addresses of one host are asked one after the other, up to ``workers`` hosts at once.
    """
    now = time.time()
    hosts: dict[str, list[str]] = {}
    answers: list[HostAnswer] = []
    for url in sorted(set(urls)):
        known = cache.get(url, now)
        if known:
            answers.append(known)
        else:
            hosts.setdefault(_host(url), []).append(url)
    with ThreadPoolExecutor(workers) as pool:
        for group in pool.map(lambda own: [ask(url, seconds) for url in own], hosts.values()):
            for answer in group:
                cache.put(answer, now)
                answers.append(answer)
    cache.save()
    return sorted(answers, key=lambda a: a.url)


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""
