"""PN705: a lab whose words are only in English, beside a translated note."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._examples import FOLDER, LAB
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.model.bilingual import Bilingual
from perfnotes.model.lab import Claim, Lab
from perfnotes.text.findings import Finding, Severity

_NOTE = "caches/steps"
_TWIN = {f"{_NOTE}/index.zh.md": "---\ntitle: 步子\n---\n\n按列走要多得多。\n"}
_CHINESE = LAB
for _english, _chinese in {
    "question: How many lines does each touch?": "各触及多少行？",
    "because: Sixteen numbers share a line.": "十六个数共用一行。",
}.items():
    _key, _, _words = _english.partition(": ")
    _CHINESE = _CHINESE.replace(_english, f'{_key}: {{en: "{_words}", zh: "{_chinese}"}}')
_CHINESE = _CHINESE.replace(
    "what: Lines along columns", "what: {en: Lines along columns, zh: 按列触及的行}"
).replace("what: The same there", "what: {en: The same there, zh: GPU 上的比值}")

RULE = Rule(
    code="PN705",
    severity=Severity.WARNING,
    title="A lab without Chinese words",
    why=(
        "The note of this lab has a Chinese translation, whose readers see the lab's title, "
        "question, claims and reasons in the cards of numbers and on the lab's page. Write each of "
        "them in both languages, as `{en: …, zh: …}`. They are not part of the lab's hash, so "
        "nothing has to be recorded again."
    ),
    wrong={**_TWIN, f"{FOLDER}/lab.yml": LAB},
    right={**_TWIN, f"{FOLDER}/lab.yml": _CHINESE},
)


def find(site: Site) -> Iterator[Finding]:
    """One finding for each lab of a translated note that has words only in English."""
    for id, lab in site.library.labs.items():
        twin = site.library.translations.get(id)
        missing = list(_missing(lab)) if twin else []
        if missing:
            place, first = missing[0]
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            message = f"no Chinese words for {first}{more}"
            yield lab.source.finding(place, RULE.code, message, "write {en: …, zh: …}")


def _missing(lab: Lab) -> Iterator[tuple[int, str]]:
    """Yield the offset in the file and the name of each text without Chinese words."""
    for name, words in (("title", lab.title), ("question", lab.question)):
        if _lacks(words):
            yield max(0, lab.source.text.find(f"{name}:")), f"the {name}"
    for value in lab.shown.values():
        if _lacks(value.what) or (isinstance(value, Claim) and _lacks(value.because)):
            yield value.place, repr(value.id)


def _lacks(words: Bilingual) -> bool:
    return bool(words.en) and not words.zh
