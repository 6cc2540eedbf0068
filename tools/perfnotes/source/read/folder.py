"""Reads a folder of notes into a Library: one written for perfnotes, or any folder of Markdown."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from copy import copy
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from perfnotes.model.fact import FactFile, Facts
from perfnotes.model.library import Library
from perfnotes.model.reference import Reference
from perfnotes.source.read import tables
from perfnotes.source.read.calculators import CODE, read_calculators
from perfnotes.source.read.facts import link_facts, read_fact_file
from perfnotes.source.read.foreign_folder import read_foreign_folder
from perfnotes.source.read.labs import read_lab
from perfnotes.source.read.latency import read_latency
from perfnotes.source.read.memo import Memo
from perfnotes.source.read.own_texts import read_own_texts
from perfnotes.source.read.results import read_results
from perfnotes.source.read.reviews import read_review
from perfnotes.source.read.symptoms import read_symptoms
from perfnotes.source.read.tools import read_tools
from perfnotes.source.read.walk import Walk
from perfnotes.source.read.wanted import read_wanted
from perfnotes.storage.digests import digest
from perfnotes.text.findings import Finding
from perfnotes.text.source import Source, read_source

_LAB_FILE = re.compile(r"[^/]+/[^/]+/lab/")
_CALC_FILE = re.compile(r"[^/]+/[^/]+/calc\.yml$")
_REVIEW_FILE = re.compile(r"[^/]+/.*[^/]\.review\.yml$")
_FACT_FILE = re.compile(r"facts/[^/]+\.ya?ml$")
_MISSING = Path("/nowhere/no.yml")  # stands for a file that does not exist: an empty table

Table = TypeVar("Table")


def read_library(
    root: Path, shown: str | None = None, memo: Memo | None = None, *, own: bool = False
) -> Library:
    """Read everything below ``root``. ``shown`` is the folder's name in findings.

    ``memo`` returns what an earlier run read from the same files. With ``own``, the notes are those
    of the project, also without a ``topics.yml``: else who removes that file would turn every error
    in them into a warning.
    """
    memo = memo or Memo()
    today = datetime.now(UTC).date().isoformat()
    own = own or os.path.lexists(root / "topics.yml")
    library = Library(root, root.as_posix() if shown is None else shown, own, today)
    files = memo.walk(root, library.shown_root)
    library.findings += files.findings
    library.assets = frozenset(files.others)
    _read_tables(library, memo)
    if library.own:
        texts = [file for file in files.markdown if not _LAB_FILE.match(file)]
        read_own_texts(library, texts, memo)
        _read_labs(library, (*files.markdown, *files.others), memo)
        _read_facts(library, files, memo)
        library.latency = _read_table(library, "latency", read_latency, memo)
        _read_calculators(library, files, memo)
        _read_reviews(library, files, memo)
        library.wanted = _read_table(library, "wanted", read_wanted, memo)
        library.symptom_index = _read_table(library, "symptoms", read_symptoms, memo)
        library.tools = _read_table(library, "tools", read_tools, memo)
    else:
        read_foreign_folder(library, files, memo)
    return library


def _read_tables(library: Library, memo: Memo) -> None:
    # Copies, because topics and tags of a foreign folder are added to them, and the memo may return
    # the same object again.
    library.topics = copy(_read_table(library, "topics", tables.topics, memo))
    library.tags = copy(_read_table(library, "tags", tables.tags, memo))
    library.terms = _read_table(library, "glossary", tables.terms, memo)
    file = library.root / "references.bib"
    if "references.bib" in library.assets:
        shown = library.shown("references.bib")
        bib, library.references, findings = memo.of(
            partial(_bibliography, file, shown), [file], "references", shown
        )
        library.findings += findings
        if bib:
            library.sources["references"] = bib


def _read_table(
    library: Library,
    name: str,
    read: Callable[[Path, str], tuple[Table, Source | None, list[Finding]]],
    memo: Memo,
) -> Table:
    """Return what ``read`` makes of ``name``.yml; its source and findings go to the library.

    A symbolic link that the walk does not list leads elsewhere, and is not opened.
    """
    file, shown = library.root / f"{name}.yml", library.shown(f"{name}.yml")
    if file.is_symlink() and file.name not in library.assets:
        return read(_MISSING, shown)[0]
    table, source, findings = memo.of(partial(read, file, shown), [file], name, shown)
    library.findings += findings
    if source:
        library.sources[name] = source
    return table


def _bibliography(
    file: Path, shown: str
) -> tuple[Source | None, dict[str, Reference], list[Finding]]:
    source, findings = read_source(file, shown)
    if source is None:
        return None, {}, findings
    # Imported here, because pybtex takes long to import and a bibliography that the memo has does
    # not need it.
    from perfnotes.source.bib import bibtex  # noqa: PLC0415

    references, more = bibtex.read(source)
    return source, references, findings + more


def _read_labs(library: Library, files: tuple[str, ...], memo: Memo) -> None:
    """Read the labs and their results. Their files are taken out of the library's ``assets``."""
    by_folder: dict[str, list[str]] = {}
    for file in files:
        if found := _LAB_FILE.match(file):
            by_folder.setdefault(found[0].removesuffix("/"), []).append(file)
    library.assets -= {f for inside in by_folder.values() for f in inside}
    known = {**library.notes, **library.drafts}
    for folder, inside in sorted(by_folder.items()):
        id = folder.removesuffix("/lab")
        where = Finding(library.shown(f"{folder}/lab.yml"), 1, 1, "PN901", "")
        if f"{folder}/lab.yml" not in inside:
            message, hint = "this lab folder has no lab.yml", "add one, or move the files"
            library.findings.append(replace(where, message=message, hint=hint))
            continue
        paths = _paths(library.root, tuple(inside))
        at = (library.root, library.shown_root, folder, inside)
        known_by = (library.shown_root, folder, *inside)
        lab, findings = memo.of(partial(read_lab, *at), paths, "lab", *known_by)
        library.findings += findings
        if id not in known:
            message = f"a lab without its note {id!r}"
            hint = "the note of a lab is index.md in the folder above it"
            library.findings.append(replace(where, message=message, hint=hint))
            continue
        results, findings = memo.of(partial(read_results, *at), paths, "results", *known_by)
        library.findings += findings
        if lab and id in library.notes:
            library.labs[id] = lab
            library.results[id] = results


