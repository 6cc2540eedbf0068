"""Translations that fell behind their English text, follow it again, are new or are gone."""

from __future__ import annotations

from perfnotes.graph.site import Site
from perfnotes.model.translation import text_hash
from perfnotes.review.entry import ReportEntry, ReportPart, line
from perfnotes.review.pair import Pair

PLACE = 70


def compare(pair: Pair) -> ReportPart:
    before = {_now(pair, id): late for id, late in _states(pair.old).items()}
    after = _states(pair.new)
    found = []
    for id in sorted(before.keys() | after.keys()):
        was, now = before.get(id), after.get(id)
        if was == now:
            continue
        name = line("{}", id)
        if now is None:
            found.append(ReportEntry("gone", name))
        elif now:
            what = line("{}: the English text has changed since it was translated", id)
            hint = line("{} shows what changed and records that it follows",
                        f"perfnotes translated {id}")  # fmt: skip
            found.append(ReportEntry("late", what, (hint,)))
        else:
            found.append(ReportEntry("new" if was is None else "follows again", name))
    return ReportPart("translations", "Translations", tuple(found))


def _now(pair: Pair, id: str) -> str:
    return id if id.startswith("docs/") else pair.id_now(id)


def _states(site: Site) -> dict[str, bool]:
    """Return, for each translated note and page, whether the translation is behind the English."""
    found = {id: twin.is_behind for id, twin in site.library.translations.items()}
    for (id, lang), page in site.library.pages.items():
        english = site.library.pages.get((id, "en"))
        if lang != "en" and english:
            meta = english.meta
            hash = text_hash(meta.title, meta.description, english.body.text)
            found[f"docs/{id or 'index'}"] = page.meta.translates != hash
    return found
