"""The site's own pages from ``docs/``, but for the home page."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.page import Page
from perfnotes.render.markup import markdown_words
from perfnotes.site import Site


def pages(site: Site, lang: str) -> Iterator[Page]:
    for (id, page_lang), page in site.library.pages.items():
        if not id or page_lang != lang:
            continue
        links = site.graph.links[f"docs/{page.file}"]
        rendered = site.renderers[lang].render(links, page.url)
        file = f"{site.settings.docs}/{page.file}"
        twins = {other: p.url for (i, other), p in site.library.pages.items() if i == id}
        yield Page(
            url=page.url,
            lang=lang,
            title=page.meta.title,
            title_id=id.rpartition("/")[2],
            description=page.meta.description,
            body=rendered.staged,
            twin=f"# {markdown_words(page.meta.title)}\n\n{rendered.twin}",
            kind="document",
            section=id,
            alternates=twins if len(site.library.languages) > 1 else {},
            edit=site.edit_url(file),
            source=file,
            files=rendered.files,
            findings=rendered.findings,
        )
