"""Every staged page's HTML, made by the engine's own Markdown and judged before it is published.

A page of ours that is unsafe is an error. A page of a foreign folder is published all the same,
made harmless: first with its raw HTML shown as text, and if that is not enough, as its source.
"""

from __future__ import annotations

import re

from perfnotes.engine.markdown import Html, MarkdownEngine
from perfnotes.engine.safety import judge
from perfnotes.findings import Finding
from perfnotes.locate import locate
from perfnotes.page import Page
from perfnotes.site import Site
from perfnotes.stage import Stage
from perfnotes.text.inline import scan

_FRONT_MATTER = re.compile(r"---\n.*?\n---\n+", re.DOTALL)


def prepare(
    site: Site, staged: Stage, engine: MarkdownEngine
) -> tuple[dict[str, Html], list[Finding]]:
    """HTML by staged path, and a finding for each danger."""
    prepared: dict[str, Html] = {}
    findings: list[Finding] = []
    for path, page in staged.pages.items():
        source = staged.files[path].decode()
        head = _FRONT_MATTER.match(source)
        front, text = (head[0], source[head.end() :]) if head else ("", source)
        html = engine.convert(text, path)
        dangers = judge(html.content)
        if dangers:
            findings += [locate(site, page, danger) for danger in dangers]
            if not site.library.own:
                text, html = _made_harmless(text, path, page, engine)
                staged.files[path] = (front + text).encode()
        prepared[path] = html
    return prepared, findings


def _made_harmless(text: str, path: str, page: Page, engine: MarkdownEngine) -> tuple[str, Html]:
    for attempt in (_without_html(text), _as_code(page)):
        html = engine.convert(attempt, path)
        if not judge(html.content):
            return attempt, html
    plain = "# " + re.sub(r"[^\w ]", " ", page.title) + "\n"
    return plain, engine.convert(plain, path)


def _without_html(text: str) -> str:
    """Tags, attribute lists and addresses with a scheme of their own shown as text."""
    document = scan(text)
    marks: list[tuple[int, str]] = []
    for tag in document.tags:
        marks.append((tag.start, "&lt;"))
    out, at = [], 0
    for start, new in marks:
        out += [text[at:start], new]
        at = start + 1
    out.append(text[at:])
    plain = "".join(out)
    plain = re.sub(r"\{(?=:?[ ]*(?!#)[^{}\n]*[.=#\w][^{}\n]*\})", "&#123;", plain)
    return re.sub(r"(\]\(\s*<?|\]:\s*<?)(?!https?:)[A-Za-z][\w+.&#;-]*:[^)\s>]*", r"\1#", plain)


def _as_code(page: Page) -> str:
    fence = "```"
    while fence in page.twin:
        fence += "`"
    return f"{fence}markdown\n{page.twin}\n{fence}\n"
