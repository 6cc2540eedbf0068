"""Links to other hosts: which addresses the notes and references name, and whether they answer.

Only ``perfnotes links`` sends requests; no build, check or test does. The answers are stored,
so that the next run asks again only for addresses whose answer is old or was an error.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from msgspec import Struct

from perfnotes.graph.graph import Graph
from perfnotes.source.bib.citestyle import links as reference_links
from perfnotes.storage.store import Store

_AGENT = "perfnotes-links (checks the links of a knowledge base)"
_DAY = 86_400
_HOSTS_AT_ONCE = 8
# Statuses with which hosts refuse programs. The link may still work for a reader in a browser.
_REFUSALS = (401, 403, 405, 406, 418, 429, 999)


class LinkPlace(Struct, frozen=True):
    """The place of an address in a file; ``line`` and ``column`` count from 1."""

    path: str
    line: int
    column: int


class HostAnswer(Struct, frozen=True):
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


class KnownAnswers:
    """Answers of earlier runs, each with the time of the request in seconds since 1970.

    Errors and answers older than ``days`` are not used.
    """

    def __init__(self, store: Store, days: float) -> None:
        self._store, self._section, self._days = store, store.section("links"), days

    def get(self, url: str, now: float) -> HostAnswer | None:
        entry = self._section.get(url)
        if not entry or now - entry[0] > self._days * _DAY:
            return None
        answer = HostAnswer(url, *entry[1:])
        return None if answer.is_broken else answer

    def put(self, answer: HostAnswer, now: float) -> None:
        self._section.put(answer.url, [now, answer.status, answer.reason])

    def save(self) -> None:
        self._store.save()


def ask(url: str, seconds: float) -> HostAnswer:
    """Send a HEAD request for the address; if its answer is an error or malformed, a GET.

    ``seconds`` is the time limit of each request. Returns a ``HostAnswer`` in every case.
    """
    answer = HostAnswer(url, 0, "no answer")
    for method in ("HEAD", "GET"):
        try:
            request = Request(url, method=method, headers={"User-Agent": _AGENT})
            with urlopen(request, timeout=seconds) as response:
                return HostAnswer(url, response.status)
        except HTTPError as error:
            answer = HostAnswer(url, error.code, str(error.reason))
        except (OSError, ValueError) as error:  # no connection (URLError), or a wrong address
            reason = getattr(error, "reason", error)
            return HostAnswer(url, 0, str(reason) or type(error).__name__)
        except Exception as error:  # malformed answers raise exceptions of http.client
            answer = HostAnswer(url, 0, type(error).__name__)
    return answer


def ask_all(urls: Iterable[str], known: KnownAnswers, seconds: float) -> list[HostAnswer]:
    """The answers for all addresses, sorted by address; those in ``known`` are not asked for.

    ``seconds`` is the time limit of each request. The addresses of one host are asked one after the
    other, and several hosts at once.
    """
    now = time.time()
    hosts: dict[str, list[str]] = {}
    answers: list[HostAnswer] = []
    for url in sorted(set(urls)):
        answer = known.get(url, now)
        if answer:
            answers.append(answer)
        else:
            hosts.setdefault(_host(url), []).append(url)
    with ThreadPoolExecutor(_HOSTS_AT_ONCE) as pool:
        for group in pool.map(lambda own: [ask(url, seconds) for url in own], hosts.values()):
            for answer in group:
                known.put(answer, now)
                answers.append(answer)
    known.save()
    return sorted(answers, key=lambda a: a.url)


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""
