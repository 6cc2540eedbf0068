"""How to cite a note: a line, BibTeX, and an address that still shows the same text later.

That address is the text at its last commit, if the address of the repository is set. In any case
the day and a digest of the text say which version was read.
"""

from __future__ import annotations

import hashlib
import re
from urllib.parse import quote

from perfnotes.site.pages._note_title import NoteVersion, last_change
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import add_words
from perfnotes.source.bib.printer import pretty
from perfnotes.text.joining import joins

add_words(
    {
        "cite_page": ("Cite this page", "引用本页"),
        "cite_version": (
            "Version of {day}, SHA-256 of the text {digest}",
            "{day} 的版本，正文的 SHA-256 为 {digest}",
        ),
        "cite_undated": ("SHA-256 of the text {digest}", "正文的 SHA-256 为 {digest}"),
        "cite_lasting": ("This version, for good", "此版本的永久地址"),
    }
)

# So many digits of a digest tell the versions of one text apart.
_DIGITS = 16
_LATEX = re.compile(r"[\\{}$&#^_%~]")
_SPELLED = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}


def cite_page(version: NoteVersion) -> list[str]:
    """Return HTML that says how to cite a note, folded."""
    line, lasting = _line(version), _lasting(version)
    link = f'<a href="{escape(lasting)}">{version.string("cite_lasting")}</a>' if lasting else ""
    return [
        '<details class="pn-fold pn-cite-page" id="pn-cite-page">',
        f"<summary>{version.string('cite_page')}</summary>",
        f"<p>{escape(line)} {link}</p>",
        '<div class="language-bibtex highlight"><pre><code>',
        f"{escape(_bibtex(version, lasting))}</code></pre></div>",
        "</details>",
    ]


def _line(version: NoteVersion) -> str:
    """Return author, title, site, version and address in one line."""
    signs = joins(version.text_lang)
    address = _address(version)
    parts = [
        f"{signs.item.join(_authors(version))}{signs.colon}{version.meta.title}",
        version.site.settings.name,
        _version(version),
        *([address] if address else []),
    ]
    joined = signs.stop.join(parts)
    return joined if address else f"{joined}{signs.stop.strip()}"


def _bibtex(version: NoteVersion, lasting: str) -> str:
    day = last_change(version)
    site = version.site.settings.name
    key = re.sub(r"[^A-Za-z0-9-]+", "-", f"{site}-{version.note.id}-{version.text_lang}")
    fields = {
        "author": " and ".join(f"{{{_latex(name)}}}" for name in _authors(version)),
        "title": f"{{{_latex(version.meta.title)}}}",
        "howpublished": _latex(site),
        "url": lasting or _address(version),
        "note": _latex(_version(version)),
    }
    if day:
        fields |= {"year": day[:4], "date": day}
    kept = {name: value for name, value in fields.items() if value}
    return pretty("misc", key.strip("-"), kept)


def _authors(version: NoteVersion) -> tuple[str, ...]:
    found = version.meta.authors or version.note.meta.authors
    return found or (f"{version.site.settings.name} contributors",)


def _version(version: NoteVersion) -> str:
    text = version.body.source.text
    digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
    day = last_change(version)
    if day:
        return version.string("cite_version", day=day, digest=digest)
    return version.string("cite_undated", digest=digest)


def _address(version: NoteVersion) -> str:
    base = version.site.settings.url
    return base + quote(version.url) if base else ""


def _lasting(version: NoteVersion) -> str:
    """Return the address of the text at its last commit; empty if that is not known."""
    file = f"{version.site.settings.notes}/{version.file}"
    return version.site.repository.at(version.site.history.commits.get(file, ""), file)


def _latex(text: str) -> str:
    return _LATEX.sub(lambda sign: _SPELLED.get(sign[0], f"\\{sign[0]}"), text)
