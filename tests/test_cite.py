"""Adding references: every form in, one entry in our style out, and nothing written unasked."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfnotes.cli.commands import cite
from perfnotes.cli.main import main
from perfnotes.contribute.cite import LARGEST, duplicates, frombibtex, key
from perfnotes.contribute.cite.add import CitePlan, appended, plan
from perfnotes.contribute.cite.entry import entry, known_words, title
from perfnotes.contribute.cite.read import records
from perfnotes.contribute.cite.record import Record, Trouble, identify, month, pages, year
from perfnotes.contribute.cite.services import ServiceError, Services
from perfnotes.contribute.cite.sources import named
from perfnotes.model.reference import Person
from perfnotes.source.bib import bibtex
from perfnotes.text.source import Source
from tests.example_notes import NOTES, write_notes
from tests.project import ROOT

ANSWERS = Path(__file__).parent / "answers"
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


class TestForms:
    def test_bibtex_in_our_style(self) -> None:
        assert written(one(GOTO), topic="kernels") == (
            "@article{goto2008anatomy,\n"
            "  author       = {Goto, Kazushige and van de Geijn, Robert A.},\n"
            "  title        = {Anatomy of High-Performance Matrix Multiplication for {BLAS}},\n"
            "  journal      = {ACM Trans. Math. Softw.},\n"
            "  volume       = {34},\n"
            "  number       = {3},\n"
            "  pages        = {12:1--12:25},\n"
            "  year         = {2008},\n"
            "  month        = may,\n"
            "  doi          = {10.1145/1356052.1356053},\n"
            "  keywords     = {kernels}\n"
            "}\n"
        )
        assert one(GOTO).left_out == ("issn", "abstract", "keywords")

    def test_biblatex_names_of_fields(self) -> None:
        text = (
            "@online{x, author = {A, B}, title = {T}, subtitle = {S}, date = {2021-03-04},"
            " url = {https://example.org/x}, journaltitle = {J}, location = {Oslo}, issue = {2}}"
        )
        record = one(text)
        assert (record.type, record.title, record.year, record.month) == (
            "misc", "T: S", "2021", "mar",
        )  # fmt: skip
        assert dict(record.fields) == {"journal": "J", "address": "Oslo", "number": "2"}
        assert record.left_out == ()

    def test_what_a_crossref_hands_down(self) -> None:
        text = (
            "@inproceedings{a, author={A, B}, title={T of a}, crossref={p}}\n"
            "@proceedings{p, title={Proc. P}, year={2001}, editor={C, D}, publisher={ACM}}"
        )
        child = records(text.encode(), "in.bib")[0][0]
        assert child.year == "2001"
        assert child.field("booktitle") == "Proc. P"

    def test_a_preprint_in_any_dress_is_one_entry(self) -> None:
        same = (
            "@article{x, author={Dao, Tri}, title={{FlashAttention}}, year={2022},"
            " journal={arXiv preprint arXiv:2205.14135}}",
            "@article{x, author={Dao, Tri}, title={FlashAttention}, year={2022}, journal={CoRR},"
            " volume={abs/2205.14135}, eprinttype={arXiv}, eprint={2205.14135},"
            " url={https://doi.org/10.48550/arXiv.2205.14135}}",
            "@misc{x, author={Tri Dao}, title={FlashAttention}, year={2022},"
            " url={https://arxiv.org/abs/2205.14135v2}, howpublished={arXiv:2205.14135}}",
        )
        assert len({written(one(text)) for text in same}) == 1
        assert written(one(same[0])) == (
            "@misc{dao2022flashattention,\n"
            "  author       = {Dao, Tri},\n"
            "  title        = {{FlashAttention}},\n"
            "  year         = {2022},\n"
            "  eprint       = {2205.14135},\n"
            "  archivePrefix= {arXiv}\n"
            "}\n"
        )

    def test_csl_json(self) -> None:
        item = {
            "type": "chapter",
            "title": "On &lt;i&gt;caches&lt;/i&gt; &amp; <sub>rows</sub>",
            "author": [
                {"family": "Geijn", "non-dropping-particle": "van de", "given": "R. A."},
                {"literal": "The LLVM Team"},
                {"family": "King", "given": "M.", "suffix": "Jr."},
            ],
            "editor": [{"family": "Ré", "given": "C."}],
            "container-title": "A Book",
            "publisher": "Springer",
            "issued": {"date-parts": [["1999", 5]]},
            "page": "3–9",
            "custom": "x",
        }
        record = one(json.dumps([item]), "in.json")
        assert record.type == "incollection"
        assert record.title == "On caches & rows"
        assert record.left_out == ("custom",)
        text = written(record)
        assert text.startswith("@incollection{vandegeijn1999caches,\n")
        assert "{van de Geijn, R. A. and {The LLVM Team} and King, Jr., M.}" in text
        assert "title        = {On caches \\& rows}" in text
        assert "booktitle    = {A Book}" in text
        assert "pages        = {3--9}" in text
        assert "publisher    = {Springer}" in text
        assert "editor       = {Ré, C.}" in text

    def test_ris(self) -> None:
        text = (
            "TY  - CONF\r\nAU  - Hong, Changwan\r\nAU  - Pouchet, Louis-Noël\r\n"
            "TI  - Effective Padding of Arrays to Avoid\r\n      Cache Conflict Misses\r\n"
            "T2  - PLDI '16\r\nPY  - 2016/06/02\r\nSP  - 129\r\nEP  - 144\r\nPB  - ACM\r\n"
            "DO  - 10.1145/2908080.2908123\r\nAB  - Words\r\nER  - \r\n"
        )
        record = one(text, "in.ris")
        assert record.left_out == ("AB",)
        assert written(record) == (
            "@inproceedings{hong2016padding,\n"
            "  author       = {Hong, Changwan and Pouchet, Louis-Noël},\n"
            "  title        = {Effective Padding of Arrays to Avoid Cache Conflict Misses},\n"
            "  booktitle    = {PLDI '16},\n"
            "  pages        = {129--144},\n"
            "  publisher    = {ACM},\n"
            "  year         = {2016},\n"
            "  doi          = {10.1145/2908080.2908123}\n"
            "}\n"
        ).replace("hong2016padding", key.make(record, ()))

    def test_names_with_commas_astray_are_kept(self) -> None:
        text = "TY  - BOOK\nAU  - , Hong, Bo\nAU  - Hong, , Jr.\nAU  - ,\nAU  - The Team\nTI  - T\n"
        record = one(text, "in.ris")
        assert record.authors == (
            Person("Bo", "Hong"), Person("", "Hong", "Jr."), Person("The", "Team"),
        )  # fmt: skip
        assert "{Hong, Jr.}" in entry(record, "k", ())

    def test_several_records_of_a_file_keep_their_order_and_places(self) -> None:
        text = "TY  - RPRT\nTI  - One\nER  - \n\nTY  - BOOK\nTI  - Two\nER  - \n"
        found, troubles = records(text.encode(), "in.ris")
        assert [(r.title, str(r.place)) for r in found] == [
            ("One", "in.ris:1:1"), ("Two", "in.ris:5:1"),
        ]  # fmt: skip
        assert troubles == []


class TestStrangeInput:
    @pytest.mark.parametrize(
        ("text", "where"),
        [
            ("", "in: the input is empty"),
            ("some words\n", "in: this reads"),
            ("@article{x,\n  title = {T}\n  year = {2000}\n}\n", "in:3:3: the entry 'x' does not"),
            ("@article{x,\n  title = {T\n", "in:1:1: the entry 'x' is never closed"),
            ('[{"type": "book", "title": "T"},\n 7]', "in:2:2: a CSL JSON item must be an object"),
            ('{"title": "T",\n}', "in:2:1: broken JSON"),
            ('{"a": 1} and more', "in:1:10: broken JSON: something follows"),
            ("[" * 100_000, "in: broken JSON"),
            ('[{"title": "T"},', "in:1:17: broken JSON"),
            ("TY  - JOUR\nTI  - T\nER  - \nAU  - A, B\n", "in:4:1: this line is outside"),
            ("@misc{x, author = {A, and B, C, D, E, F}, title = {T}}", "in:1:1: author: "),
            ("@misc{a b, title = {T}, author = {A, B}}\n", "in:1:10: the entry 'a' does not"),
        ],
    )
    def test_says_where(self, text: str, where: str) -> None:
        found = wrong(text, "in")
        assert any(line.startswith(where) for line in found), found

    def test_bytes_that_are_no_text(self) -> None:
        _, troubles = records(b"@misc{a,\n title = {\xff}}", "in.bib")
        assert str(troubles[0]).startswith("in.bib:2:11: byte 0xff")
        _, troubles = records(b"x" * (LARGEST + 1), "in.bib")
        assert "bytes" in str(troubles[0])

    def test_a_record_that_check_would_refuse_is_not_added(self) -> None:
        found, _ = records(b"@article{x, title = {T}, author = {A, B}, journal = {J}}", "in.bib")
        made = plan(Source("notes/references.bib", ""), found)
        assert made.added == []
        assert "in.bib:1:1: cannot be added" in str(made.troubles[0])
        assert "has no year" in str(made.troubles[0])

    def test_a_trouble_never_carries_control_characters(self) -> None:
        assert "\x1b" not in "".join(wrong("@misc{\x1b[31m, title = {T}\n", "in"))

    @given(st.binary(max_size=300))
    @settings(max_examples=100, deadline=None)
    def test_any_bytes(self, data: bytes) -> None:
        found, troubles = records(data, "in")
        assert found or troubles

    @given(
        st.lists(
            st.sampled_from(
                '@article{ @misc{x, author = { } , title={A {B}} year=20 "{ \\" TY  - JOUR\n '
                'TI  - x\n ER  - \n [ ] {"title": "type": "book", "issued": {"date-parts": [[ '
                '"author": [{"family": }] null 1e999 -1 \\u0000 $ $x$ % # & ~ \\a{ 中 \n'.split(" ")
            ),
            max_size=30,
        )
    )
    @settings(max_examples=120, deadline=None)
    def test_any_pieces_of_the_forms(self, pieces: list[str]) -> None:
        found, troubles = records(" ".join(pieces).encode(), "in")
        assert found or troubles
        made = plan(Source("notes/references.bib", ""), found)
        text = appended(b"", made.added).decode()
        _, findings = bibtex.read(Source("notes/references.bib", text))
        assert findings == []

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=8),
            lambda inside: (
                st.lists(inside, max_size=3)
                | st.dictionaries(
                    st.sampled_from(
                        "title author issued DOI URL type page volume family given date-parts "
                        "container-title number publisher literal raw".split()
                    ),
                    inside,
                    max_size=5,
                )
            ),
            max_leaves=12,
        )
    )
    @settings(max_examples=25, deadline=None)
    def test_any_json(self, value: object) -> None:
        found, _ = records(json.dumps([value]).encode(), "in")
        plan(Source("notes/references.bib", ""), found)


class TestNormalised:
    def test_identifiers_are_bare_and_said_once(self) -> None:
        ids = identify("doi:10.1145/1356052", "", "http://dx.doi.org/10.1145/1356052")
        assert (ids.doi, ids.url) == ("10.1145/1356052", "")
        ids = identify("", "", "https://arxiv.org/pdf/cs/0312018v3.pdf")
        assert (ids.arxiv, ids.url) == ("cs/0312018", "")
        ids = identify("10.48550/arXiv.2205.14135", "", "https://example.org/a")
        assert (ids.doi, ids.arxiv, ids.url) == ("", "2205.14135", "https://example.org/a")
        assert identify("no doi", "", "ftp://x").left_out == (
            "doi ('no doi' is none)",
            "url ('ftp://x' is no web address)",
        )

    def test_pages_months_years(self) -> None:
        assert [pages(p) for p in ("1-9", "1–9", "1 -- 9", "12:1—12:25", "e12", "S1-S9", "7+")] == [
            "1--9", "1--9", "1--9", "12:1--12:25", "e12", "S1--S9", "7+",
        ]  # fmt: skip
        assert pages("see the web-site") == "see the web-site"
        assert [month(m) for m in ("May", "05", 5, "sept.", "13", "0", "maybe", None)] == [
            "may", "may", "may", "sep", "", "", "may", "",
        ]  # fmt: skip
        assert [year(y) for y in ("2020", 2020, "2020-05", "c. 1999", "99", None)] == [
            "2020", "2020", "2020", "1999", "", "",
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("plain", "braced"),
        [
            ("Cache-Oblivious Algorithms", "Cache-Oblivious Algorithms"),
            ("The GPU (and the CPU): A View", "The {GPU} (and the {CPU}): A View"),
            ("FlashAttention-2: I/O in C++", "{FlashAttention-2}: {I/O} in {C++}"),
            ("Inter-GPU Traffic of IA-32", "Inter-{GPU} Traffic of {IA-32}"),
            ("Intel and Python at 100% & more", "{Intel} and Python at 100\\% \\& more"),
            ("ALL OF IT IS SHOUTED", "ALL OF IT IS SHOUTED"),
            ("A_b {c} ~d ^e $f #g \\h", None),
            ("`Quoted' and ''twice'', a --flag", None),
            ("CUTLASS", "{CUTLASS}"),
            ("“DRAM” rows, 缓存 rows", "“{DRAM}” rows, 缓存 rows"),
        ],
    )
    def test_titles_keep_their_capitals(self, plain: str, braced: str | None) -> None:
        made = title(plain, {"Intel"})
        assert braced is None or made == braced
        read, _ = bibtex.read(Source("x", f"@misc{{k, title = {{{made}}}, author = {{A, B}}}}"))
        assert read["k"].title == plain

    def test_capitals_of_names_are_learnt_from_the_bibliography(self) -> None:
        bib = Source("x", "@misc{a, title={For {Linux} and {Max}}}@misc{b, title={Max and Max}}")
        assert known_words(bib) == {"Linux"}

    def test_our_own_bibliography_comes_back_as_it_is(self) -> None:
        """Read as foreign and written again, each entry says the same to our reader."""
        source = some_of_ours()
        ours, _ = bibtex.read(source)
        theirs, troubles = frombibtex.records(source)
        assert troubles == []
        for reference, record in zip(ours.values(), theirs, strict=True):
            text = entry(record, reference.key, ())
            again, findings = bibtex.read(Source("r.bib", text))
            assert findings == [], text
            made = again[reference.key]
            assert made.title.replace("—", "–") == reference.title.replace("—", "–")
            assert made.authors == reference.authors
            for name in ("type", "year", "venue", "doi", "arxiv", "url", "isbn"):
                assert getattr(made, name) == getattr(reference, name), (reference.key, name)
            assert set(made.fields) == set(reference.fields), reference.key


class TestKeys:
    def make(self, title: str, family: str = "Goto", year: str = "2008", *taken: str) -> str:
        record = one(
            f"@misc{{k, title = {{{title}}}, author = {{{family}, A.}}, year = {{{year}}}}}"
        )
        return key.make(record, taken)

    def test_family_year_first_word_that_is_no_stop_word(self) -> None:
        assert self.make("The Anatomy of Multiplication") == "goto2008anatomy"
        assert self.make("Evaluating Associativity in {CPU} Caches") == "goto2008associativity"
        assert self.make("{FlashAttention-2}: Faster Attention") == "goto2008flashattention2"
        assert self.make("{I/O} Complexity") == "goto2008io"
        assert self.make("Caches", r"van der M{\"u}ller") == "vandermuller2008caches"
        assert self.make("Caches", "Łoś") == "los2008caches"

    def test_organisations_and_works_without_a_year(self) -> None:
        record = one("@manual{k, title={{CUDA} Guide}, organization={NVIDIA Corporation}}")
        assert key.make(record, ()) == "nvidia_cuda"
        record = one("@misc{k, author={{LLVM Project}}, title={Using the tool}, year={2020}}")
        assert key.make(record, ()) == "llvm2020tool"

    def test_a_taken_key_leads_to_the_next_word(self) -> None:
        taken = ["goto2008fast", "goto2008cache"]
        assert self.make("Cache Rows", "Goto", "2008", *taken) == "goto2008rows"
        assert self.make("Cache", "Goto", "2008", *taken) == "goto2008cache_2"

    def test_what_has_no_latin_letters_gets_a_key_all_the_same(self) -> None:
        assert self.make("缓存", "高") == "anonymous2008"
        assert self.make("缓存与行", "高", "2008", "anonymous2008") == "anonymous2008_2"

    def test_families_and_years_are_those_of_our_own_keys(self) -> None:
        source = some_of_ours()
        for record, own in zip(frombibtex.records(source)[0], bibtex.read(source)[0], strict=True):
            if record.type in ("article", "inproceedings", "book") or record.arxiv:
                start = key.make(record, ())[: len(key.folded(record.authors[0].family)) + 4]
                assert own.startswith(start.rstrip("_")), own


class TestDuplicates:
    BIB = (
        "@article{a1, author={Hill, M.}, title={Evaluating Associativity in {CPU} Caches},"
        " journal={J}, year={1989}, doi={10.1109/12.40842}}\n"
        "@misc{b1, author={Dao, T.}, title={{FlashAttention-2}: Faster Attention}, year={2023},"
        " eprint={2307.08691}, archivePrefix={arXiv}}\n"
    )

    def same(self, text: str) -> duplicates.Same | None:
        return duplicates.find(one(text), bibtex.read(Source("r.bib", self.BIB))[0].values())

    def test_by_doi_and_arxiv_id_whatever_else_differs(self) -> None:
        same = self.same("@misc{x, title={Other}, doi={DOI:10.1109/12.40842}}")
        assert same is not None
        assert (same.reference.key, same.certain) == ("a1", True)
        same = self.same("@misc{x, title={Other}, url={http://arxiv.org/pdf/2307.08691v3}}")
        assert same is not None
        assert (same.reference.key, same.certain) == ("b1", True)

    def test_by_a_title_much_like_it(self) -> None:
        alike = (
            "@article{x, author={Hill}, title={Evaluating associativity of CPU-caches}, year=1990}"
        )
        same = self.same(alike)
        assert same is not None
        assert (same.reference.key, same.certain) == ("a1", False)

    def test_another_number_or_a_far_year_is_another_work(self) -> None:
        assert not self.same("@misc{x, title={FlashAttention-3: Faster Attention}, year={2023}}")
        far = "@misc{x, title={Evaluating Associativity in CPU Caches}, year={2020}}"
        assert not self.same(far)

    def test_the_same_work_twice_in_one_run_is_added_once(self) -> None:
        again = GOTO.replace("GotoGeijn08", "other").replace("Anatomy of", "An Anatomy of")
        made = planned("", GOTO + again)
        assert [a.reference.key for a in made.added] == ["goto2008anatomy"]
        assert made.present[0].same.certain

    def test_what_the_reference_lacks_is_told_not_written(self) -> None:
        text = "@article{x, author={Hill, M.}, title={T}, doi={10.1109/12.40842}, volume={38}}"
        assert planned(self.BIB, text).present[0].missing == [("volume", "38")]


class TestTheFile:
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    @pytest.mark.parametrize("last", ["", "\n"])
    def test_every_byte_before_stays(self, end: str, last: str) -> None:
        data = f"\ufeff% head{end}@misc{{a, title={{T}}}}{last.replace(chr(10), end)}".encode()
        new = appended(data, planned("", GOTO).added)
        assert new.startswith(data)
        assert new.count(b"\n") == new.count(b"\r\n" if end == "\r\n" else b"\n")
        assert list(bibtex.read(Source("r", new.decode("utf-8-sig")))[0]) == [
            "a",
            "goto2008anatomy",
        ]

    def test_an_empty_file_begins_with_the_entry(self) -> None:
        assert appended(b"", planned("", GOTO).added).startswith(b"@article{goto2008anatomy,")

    def test_a_field_cannot_leave_its_braces(self) -> None:
        evil = json.dumps([{"type": "book", "title": "T}} @misc{x", "publisher": "a\\} b}\n@",
                            "author": [{"family": "A}{", "given": "x and y"}],
                            "issued": {"raw": "2020"}, "URL": "https://e.org/}a{"}])  # fmt: skip
        found, _ = records(evil.encode(), "in")
        text = appended(b"", plan(Source("r", ""), found).added).decode()
        read, findings = bibtex.read(Source("r", text))
        assert findings == []
        (made,) = read.values()
        assert made.title == "T}} @misc{x"
        assert made.authors == (Person("x and y", "A}{"),)


class _Service(BaseHTTPRequestHandler):
    asked: list[tuple[str, str]] = []  # noqa: RUF012
    answers = {  # noqa: RUF012
        "/10.1145/1498765.1498785": "crossref-article.json",
        "/10.1145/2908080.2908123": "crossref-paper.json",
        "/10.5281/zenodo.3509134": "datacite-software.json",
        "/api?id_list=2205.14135&max_results=1": "arxiv-paper.xml",
        "/api?id_list=9999.99999&max_results=1": "arxiv-wrong-id.xml",
        "/api?id_list=2613.99999&max_results=1": "arxiv-nothing.xml",
    }

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers["Accept"]))
        status = {"/10.1/busy": 503, "/10.1000/no-citation": 406, "/10.1000/often": 429}
        moved = {"/10.1000/moved": "/10.1145/1498765.1498785", "/10.1000/odd": "file:///etc/passwd"}
        name = self.answers.get(self.path)
        if self.path in moved:
            self.send_response(302)
            self.send_header("Location", moved[self.path])
            self.end_headers()
        elif name:
            self.send_response(200)
            self.end_headers()
            self.wfile.write((ANSWERS / name).read_bytes())
        elif self.path == "/10.1000/page":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html><body>A page</body></html>")
        else:
            self.send_response(status.get(self.path, 404))
            self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        del format, args


@pytest.fixture
def services() -> Iterator[Services]:
    server = HTTPServer(("127.0.0.1", 0), _Service)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    _Service.asked.clear()
    place = f"http://127.0.0.1:{server.server_port}/"
    yield Services(place, f"{place}api", 5)
    server.shutdown()
    server.server_close()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, services: Services) -> Path:
    """A folder that commands take for a project; the services are those of the test."""
    write_notes(tmp_path)
    (tmp_path / "mkdocs.yml").write_text("site_name: Example\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cite, "SERVICES", services)
    return tmp_path


def bib(project: Path) -> bytes:
    return (project / "notes/references.bib").read_bytes()


class TestServices:
    def test_a_doi_and_an_arxiv_id_are_found_by_themselves(self) -> None:
        assert named("10.1145/1498765.1498785") == ("10.1145/1498765.1498785", "")
        assert named("https://doi.org/10.1145/1498765.1498785")[0] == "10.1145/1498765.1498785"
        assert named("doi:10.1145/1498765.1498785")[0] == "10.1145/1498765.1498785"
        for word in ("2205.14135", "arXiv:2205.14135v2", "https://arxiv.org/pdf/2205.14135v1.pdf",
                     "arxiv.org/abs/2205.14135", "10.48550/arXiv.2205.14135"):  # fmt: skip
            assert named(word) == ("", "2205.14135"), word
        assert named("cs/0312018") == ("", "cs/0312018")
        assert named("readme") == ("", "")

    def test_the_public_services(self) -> None:
        assert Services().doi == "https://doi.org/"
        assert Services().arxiv.startswith("https://export.arxiv.org/")

    def test_a_doi(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["cite", "10.1145/1498765.1498785", "--yes", "--topic", "caches"]) == 0
        assert _Service.asked[0][1] == "application/vnd.citationstyles.csl+json"
        assert (
            bib(project)
            .decode()
            .endswith(
                "\n@article{williams2009roofline,\n"
                "  author       = {Williams, Samuel and Waterman, Andrew and Patterson, David},\n"
                "  title        = {Roofline: An Insightful Visual Performance Model for Multicore"
                " Architectures},\n"
                "  journal      = {Communications of the ACM},\n"
                "  volume       = {52},\n"
                "  number       = {4},\n"
                "  pages        = {65--76},\n"
                "  year         = {2009},\n"
                "  doi          = {10.1145/1498765.1498785},\n"
                "  keywords     = {caches}\n"
                "}\n"
            )
        )
        out = capsys.readouterr().out
        assert "cite as [@williams2009roofline]" in out
        assert "left out: abstract" in out

    def test_a_paper_of_a_conference_and_a_piece_of_software(self, services: Services) -> None:
        found, _ = records(services.of_doi("10.1145/2908080.2908123"), "doi")
        text = written(found[0])
        assert "  booktitle    = {Proceedings of the 37th ACM SIGPLAN Conference" in text
        assert "  isbn         = {9781450342612}" in text
        found, _ = records(services.of_doi("10.5281/zenodo.3509134"), "doi")
        assert "author       = {{The Pandas Development Team}}" in written(found[0])

    def test_an_arxiv_id(self, project: Path) -> None:
        assert main(["cite", "https://arxiv.org/abs/2205.14135", "--yes"]) == 0
        assert (
            bib(project)
            .decode()
            .endswith(
                "\n@misc{dao2022flashattention,\n"
                "  author       = {Dao, Tri and Fu, Daniel Y. and Ermon, Stefano and Rudra, Atri"
                " and Ré, Christopher},\n"
                "  title        = {{FlashAttention}: Fast and Memory-Efficient Exact Attention with"
                " {IO}-Awareness},\n"
                "  year         = {2022},\n"
                "  eprint       = {2205.14135},\n"
                "  archivePrefix= {arXiv}\n"
                "}\n"
            )
        )

    def test_a_redirection_is_followed_but_not_out_of_the_web(self, services: Services) -> None:
        assert b"Roofline" in services.of_doi("10.1000/moved")
        with pytest.raises(ServiceError):
            services.of_doi("10.1000/odd")

    @pytest.mark.parametrize(
        ("word", "says"),
        [
            ("10.1000/unknown", "knows no record of the DOI 10.1000/unknown: is it mistyped?"),
            ("10.1000/no-citation", "has no citation"),
            ("10.1000/often", "try again in a minute"),
            ("10.1000/page", "broken JSON"),
            ("9999.99999", "incorrect id format"),
            ("2613.99999", "arXiv knows no such paper"),
            ("nowhere.bib", "no file, no DOI and no arXiv id"),
            ("notes", "this is a folder"),
        ],
    )
    def test_says_what_is_wrong(
        self, project: Path, capsys: pytest.CaptureFixture[str], word: str, says: str
    ) -> None:
        before = bib(project)
        assert main(["cite", word, "--yes"]) == 1
        assert says in capsys.readouterr().err
        assert bib(project) == before

    def test_offline(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(
            cite, "SERVICES", Services("http://127.0.0.1:9/", "http://127.0.0.1:9/")
        )
        assert main(["cite", "10.1145/1498765.1498785", "2205.14135", "--timeout", "2"]) == 1
        err = capsys.readouterr().err
        assert err.count("without a network, give a file") == 2
        assert "references.bib" in project.name or bib(project)

    @pytest.mark.parametrize(
        ("word", "why"),
        [
            ("10.1145/1111111.1111111", "the same DOI, 10.1145/1111111.1111111"),
            ("https://arxiv.org/abs/2111.11111v2", "the same arXiv id, 2111.11111"),
        ],
    )
    def test_nobody_is_asked_for_what_is_there(
        self, project: Path, capsys: pytest.CaptureFixture[str], word: str, why: str
    ) -> None:
        file = project / "notes/references.bib"
        entry = (
            "\n@misc{known2021paper,\n  author = {Known, Ann},\n  title = {A paper},\n"
            "  year = {2021},\n  doi = {10.1145/1111111.1111111},\n"
            "  archiveprefix = {arXiv},\n  eprint = {2111.11111}\n}\n"
        )
        file.write_text(file.read_text() + entry)
        before = bib(project)
        assert main(["cite", word, "--yes"]) == 0
        out = capsys.readouterr().out
        assert "it is there already, [@known2021paper]" in out
        assert why in out
        assert not _Service.asked
        assert bib(project) == before


class TestCommand:
    def test_a_pipe_shows_and_writes_nothing(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = bib(project)
        stdin = SimpleNamespace(buffer=io.BytesIO(GOTO.encode()), isatty=lambda: False)
        monkeypatch.setattr("sys.stdin", stdin)
        assert main(["cite"]) == 2
        out, err = capsys.readouterr()
        assert "+@article{goto2008anatomy," in out
        assert "nothing written" in err
        assert "add --yes" in err
        assert bib(project) == before

    @pytest.mark.parametrize(("answer", "writes"), [("y", True), ("n", False), ("", False)])
    def test_a_terminal_is_asked(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, answer: str, writes: bool
    ) -> None:
        (project / "in.bib").write_text(GOTO)
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{answer}\n"))
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        before = bib(project)
        assert main(["cite", "in.bib"]) == 0
        assert (bib(project) != before) is writes
        assert bib(project).startswith(before)

    def test_a_dry_run_writes_nothing(self, project: Path) -> None:
        (project / "in.bib").write_text(GOTO)
        before = bib(project)
        assert main(["cite", "in.bib", "--dry-run"]) == 0
        assert bib(project) == before

    def test_nothing_is_added_twice_or_overwritten(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (project / "in.bib").write_text(GOTO)
        assert main(["cite", "in.bib", "--yes"]) == 0
        before = bib(project)
        assert main(["cite", "in.bib", "--yes"]) == 0
        assert bib(project) == before
        assert "it is there already, [@goto2008anatomy] (notes/references.bib:" in (
            capsys.readouterr().out
        )

    def test_a_like_title_is_added_on_demand_alone(self, project: Path) -> None:
        text = NOTES["references.bib"].replace("Know About", "Know of").replace("2007", "2008")
        text = text[: text.index("  url")] + "}\n"
        (project / "in.bib").write_text(text)
        assert main(["cite", "in.bib", "--yes"]) == 1
        assert bib(project).decode() == NOTES["references.bib"]
        assert main(["cite", "in.bib", "--yes", "--distinct", "--key", "drepper2008other"]) == 0
        assert b"@misc{drepper2008other," in bib(project)

    def test_keys_and_topics_that_cannot_be(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (project / "in.bib").write_text(GOTO)
        assert main(["cite", "in.bib", "--yes", "--key", "drepper2007memory"]) == 1
        assert "is taken" in capsys.readouterr().err
        assert main(["cite", "in.bib", "--yes", "--key", "not a key"]) == 2
        assert "'not a key' is no key" in capsys.readouterr().err
        assert main(["cite", "in.bib", "--topic", "cachess"]) == 2
        assert "did you mean caches?" in capsys.readouterr().err
        assert bib(project).decode() == NOTES["references.bib"]

    def test_what_was_added_passes_check(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (project / "in.bib").write_text(GOTO)
        assert main(["cite", "in.bib", "2205.14135", "--yes"]) == 0
        capsys.readouterr()
        assert main(["check", "--notes", "notes"]) == 0
        assert capsys.readouterr().out == ""

    def test_one_bad_source_does_not_keep_the_others_out(self, project: Path) -> None:
        (project / "in.bib").write_text(GOTO + "@misc{broken, title = {T}\n")
        assert main(["cite", "in.bib", "--yes"]) == 1
        assert b"goto2008anatomy" in bib(project)


def test_a_trouble_without_a_line_names_the_whole() -> None:
    _, troubles = records(b"", "x.bib")
    assert isinstance(troubles[0], Trouble)
    assert str(troubles[0]) == "x.bib: the input is empty"
