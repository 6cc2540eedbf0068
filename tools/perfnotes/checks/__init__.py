"""The checks, one module for each code.

A module here has a ``RULE``: the code with its severity, why it is there, and an example that is
wrong and one that is right, which become its page on the site and its test. Where readers report
the code themselves (a file that is not UTF-8 cannot get further), that is all; otherwise the
module has ``find(site)`` as well. Adding a check is adding a file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.model.library import Library
from perfnotes.text.findings import Finding, Severity


@cache
def modules() -> tuple[ModuleType, ...]:
    """The modules of this folder, by name."""
    names = sorted(m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    return tuple(import_module(f"{__name__}.{name}") for name in names)


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its code, in the order of the codes."""
    found = sorted((m.RULE for m in modules()), key=lambda rule: rule.code)
    return {rule.code: rule for rule in found}


def lenient(library: Library) -> bool:
    """Whether the notes were never written for us, so that findings are warnings at most."""
    return not library.own


def examine(site: Site, staging: Iterable[Finding] = ()) -> list[Finding]:
    """Return all findings of a site, each with its severity, in the order of files and lines.

    ``staging`` are those that making its pages has brought.
    """
    library = site.library
    found: set[Finding] = {*library.findings, *site.graph.findings, *staging}
    for module in modules():
        if hasattr(module, "find") and (library.own or getattr(module, "ANY_FOLDER", False)):
            found.update(module.find(site))
    return grade(found, library)


def grade(findings: Iterable[Finding], library: Library) -> list[Finding]:
    """Findings with the severities of their rules, sorted."""
    graded = []
    for finding in findings:
        rule = rules().get(finding.code)
        severity = rule.severity if rule else finding.severity
        if lenient(library) and severity is Severity.ERROR:
            severity = Severity.WARNING
        graded.append(replace(finding, severity=severity))
    return sorted(graded)
