"""One note with every thing to try, and the labs and facts that the things are computed from."""

from __future__ import annotations

from perfnotes.explorables import explorables
from tests.project import ROOT

_LABS = ("cpu/roofline", "caches/latency-ladder", "caches/false-sharing")
_TOPICS = "- id: cpu\n  title: {en: CPU, zh: CPU}\n  description: {en: Cores., zh: 核心。}\n"


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
    copied += [*(notes / "facts").glob("*.yml"), notes / "references.bib"]
    files: dict[str, str | bytes] = {
        file.relative_to(notes).as_posix(): file.read_bytes() for file in copied
    }
    files |= {f"{id}/index.md": "A note with a lab.\n" for id in _LABS}
    files |= {
        "topics.yml": _TOPICS,
        "caches/try.md": f"Try it all.\n\n{fences()}",
        "caches/try.zh.md": f"都试一试。\n\n{fences()}",
    }
    return files
