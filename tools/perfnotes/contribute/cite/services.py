"""The two public services that ``perfnotes cite`` asks. No other module of ``cite`` uses a network.

doi.org answers a DOI with CSL JSON (content negotiation), after a redirect to the agency that
registered the DOI. arXiv's interface answers an id with an Atom feed.
"""

from __future__ import annotations

from http.client import HTTPException, HTTPMessage
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from msgspec import Struct

from perfnotes import __version__
from perfnotes.contribute.cite import LARGEST

_AGENT = f"perfnotes-cite/{__version__}"


class ServiceError(Exception):
    """A service gave no record; the message says why, for a person."""


class Services(Struct, frozen=True):
    """The addresses of the services, which tests replace, and the time limit in seconds.

    Both methods raise ``ServiceError`` if there is no answer, or no record.
    """

    doi: str = "https://doi.org/"
    arxiv: str = "https://export.arxiv.org/api/query"
    seconds: float = 20.0

    def of_doi(self, doi: str) -> bytes:
        """Return the CSL JSON of a DOI."""
        url = self.doi + quote(doi, safe="/:;()._-,+=@!$*~")
        return _ask(url, "application/vnd.citationstyles.csl+json", f"the DOI {doi}", self.seconds)

    def of_arxiv(self, id: str) -> bytes:
        """Return an Atom feed with the one paper of an arXiv id."""
        url = f"{self.arxiv}?id_list={quote(id, safe='/.')}&max_results=1"
        return _ask(url, "application/atom+xml", f"the arXiv id {id}", self.seconds)


class _Redirects(HTTPRedirectHandler):
    """Follows redirects to the agency that has the record, but never from https to http."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        allowed = ("https",) if req.type == "https" else ("http", "https")
        if urlsplit(newurl).scheme not in allowed:
            raise URLError("it leads to an address that is not secure")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _ask(url: str, accept: str, what: str, seconds: float) -> bytes:
    host = urlsplit(url).hostname
    request = Request(url, headers={"User-Agent": _AGENT, "Accept": accept})
    try:
        with build_opener(_Redirects).open(request, timeout=seconds) as response:
            data: bytes = response.read(LARGEST + 1)
    except HTTPError as error:
        if error.code in (404, 410):
            raise ServiceError(f"{host} knows no record of {what}: is it mistyped?") from error
        if error.code == 406:
            raise ServiceError(f"{host} has no citation of {what}: give its BibTeX") from error
        if error.code == 429:
            raise ServiceError(
                f"{host} answers that it was asked too often: try again in a minute"
            ) from error
        raise ServiceError(f"{host} answers {error.code} for {what}: try again later") from error
    except (URLError, HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        why = "no answer in time" if isinstance(reason, TimeoutError) else reason
        message = f"no answer from {host} for {what} ({why})"
        hint = "without a network, give a file with its BibTeX, CSL JSON or RIS"
        raise ServiceError(f"{message}; {hint}") from error
    if len(data) > LARGEST:
        raise ServiceError(f"the answer of {host} has more than {LARGEST:,} bytes for {what}")
    return data
