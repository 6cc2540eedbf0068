"""PN203: an entry of a table, such as ``tags.yml``, that breaks the schema. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN203",
    severity=Severity.ERROR,
    title="A table entry with a wrong or missing key",
    why=(
        "`topics.yml`, `tags.yml` and `glossary.yml` are lists of entries, each with the keys that "
        "its JSON Schema names. Pages in both languages are made from the entries, so an entry "
        "without its description or its Chinese name would leave a gap on a page."
    ),
    wrong={
        "glossary.yml": (
            "- id: warp\n"
            "  en: warp\n"
            "  zn: 线程束\n"
            "  definition: {en: Threads that a GPU runs together., zh: GPU 一起运行的一组线程。}\n"
        )
    },
    right={
        "glossary.yml": (
            "- id: warp\n"
            "  en: warp\n"
            "  zh: 线程束\n"
            "  definition: {en: Threads that a GPU runs together., zh: GPU 一起运行的一组线程。}\n"
        )
    },
)
