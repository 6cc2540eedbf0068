"""The staged tree: every page as Markdown and every file that the site serves, made in memory.

``stage`` is pure: the same site gives the same tree. The build then turns the Markdown into HTML.
The Markdown copies of the pages go to the site after that; if they were in the tree earlier, they
would be rendered as pages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from perfnotes.graph.address import markdown_file
from perfnotes.graph.site import Site
from perfnotes.model.library import Library
from perfnotes.site.page import Page, PageAddress
from perfnotes.site.page_addresses import overwriting, reserved_topics
from perfnotes.site.page_frame import frame
from perfnotes.site.page_selection import pages_of_site
from perfnotes.site.pages import search, with_function
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.links import file_address
from perfnotes.site.render.markup import escape_staged
from perfnotes.site.scripts import asset
from perfnotes.site.theme_files import OF_THEME
from perfnotes.source.read.memo import Memo
from perfnotes.storage.digests import content_digest
from perfnotes.text.findings import Finding
from perfnotes.text.svg import svg_problem

_SVG_HINT = "figures hold shapes and text only, and few copies of them"


class Stage(Struct):
    """The staged tree, by path.

    ``files`` are the files to render or copy, ``markdown`` the Markdown copies, which go to the
    site afterwards, and ``pages`` the pages without their texts. ``dropped`` maps the paths of
    pages whose files were not kept in memory to the digests of these files. ``by_kind`` are the
    paths of the files that are no pages, by the name of the kind of pages that they belong to.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    markdown: dict[str, bytes] = field(default_factory=dict)
    pages: dict[str, Page] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    dropped: dict[str, str] = field(default_factory=dict)
    by_kind: dict[str, list[str]] = field(default_factory=dict)


def stage(site: Site) -> Stage:
    """Make the staged tree of a site."""
    out = stage_pages(site)
    stage_files(site, out)
    return out


def stage_pages(
    site: Site,
    tell: Callable[[str, bytes, bytes], None] = lambda *_: None,
    *,
    keep: bool = True,
) -> Stage:
    """Stage the pages of a site. The pages returned have no texts; these are in the files.

    ``tell`` is called with each page's address, staged file and Markdown copy as soon as they are
    made. Without ``keep``, those of notes go to ``tell`` alone, which saves memory.
    """
    out = Stage()
    for page, source, markdown in staged_pages(site, out.findings):
        path = markdown_file(page.url)
        if keep or page.kind != "note":
            out.files[path], out.markdown[path] = source, markdown
        else:
            out.dropped[path] = content_digest(source)
        out.pages[path] = page
        tell(page.url, source, markdown)
    return out


def staged_pages(site: Site, findings: list[Finding]) -> Iterator[tuple[Page, bytes, bytes]]:
    """Yield each page without texts, its staged file and its Markdown copy, in the site's order.

    What is found in the pages and in their addresses is added to ``findings``.
    """
    findings += reserved_topics(site)
    owners: dict[str, PageAddress] = {}
    for page in pages_of_site(site):
        if _is_taken(page, owners, findings):
            continue
        findings += page.findings
        source, markdown = page_source(site, page), page.markdown.encode()
        yield replace(page, body="", markdown=""), source, markdown


def stage_files(
    site: Site, out: Stage, *, index: bool = True, same: Mapping[str, list[str]] | None = None
) -> None:
    """Add all files that are not pages to the staged pages.

    Without ``index`` the files of the search index are left out, and those that are made from the
    digests of all others. ``same`` are the paths of files that are as they were, by the name of
    their kind; they are not made.
    """
    pages = list(out.pages.values())
    wanted = {f for page in pages for f in page.files}
    for path in sorted(wanted):
        _add_file(site, path, out)
    for kind in with_function("files"):
        if index or kind is not search:
            paths = out.by_kind[kind.__name__] = []
            if same and kind.__name__ in same:
                paths += same[kind.__name__]
                out.dropped |= dict.fromkeys(paths, "")
                continue
            for path, data in kind.files(site):
                _claim(path, data, out)
                paths.append(path)
    for path, data in listings(site, pages):
        _claim(path, data, out)
    if index:
        for kind in with_function("closings"):
            for path, data in kind.closings(site, out.files, out.dropped):
                _claim(path, data, out)


def listings(site: Site, pages: Sequence[Page]) -> Iterator[tuple[str, bytes]]:
    """Yield the path and bytes of each file that lists pages."""
    for kind in with_function("listings"):
        yield from kind.listings(site, pages)


def page_source(site: Site, page: Page) -> bytes:
    """Return a page's staged Markdown: JSON front matter for the templates, then the text."""
    meta = json.dumps(frame(site, page), ensure_ascii=False, sort_keys=True)
    # YAML reads these characters as ends of lines, even inside of a string.
    for char in ("\x85", "\u2028", "\u2029"):
        meta = meta.replace(char, " ")
    own = lang_attribute(page.title, page.lang) if page.kind == "reference" else ""
    title = f"# {escape_staged(page.title)} {{#{page.title_id}{own}}}\n\n"
    return f"---\n{meta}\n---\n\n{title}{page.body.strip(chr(10))}\n".encode()


def _is_taken(page: Page, owners: dict[str, PageAddress], findings: list[Finding]) -> bool:
    """Return whether another page has the same address, ignoring case; if so, add the findings.

    On some file systems names that differ by case are the same file.
    """
    claim = PageAddress(page.url, page.source, page.title)
    other = owners.setdefault(page.url.casefold(), claim)
    if other is not claim:
        findings += overwriting(claim, other)
    return other is not claim


def _claim(path: str, data: bytes, out: Stage) -> None:
    """Add a file to the staged tree, or a finding (PN802) if a page or file has its path."""
    taken = {path, f"{path.removesuffix('.html')}.md"}
    if not any(p in out.files or p in out.dropped for p in taken):
        out.files[path] = data
        return
    owner = out.pages.get(f"{path.removesuffix('.html')}.md")
    message = f"a redirect or file would overwrite the page at {path}"
    source = (owner and owner.source) or path
    out.findings.append(Finding(source, 1, 1, "PN802", message, "change the alias"))


def _add_file(site: Site, path: str, out: Stage) -> None:
    """Add a file that a page names in its ``files``."""
    if path.startswith(OF_THEME):
        address = path.removeprefix(OF_THEME)
        out.files[address] = asset(address)
        return
    data, problem = shown_file(site.library, path, site.memo)
    if problem:
        out.findings.append(problem)
    else:
        out.files.setdefault(file_address(path), data)


def shown_file(library: Library, path: str, memo: Memo) -> tuple[bytes, Finding | None]:
    """Return the bytes of a file that a page shows, or a finding why it cannot be published.

    ``path`` begins with ``notes/`` or ``docs/``. ``memo`` keeps what was found in drawings.
    """
    address = file_address(path)
    from_docs = path.startswith("docs/")
    shown = path if from_docs else library.shown(address)
    try:
        data = (library.page_assets[address] if from_docs else library.root / address).read_bytes()
    except OSError as error:
        message = f"cannot read the file: {error.strerror}"
        return b"", Finding(library.shown(address), 1, 1, "PN103", message)
    problem: tuple[int, str] | None = None
    if address.lower().endswith(".svg"):
        # In a tuple, since a memo takes None for a value that it does not have.
        (problem,) = memo.of(lambda: (svg_problem(data),), [], "drawing", content_digest(data))
    if problem:
        line, message = problem
        return b"", Finding(shown, line, 1, "PN603", message, _SVG_HINT)
    return data, None
