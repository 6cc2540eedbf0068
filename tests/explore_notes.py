"""The things to try on our own notes, and one note with every thing to try.

With that note come the labs and facts that the things are computed from.
"""

from __future__ import annotations

import re

import pytest

from perfnotes.explorables import explorables
from perfnotes.explorables._explorable import Explorable
from perfnotes.graph.explorables import PlacedExplorable, placed_explorables
from perfnotes.graph.site import Site
from tests.project import ROOT

_LABS = ("cpu/roofline", "caches/latency-ladder", "caches/false-sharing")
_TOPICS = "- id: cpu\n  title: {en: CPU, zh: CPU}\n  description: {en: Cores., zh: 核心。}\n"
PICTURES = {name: made for name, made in explorables().items() if isinstance(made, Explorable)}


@pytest.fixture(scope="module")
def on_notes(own_site: Site) -> dict[tuple[str, str], PlacedExplorable]:
    """The things to try of our own notes, by name and language."""
    return {
        (each.name, links.text.lang): each
        for links in own_site.graph.links.values()
        for each in placed_explorables(links, own_site.graph.evidence)
    }


def fences() -> str:
    """Return a fence for every thing to try."""
    return "\n".join(
        "\n".join([f"```text explore={name}", *made.formulas, "```\n"])
        for name, made in explorables().items()
    )


def notes_with_all() -> dict[str, str | bytes]:
    """Return the files; the note is ``caches/try``, in both languages."""
    notes = ROOT / "notes"
    copied = [file for id in _LABS for file in (notes / id / "lab").rglob("*") if file.is_file()]
    copied += (notes / "facts").glob("*.yml")
    files: dict[str, str | bytes] = {
        file.relative_to(notes).as_posix(): file.read_bytes() for file in copied
    }
    files["references.bib"] = _cited(files)
    files |= {f"{id}/index.md": "A note with a lab.\n" for id in _LABS}
    files |= {
        "topics.yml": _TOPICS,
        "caches/try.md": f"Try it all.\n\n{fences()}",
        "caches/try.zh.md": f"都试一试。\n\n{fences()}",
    }
    return files


def _cited(files: dict[str, str | bytes]) -> str:
    """Return the references that the files cite: pages of all the others take long to build."""
    texts = (text if isinstance(text, bytes) else text.encode() for text in files.values())
    keys = {key.decode() for text in texts for key in re.findall(rb"@([\w:.-]+)", text)}
    entries = re.split(r"(?m)^(?=@)", (ROOT / "notes" / "references.bib").read_text("utf-8"))
    return "".join(entry for entry in entries if _key(entry) in keys)


def _key(entry: str) -> str:
    found = re.match(r"@\w+\{\s*([^,\s]+)", entry)
    return found[1] if found else ""
