"""Records read from a text, and the entries made of them."""

from __future__ import annotations

from perfnotes.contribute.cite.add import CitePlan, plan
from perfnotes.contribute.cite.read import records
from perfnotes.contribute.cite.record import Record
from perfnotes.text.source import Source
from tests.project import ROOT

GOTO = """\
@article{GotoGeijn08,
  author = {Kazushige Goto and van de Geijn, Robert A.},
  title = {{Anatomy of High-Performance Matrix Multiplication for {BLAS}}},
  journal = "{ACM} Trans. Math. Softw.", volume = 34, number = 3,
  pages = {12:1-12:25}, month = "May", year = 2008,
  doi = {https://doi.org/10.1145/1356052.1356053},
  url = {https://doi.org/10.1145/1356052.1356053},
  abstract = {Words.}, keywords = {linear algebra}, issn = {0098-3500}
}
"""


def one(text: str, name: str = "in.bib") -> Record:
    """The only record of a text in which nothing is wrong."""
    found, troubles = records(text.encode(), name)
    assert troubles == []
    (record,) = found
    return record


def wrong(text: str, name: str = "in.bib") -> list[str]:
    return [str(t) for t in records(text.encode(), name)[1]]


def written(record: Record, **options: str) -> str:
    """The entry as it would stand in an empty bibliography."""
    made = plan(Source("notes/references.bib", ""), [record], **options)  # type: ignore[arg-type]
    assert made.troubles == []
    return made.added[0].text


def planned(bibliography: str, text: str) -> CitePlan:
    found, troubles = records(text.encode(), "in.bib")
    assert troubles == []
    return plan(Source("notes/references.bib", bibliography), found)


def some_of_ours() -> Source:
    """Every fifth entry of the project's own bibliography."""
    entries = (ROOT / "notes/references.bib").read_text("utf-8").split("\n\n@")
    return Source("r.bib", "@" + "\n\n@".join(entries[1::5]))
