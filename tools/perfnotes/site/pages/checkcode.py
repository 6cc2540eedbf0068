"""A page for each code of ``perfnotes check``, with a wrong and a right example, and their list."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks import rules
from perfnotes.checks._rule import Files, Rule, Symlink
from perfnotes.graph.address import relative
from perfnotes.graph.site import Site
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.pages._section import Section
from perfnotes.site.render.markup import escape, escape_staged, fenced
from perfnotes.text.findings import Severity

SECTION = Section(
    "checks",
    ("Check codes", "检查代码"),
    exists=lambda site: bool(site.library.own and site.library.pages),
)

_FAMILIES = {
    "1": "Files",
    "2": "Front matter and tables",
    "3": "Links",
    "4": "References and citations",
    "5": "Structure",
    "6": "Safety",
    "7": "Translations",
    "8": "Addresses",
    "9": "Evidence",
}
_MEANING = {
    Severity.ERROR: "An error: the site is not built until it is mended.",
    Severity.WARNING: "A warning: the site is built; with `--strict` it is not.",
    Severity.NOTE: "A note: shown with `--all`, never in the way.",
}
_SUFFIX = {"yml": "yaml", "bib": "bibtex", "md": "markdown", "svg": "xml"}

SHOWS: frozenset[str] = frozenset()


def pages(site: Site, lang: str) -> Iterator[Page]:
    """Yield the pages, in English only, because notes are first written in English."""
    if lang != "en" or not SECTION.exists(site):
        return
    yield _list(site)
    for rule in rules().values():
        yield _page(site, rule)


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    if lang == "en" and SECTION.exists(site):
        yield PageAddress(SECTION.url(site, lang), "", SECTION.title_in(lang))
        for rule in rules().values():
            yield PageAddress(_address(site, rule), "", f"{rule.code}: {rule.title}")


def _address(site: Site, rule: Rule) -> str:
    return f"{SECTION.url(site, 'en')}{rule.code.lower()}/"


def _list(site: Site) -> Page:
    url = SECTION.url(site, "en")
    lead = (
        "Every finding of `perfnotes check` has a code, and every code a page that shows what is "
        "wrong and what is right."
    )
    parts, markdown = [f"{lead}\n"], [f"# Check codes\n\n{lead}\n"]
    for digit, name in _FAMILIES.items():
        family = [r for r in rules().values() if r.code[2] == digit]
        if not family:
            continue
        rows = "".join(
            f'<li><a href="{escape(relative(url, _address(site, r)))}">{r.code}</a> '
            f'{escape(r.title)} <span class="pn-level">{r.severity.value}</span></li>'
            for r in family
        )
        parts.append(f"## {name} {{#{name.split()[0].lower()}}}\n{block(f'<ul>{rows}</ul>')}")
        markdown.append(f"\n## {name}\n\n" + "".join(f"- {r.code}: {r.title}\n" for r in family))
    return Page(
        url=url,
        lang="en",
        title="Check codes",
        description="Every code of perfnotes check, with wrong and right examples.",
        body="\n".join(parts),
        markdown="".join(markdown),
        kind="checks",
        section=SECTION.name,
        alternates=_english_only(site, url),
    )


def _page(site: Site, rule: Rule) -> Page:
    url = _address(site, rule)
    wrong = f"## Wrong {{#wrong}}\n\n{rule.in_words[0] or _files(rule.wrong)}\n\n"
    right = f"## Right {{#right}}\n\n{rule.in_words[1] or _files(rule.right)}\n"
    text = f"{rule.why}\n\n{_MEANING[rule.severity]}\n\n"
    return Page(
        url=url,
        lang="en",
        title=f"{rule.code}: {rule.title}",
        title_id=rule.code.lower(),
        description=rule.title,
        body=text + wrong + right,
        markdown=f"# {rule.code}: {escape_staged(rule.title)}\n\n{text}{wrong}{right}",
        kind="check",
        section=SECTION.name,
        alternates=_english_only(site, url),
    )


def _english_only(site: Site, url: str) -> dict[str, str]:
    return {"en": url} if len(site.library.languages) > 1 else {}


def _files(files: Files) -> str:
    parts = []
    for path, content in files.items():
        if isinstance(content, Symlink):
            parts.append(f"`notes/{path}` is a symbolic link to `{content.to}`.\n\n")
            continue
        text = content if isinstance(content, str) else content.decode()
        language = _SUFFIX.get(path.rpartition(".")[2], "text")
        parts.append(f"`notes/{path}`:\n\n{fenced(text.rstrip(), language)}\n")
    return "".join(parts)