@lru_cache(maxsize=1000)
def _paths(folder: Path, files: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the paths of files below a folder, which a server needs again at each edit."""
    return tuple(folder / file for file in files)


def _read_facts(library: Library, files: Walk, memo: Memo) -> None:
    names = [file for file in files.others if _FACT_FILE.match(file)]
    paths = [library.root / file for file in names]
    library.facts, findings = memo.of(
        partial(_facts, library, names, memo), paths, "facts", library.shown_root, *names
    )
    library.findings += findings


def _facts(library: Library, files: list[str], memo: Memo) -> tuple[Facts, list[Finding]]:
    made: list[FactFile] = []
    findings: list[Finding] = []
    for file in files:
        path, shown = library.root / file, library.shown(file)
        fact_file, more = memo.of(partial(_fact_file, path, shown), [path], "fact file", shown)
        findings += more
        if fact_file:
            made.append(fact_file)
    facts, more = link_facts(made)
    return facts, findings + more


def _fact_file(path: Path, shown: str) -> tuple[FactFile | None, list[Finding]]:
    source, findings = read_source(path, shown)
    if not source:
        return None, findings
    fact_file, more = read_fact_file(path.stem, source)
    return fact_file, findings + more


def _read_calculators(library: Library, files: Walk, memo: Memo) -> None:
    """Read every note's ``calc.yml`` and take it out of the library's ``assets``.

    A calculator may start from facts, so the memo depends on what gives all facts their values.
    """
    names = [file for file in files.others if _CALC_FILE.match(file)]
    values = digest(library.facts.definitions()) if names else ""
    for file in names:
        library.assets -= {file}
        id = file.rpartition("/")[0]
        path, shown = library.root / file, library.shown(file)
        calculators, findings = memo.of(
            partial(read_calculators, path, shown, id, library.facts),
            [path],
            "calculators",
            shown,
            values,
        )
        library.findings += findings
        if id in library.notes:
            library.calculators[id] = calculators
        elif id not in library.drafts:
            message = f"calculators without their note {id!r}"
            hint = "the note is index.md in the same folder"
            library.findings.append(Finding(shown, 1, 1, CODE, message, hint))


def _read_reviews(library: Library, files: Walk, memo: Memo) -> None:
    """Read every review and take it out of the library's ``assets``."""
    names = [f for f in files.others if _REVIEW_FILE.match(f) and not _LAB_FILE.match(f)]
    library.assets -= frozenset(names)
    for file in names:
        path, shown = library.root / file, library.shown(file)
        review, findings = memo.of(
            partial(read_review, path, shown, file), [path], "review", shown, file
        )
        library.findings += findings
        if review:
            library.reviews[review.file] = review
