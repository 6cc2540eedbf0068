"""Help wanted: what the notes lack, and for each the one command or link that begins the work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perfnotes.address import markdown_file, relative
from perfnotes.page import Page, block
from perfnotes.pages._jobs import Groups, Job, Jobs
from perfnotes.render.markup import escape, markdown_words, words
from perfnotes.site import Site
from perfnotes.strings import string

_SECTION = "help-wanted"
LOOKS_INTO_TEXTS = True


def pages(site: Site, lang: str) -> Iterator[Page]:
    if not site.library.own:
        return
    url = site.addresses.section(_SECTION, lang)
    title, lead = string(_SECTION, lang), string("wanted_lead", lang)
    parts, twin = [f"{lead}\n"], [f"# {title}\n\n{lead}\n"]
    how = site.how_to("contributing", lang)
    if how:
        parts.append(string("wanted_how", lang, how=relative(url, how)) + "\n")
    kinds = list(Jobs(site, lang).all())
    if kinds:
        parts.append(block(_counts(kinds, lang)))
    for kind, groups in kinds:
        heading, about = string(f"wanted_{kind}", lang), string(f"wanted_{kind}_lead", lang)
        parts.append(f"## {heading} {{#wanted--{kind}}}\n\n{about}\n")
        twin.append(f"\n## {heading}\n\n{about}\n")
        for n, (name, jobs) in enumerate(groups.items()):
            if name:
                parts.append(f"### {words(name)} {{#wanted--{kind}-{n}}}\n")
                twin.append(f"\n### {markdown_words(name)}\n")
            parts.append(block(['<ul class="pn-jobs">', *(_item(j, url) for j in jobs), "</ul>"]))
            twin.append("\n" + _twin(jobs, url))
    if not kinds:
        parts.append(string("wanted_nothing", lang) + "\n")
        twin.append("\n" + string("wanted_nothing", lang) + "\n")
    yield Page(
        url=url,
        lang=lang,
        title=title,
        title_id="wanted--top",
        description=lead,
        body="\n".join(parts),
        twin="".join(twin),
        kind="wanted",
        section=_SECTION,
        alternates=site.both(lambda other: site.addresses.section(_SECTION, other)),
        edit=site.edit_table("wanted", "wanted.yml"),
        source=site.library.shown("wanted.yml"),
        styles=("wanted",),
    )


def _counts(kinds: Iterable[tuple[str, Groups]], lang: str) -> str:
    """How much there is of each kind, each a way to it."""
    items = []
    for kind, groups in kinds:
        n = sum(map(len, groups.values()))
        many = f' <span class="pn-count">{n}</span>' if n > 1 else ""
        items.append(
            f'<li><a href="#wanted--{kind}">{string(f"wanted_{kind}", lang)}</a>{many}</li>'
        )
    return f'<ul class="pn-jobs-kinds">{"".join(items)}</ul>'


def _href(url: str, address: str, *, twin: bool = False) -> str:
    """From the page to an address below the site's root, or to one that leaves the site."""
    if "://" in address:
        return address
    for mark in "?#":
        page, found, rest = address.partition(mark)
        if found:
            return f"{relative(url, markdown_file(page) if twin else page)}{mark}{rest}"
    return relative(url, markdown_file(address) if twin else address)


def _item(job: Job, url: str) -> str:
    title = escape(job.title)
    if job.address:
        title = f'<a href="{escape(_href(url, job.address))}">{title}</a>'
    about = f"<p>{escape(job.about)}</p>" if job.about else ""
    ways = [f"<code>{escape(job.command)}</code>"] if job.command else []
    ways += [f'<a href="{escape(_href(url, at))}">{escape(label)}</a>' for label, at in job.ways]
    way = f'<p class="pn-job-way">{" · ".join(ways)}</p>' if ways else ""
    return f'<li><p class="pn-job">{title}</p>{about}{way}</li>'


def _twin(jobs: Iterable[Job], url: str) -> str:
    lines = []
    for job in jobs:
        title = markdown_words(job.title)
        if job.address:
            title = f"[{title}]({_href(url, job.address, twin=True)})"
        about = f": {markdown_words(job.about)}" if job.about else ""
        command = f" (`{job.command}`)" if job.command else ""
        lines.append(f"- {title}{about}{command}\n")
    return "".join(lines)
