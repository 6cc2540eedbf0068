"""``perfnotes new reference``: a Record from answers, written as ``perfnotes cite`` writes one."""

from __future__ import annotations

from pathlib import Path

from perfnotes.contribute.cite.add import CitePlan, appended, plan
from perfnotes.contribute.cite.record import Record, RecordPlace, identify, ordered, pages
from perfnotes.contribute.new._answers import Answers, one_of
from perfnotes.contribute.new._creation_plan import CreationPlan, NewError, wrong_names
from perfnotes.contribute.new.reference import TYPES
from perfnotes.fixes.move.changes import Changes
from perfnotes.model.reference import is_enough
from perfnotes.source.bib.bibtex import is_key
from perfnotes.source.bib.names import read_names
from perfnotes.source.names import NAMES
from perfnotes.text.source import decode

_PATH = "notes/references.bib"
# For each type of work: the BibTeX field that says where it appeared, and the words that ask
# for this field.
_VENUES = {
    "article": ("journal", "the journal"),
    "inproceedings": ("booktitle", "the proceedings, such as Proceedings of the 14th …"),
    "incollection": ("booktitle", "the book that it stands in"),
    "book": ("publisher", "the publisher"),
    "techreport": ("institution", "the institution"),
    "manual": ("organization", "the organisation that wrote it"),
    "phdthesis": ("school", "the university"),
    "mastersthesis": ("school", "the university"),
    "misc": ("howpublished", "how it was published, such as Talk at …"),
}
# Types of which a venue is needed, and those of which author and year are not.
_WITH_VENUE = ("article", "inproceedings", "incollection", "book", "techreport", "phdthesis",
           "mastersthesis")  # fmt: skip
_ANONYMOUS = ("misc", "manual")
_UNFINDABLE = (
    "nothing says where a reader finds this work: give --url, --doi, --arxiv or --isbn, or two of "
    "--author, --year and --venue"
)


def planned_reference(root: Path, answers: Answers) -> CreationPlan:
    """Plans a new entry at the end of ``references.bib``.

    Raises ``NewError`` if the file has the work already or cannot be read.
    """
    file = root / _PATH
    data = file.read_bytes() if file.is_file() else b""
    bibliography, findings = decode(data, _PATH)
    if bibliography is None:
        raise NewError(f"{findings[0]}; mend it first")
    topics = sorted(NAMES["TOPIC"](root / "notes"))
    record = _record(answers)
    topic = answers.optional(
        "topic", "its topic", "", lambda t: wrong_names(t, "topic", topics, "notes/topics.yml")
    )
    key = answers.option("key")
    if key and not is_key(key):
        raise NewError(f"--key: {key!r} is no key: letters, digits and _ : . + -")
    made = plan(
        bibliography, [record], topic=topic, given_key=key, distinct=answers.has("distinct")
    )
    _refuse(made)
    (added,) = made.added
    if not added.reference.can_be_found:
        raise NewError(_UNFINDABLE)
    changes = Changes()
    files = {}
    new = appended(data, made.added)
    if file.is_file():
        files[_PATH] = (data, new)
    else:
        changes.created[_PATH] = new.decode()
    cited = f"[@{added.reference.key}, p. 1]"
    return CreationPlan(
        changes,
        (
            (f"$EDITOR {_PATH}", "confirm every field in the work itself, or in a second source"),
            (f"perfnotes check {_PATH}", f"says what to mend; a text cites it as {cited}"),
        ),
        files,
    )


def _record(answers: Answers) -> Record:
    what, people = f"its type ({', '.join(TYPES)})", "authors as Family, Given and Family, Given"
    answers.expect({"type": what, "title": "its title"})
    given = answers.option("type")
    if given not in _ANONYMOUS:
        answers.expect({"author": people, "year": "the year in which it appeared"})
    if given in _WITH_VENUE:
        answers.expect({"venue": _VENUES[given][1]})
    kind = answers.need("type", what, one_of(TYPES))
    title = answers.need("title", "its title")
    ask = answers.optional if kind in _ANONYMOUS else answers.need
    authors = read_names(ask("author", people, check=_wrong_people)).persons
    year = ask("year", "the year in which it appeared", check=_wrong_year)
    field, question = _VENUES[kind]
    ask = answers.need if kind in _WITH_VENUE else answers.optional
    fields = {field: ask("venue", question)}
    for name in ("volume", "number", "pages", "edition"):
        fields[name] = answers.option(name)
    fields["pages"] = pages(fields["pages"])
    doi = answers.optional("doi", "its DOI", check=lambda d: _wrong_id(doi=d))
    arxiv = answers.optional("arxiv", "its arXiv id", check=lambda a: _wrong_id(arxiv=a))
    enough = is_enough((doi, arxiv, answers.option("isbn")), (authors, year, fields[field]))
    ask = answers.optional if enough or not answers.is_asking else answers.need
    url = ask("url", "its address on the web", check=lambda u: _wrong_id(url=u))
    ids = identify(doi, arxiv, url)
    return Record(
        place=RecordPlace("the answers"),
        type=kind,
        title=title,
        authors=authors,
        year=year,
        fields=ordered(fields | {"isbn": answers.option("isbn")}),
        doi=ids.doi,
        arxiv=ids.arxiv,
        url=ids.url,
    )


def _wrong_people(text: str) -> str:
    found = read_names(text)
    return found.problems[0] if found.problems else ""


def _wrong_year(text: str) -> str:
    is_year = len(text) == 4 and text.isascii() and text.isdecimal()
    return "" if is_year else f"{text!r} is no year: four digits"


def _wrong_id(doi: str = "", arxiv: str = "", url: str = "") -> str:
    return "; ".join(identify(doi, arxiv, url).left_out)


def _refuse(made: CitePlan) -> None:
    for trouble in made.troubles:
        raise NewError(trouble.message)
    for present in made.present:
        same = present.same
        more = "" if same.certain else "; --distinct writes it if it is another work"
        raise NewError(f"it is there already, [@{same.reference.key}]: {same.why}{more}")
