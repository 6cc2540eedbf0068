"""PN704: a translation whose symptoms are not those of its original."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._examples import NOTE_WITH_SYMPTOM, PLACES
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.graph.symptoms import all_translations
from perfnotes.model.translation import Translation
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.nearest import nearest

_ENGLISH = NOTE_WITH_SYMPTOM.format(
    see="My loop over the columns of a matrix is much slower than the one over its rows."
)
_CHINESE = """\
---
{symptoms}title: 先行后列
---

C 数组在内存中按行存放。

## 怎么办

交换两层循环。
"""
_TRANSLATED = """\
symptoms:
- id: columns-slow
  see: 按列遍历矩阵的循环比按行遍历慢得多。
  confirm: 交换两层循环；如果这样就变快，原因就在这里。
"""

RULE = Rule(
    code="PN704",
    severity=Severity.WARNING,
    title="A translation with other symptoms than its original",
    why=(
        "The symptoms of a note and of its translation are paired by `id`. If the translation "
        "lacks a symptom, Chinese readers see the English sentence. A symptom whose id the English "
        "text does not have is shown nowhere."
    ),
    wrong={
        "symptoms.yml": PLACES,
        "caches/rows.md": _ENGLISH,
        "caches/rows.zh.md": _CHINESE.format(symptoms=""),
    },
    right={
        "symptoms.yml": PLACES,
        "caches/rows.md": _ENGLISH,
        "caches/rows.zh.md": _CHINESE.format(symptoms=_TRANSLATED),
    },
)


def find(site: Site) -> Iterator[Finding]:
    """Symptoms that a translation lacks, and those that its English text does not have."""
    for twin in site.library.translations.values():
        yield from _missing(twin)
    for twin in all_translations(site):
        yield from _unknown(twin)


def _missing(twin: Translation) -> Iterator[Finding]:
    here = {symptom.id for symptom in twin.meta.symptoms}
    missing = [symptom.id for symptom in twin.note.meta.symptoms if symptom.id not in here]
    if missing:
        message = f"symptoms of the English text are missing here: {', '.join(missing)}"
        hint = "add each under symptoms:, with the same id"
        at = twin.meta.place("symptoms")
        yield twin.body.source.finding(at, RULE.code, message, hint)


def _unknown(twin: Translation) -> Iterator[Finding]:
    known = [symptom.id for symptom in twin.note.meta.symptoms]
    for i, symptom in enumerate(twin.meta.symptoms):
        if symptom.id not in known:
            guess = nearest(symptom.id, known)
            hint = f"did you mean {guess}?" if guess else "use the id of the English symptom"
            message = f"the English text has no symptom {symptom.id!r}"
            at = twin.meta.place("symptoms", i, "id")
            yield twin.body.source.finding(at, RULE.code, message, hint)
