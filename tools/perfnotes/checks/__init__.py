"""The checks, one module for each code.

Each module has a ``RULE``: the code with its severity, the reason for the check, a wrong example
and a right one. The examples become the check's page on the site and its test. If other code
already reports the finding (a file that is not UTF-8 is reported when it is read), the module
needs nothing else; otherwise it also has ``find_in_text(site, links)``, which looks at one text,
or ``find(site)``, or both. To add a check, add a file.

After an edit, ``find_in_text`` is called again only for texts in which it may find something new.
So its findings may depend on that text, on its translation or original with their front matter,
reviews and calculators, and on tables, references, terms, labs, results and facts. ``LOOKS_AT``
names the kinds of tables and entries that the check depends on, such as ``frozenset({"term"})``.
After an edit of one of these, the check looks at all texts again, or, for ``SHOWN_LAB``, at those
that show a run or a plot of the edited lab. A check without ``LOOKS_AT`` looks at all texts after
an edit of any table or entry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from heapq import nsmallest
from types import ModuleType

from msgspec.structs import replace

from perfnotes.checks._rule import SHOWN_LAB, Rule
from perfnotes.checks._unread import without_consequences
from perfnotes.graph.outputs import labs_shown as labs_of_outputs
from perfnotes.graph.plots import labs_shown as labs_of_plots
from perfnotes.graph.site import Site
from perfnotes.model.library import Library
from perfnotes.modules import modules_of
from perfnotes.text.findings import Finding, Severity

MOST_OF_ONE_CODE = 200  # findings in one file; nobody reads more of one code at once


@cache
def modules() -> tuple[ModuleType, ...]:
    """The modules of the checks, sorted by name."""
    return tuple(modules_of(__name__).values())


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its code, sorted by code."""
    found = sorted((m.RULE for m in modules()), key=lambda rule: rule.code)
    return {rule.code: rule for rule in found}


FindingsByText = Mapping[tuple[str, str], Collection[Finding]]
"""The findings of all ``find_in_text``, by path of the text and code of the check.

Pairs without any finding are left out."""


def examine_texts(site: Site, paths: Iterable[str] | None = None) -> FindingsByText:
    """Return what ``find_in_text`` of all checks finds in the texts at ``paths``, or in all."""
    chosen = site.graph.links if paths is None else [*paths]
    return _findings_by_text(site, dict.fromkeys(_checks_with("find_in_text", site), chosen))


def examine_texts_again(
    site: Site,
    known: FindingsByText,
    paths: Collection[str],
    kinds: frozenset[str],
    labs: Collection[str] | None,
) -> FindingsByText:
    """Return what the checks find in each text after an edit.

    ``known`` is what they found before. Only the texts at ``paths`` have changed, and tables and
    entries of these ``kinds``. ``labs`` are the ids of the labs among them, or None if labs came or
    went.
    """
    texts = site.graph.links
    showing = texts if labs is None else {*paths, *_texts_showing(labs, site)}
    looked_at: dict[ModuleType, Collection[str]] = {}
    for module in _checks_with("find_in_text", site):
        looks_at = getattr(module, "LOOKS_AT", kinds)
        chosen = showing if SHOWN_LAB in looks_at else paths
        looked_at[module] = chosen if looks_at.isdisjoint(kinds) else texts
    by_code = {module.RULE.code: chosen for module, chosen in looked_at.items()}
    kept = {
        (path, code): found
        for (path, code), found in known.items()
        if path in texts and path not in by_code.get(code, ())
    }
    return kept | {**_findings_by_text(site, looked_at)}


def _texts_showing(labs: Collection[str], site: Site) -> Iterator[str]:
    """Yield the paths of the texts that show a run or a plot of one of the labs."""
    evidence = site.graph.evidence
    for path, links in site.graph.links.items() if labs else ():
        shown = labs_of_outputs(links, evidence) | labs_of_plots(links, evidence)
        if not shown.isdisjoint(labs):
            yield path


def _findings_by_text(site: Site, looked_at: Mapping[ModuleType, Iterable[str]]) -> FindingsByText:
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

    ``staging`` has the findings from making the pages. ``in_texts`` is what ``examine_texts`` found
    in all texts, if that is known already.
    """
    library = site.library
    found: set[Finding] = {*library.findings, *site.graph.findings, *staging}
    for in_text in (examine_texts(site) if in_texts is None else in_texts).values():
        found.update(in_text)
    for module in _checks_with("find", site):
        found.update(module.find(site))
    return grade(found, library)


def _checks_with(function: str, site: Site) -> Iterator[ModuleType]:
    """Yield the checks that have this function and look at the kind of folder that the site is."""
    for module in modules():
        if hasattr(module, function) and (site.library.own or getattr(module, "ANY_FOLDER", False)):
            yield module


def grade(findings: Iterable[Finding], library: Library) -> list[Finding]:
    """The findings, sorted, each with the severity that its rule gives it.

    In a folder that was not written for perfnotes, errors become warnings. Findings that merely
    follow from a file that cannot be read are left out. If a file has more than
    ``MOST_OF_ONE_CODE`` findings of one code, the first ones stay and one more counts the others.
    """
    graded = []
    for finding in _limited(without_consequences(findings, library)):
        rule = rules().get(finding.code)
        severity = rule.severity if rule else finding.severity
        if severity is Severity.ERROR and not library.own:
            severity = Severity.WARNING
        graded.append(replace(finding, severity=severity))
    return sorted(graded)


def _limited(findings: Iterable[Finding]) -> Iterator[Finding]:
    alike: dict[tuple[str, str], set[Finding]] = defaultdict(set)
    for finding in findings:
        alike[finding.path, finding.code].add(finding)
    for (path, code), group in alike.items():
        if len(group) <= MOST_OF_ONE_CODE:
            yield from group
            continue
        *first, next_one = nsmallest(MOST_OF_ONE_CODE + 1, group)
        yield from first
        message = (
            f"{len(group) - MOST_OF_ONE_CODE:,} more findings of {code} from here on in this file"
        )
        hint = f"mend the first {MOST_OF_ONE_CODE}, then check again"
        yield Finding(path, next_one.line, next_one.column, code, message, hint, next_one.severity)
