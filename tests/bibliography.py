"""Bibliographies read from a text."""

from __future__ import annotations

from perfnotes.model.reference import Reference
from perfnotes.source.bib import bibtex
from perfnotes.text.findings import Finding
from perfnotes.text.source import Source


def read(text: str) -> tuple[dict[str, Reference], list[Finding]]:
    return bibtex.read(Source("notes/references.bib", text))


def one(text: str) -> Reference:
    """The only entry of a text in which nothing is wrong."""
    references, findings = read(text)
    assert findings == []
    (reference,) = references.values()
    return reference


def misc(fields: str) -> Reference:
    return one(f"@misc{{key, title = {{T}}, author = {{A, B}}, {fields}}}")


def wrong(fields: str) -> list[Finding]:
    _, findings = read(f"@misc{{key,\n  title = {{T}},\n  author = {{A, B}},\n  {fields}\n}}\n")
    return findings


GOTO = """\
@article{goto2008anatomy,
  author  = {Goto, Kazushige and van de Geijn, Robert A.},
  title   = {Anatomy of High-Performance Matrix Multiplication},
  journal = {{ACM} Transactions on Mathematical Software},
  volume  = 34,
  number  = {3},
  pages   = {12:1--12:25},
  month   = may,
  year    = {2008},
  doi     = {10.1145/1356052.1356053},
  keywords = {linear algebra, gemm},
  verified = {full}
}
"""
