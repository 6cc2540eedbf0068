"""The checks, one module for each code.

Each module has a ``RULE``: the code with its severity, the reason for the check, a wrong example
and a right one. The examples become the check's page on the site and its test. If other code
already reports the finding (a file that is not UTF-8 is reported when it is read), the module
needs nothing else; otherwise it also has ``find_in_text(site, links)``, which looks at one text,
or ``find(site)``, or both. To add a check, add a file.

After an edit ``find_in_text`` looks only at texts of which it may find something else than before.
So its findings may depend on that text, on its translation or original with their front matter,
reviews and calculators, and on tables, references, terms, labs, results and facts. ``LOOKS_AT``
names the kinds of these tables and entries, such as ``frozenset({"term"})``; without it, the check
looks at all texts again after an edit of any of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from heapq import nsmallest
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from msgspec.structs import replace

from perfnotes.checks._rule import Rule
from perfnotes.checks._unread import without_followers
from perfnotes.graph.site import Site
from perfnotes.model.library import Library
from perfnotes.text.findings import Finding, Severity

MOST_ALIKE = 200  # findings of one code in one file; nobody reads more of them at once


@cache
def modules() -> tuple[ModuleType, ...]:
    """The modules of the checks, sorted by name."""
    names = sorted(m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    return tuple(import_module(f"{__name__}.{name}") for name in names)


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its code, sorted by code."""
    found = sorted((m.RULE for m in modules()), key=lambda rule: rule.code)
    return {rule.code: rule for rule in found}


def lenient(library: Library) -> bool:
    """Whether the notes were not written for perfnotes; then no finding is an error."""
    return not library.own


FindingsByText = Mapping[tuple[str, str], Collection[Finding]]
"""What ``find_in_text`` of all checks finds, by the path of the text and the code of the check.

Pairs without any finding are left out."""


def examine_texts(site: Site, paths: Iterable[str] | None = None) -> FindingsByText:
    """Return what the checks find in each text by itself: in those at ``paths``, or in all."""
    chosen = site.graph.links if paths is None else [*paths]
    return _found(site, dict.fromkeys(_looking("find_in_text", site), chosen))


def examine_texts_again(
    site: Site, known: FindingsByText, paths: Collection[str], kinds: Collection[str]
) -> FindingsByText:
    """Return what the checks find in each text after an edit.

    ``known`` is what they found before. The texts at ``paths`` have changed, and of all tables and
    entries only those of the ``kinds`` of names.
    """
    texts = site.graph.links
    looked_at = {
        module: texts if _may_differ(module, kinds) else paths
        for module in _looking("find_in_text", site)
    }
    by_code = {module.RULE.code: chosen for module, chosen in looked_at.items()}
    kept = {
        (path, code): found
        for (path, code), found in known.items()
        if path in texts and path not in by_code.get(code, ())
    }
    return kept | {**_found(site, looked_at)}


def _may_differ(module: ModuleType, kinds: Collection[str]) -> bool:
    """Return whether a check may find something else in a text that has not changed."""
    return not module.LOOKS_AT.isdisjoint(kinds) if hasattr(module, "LOOKS_AT") else bool(kinds)


def _found(site: Site, looked_at: Mapping[ModuleType, Iterable[str]]) -> FindingsByText:
    links = site.graph.links
    return {
        (path, module.RULE.code): in_text
        for module, paths in looked_at.items()
        for path in paths
        if (in_text := sorted({*module.find_in_text(site, links[path])}))
    }


def examine(
    site: Site, staging: Iterable[Finding] = (), in_texts: FindingsByText | None = None
) -> list[Finding]:
    """Return all findings of a site, each with its severity, sorted by file and line.

    ``staging`` are the findings that came up while the pages were made, ``in_texts`` what
    ``examine_texts`` found in all texts, if that is known already.
    """
    library = site.library
    found: set[Finding] = {*library.findings, *site.graph.findings, *staging}
    for in_text in (examine_texts(site) if in_texts is None else in_texts).values():
        found.update(in_text)
    for module in _looking("find", site):
        found.update(module.find(site))
    return grade(found, library)


def _looking(name: str, site: Site) -> Iterator[ModuleType]:
    """Yield the checks that have the function ``name`` and look at the site's folder."""
    for module in modules():
        if hasattr(module, name) and (site.library.own or getattr(module, "ANY_FOLDER", False)):
            yield module


def grade(findings: Iterable[Finding], library: Library) -> list[Finding]:
    """The findings, sorted, each with the severity that its rule gives it.

    Those that merely follow from a file that cannot be read are left out.
    If a file has more than ``MOST_ALIKE`` findings of one code, the first ones stay and one more
    counts the others.
    """
    graded = []
    for finding in _counted(without_followers(findings, library)):
        rule = rules().get(finding.code)
        severity = rule.severity if rule else finding.severity
        if lenient(library) and severity is Severity.ERROR:
            severity = Severity.WARNING
        graded.append(replace(finding, severity=severity))
    return sorted(graded)


def _counted(findings: Iterable[Finding]) -> Iterator[Finding]:
    alike: dict[tuple[str, str], set[Finding]] = defaultdict(set)
    for finding in findings:
        alike[finding.path, finding.code].add(finding)
    for (path, code), group in alike.items():
        if len(group) <= MOST_ALIKE:
            yield from group
            continue
        *first, next_one = nsmallest(MOST_ALIKE + 1, group)
        yield from first
        message = f"{len(group) - MOST_ALIKE:,} more findings of {code} from here on in this file"
        hint = f"mend the first {MOST_ALIKE}, then check again"
        yield Finding(path, next_one.line, next_one.column, code, message, hint, next_one.severity)
