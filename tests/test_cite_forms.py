"""Adding references: every form that is read, and strange input."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfnotes.contribute.cite import LARGEST, key
from perfnotes.contribute.cite.add import appended, plan
from perfnotes.contribute.cite.entry import entry
from perfnotes.contribute.cite.read import records
from perfnotes.model.reference import Person
from perfnotes.source.bib import bibtex
from perfnotes.text.source import Source
from tests.cite_records import GOTO, one, written, wrong


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
            ("some words\n", "in: the text is neither BibTeX nor CSL JSON nor RIS"),
            ("@article{x,\n  title = {T}\n  year = {2000}\n}\n", "in:3:3: the entry 'x' does not"),
            ("@article{x,\n  title = {T\n", "in:1:1: the entry 'x' is never closed"),
            ('[{"type": "book", "title": "T"},\n 7]', "in:2:2: a CSL JSON item must be an object"),
            ('{"title": "T",\n}', "in:2:1: broken JSON"),
            ('{"a": 1} and more', "in:1:10: broken JSON: something follows"),
            ("[" * 100_000, "in: broken JSON"),
            ('[{"title": "T"},', "in:1:17: broken JSON"),
            ("TY  - JOUR\nTI  - T\nER  - \nAU  - A, B\n", "in:4:1: this line is outside"),
            ("@misc{x, author = {A, and B, C, D, E, F}, title = {T}}", "in:1:1: author: "),
            (
                "@artcle{x, author = {A, B}, title = {T}}",
                "in:1:1: no type is called @artcle: did you",
            ),
            ("@book{x, author = {A, B}, title = {T}, year = {20xx}}", "in:1:1: the year '20xx' is"),
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

    def test_what_bibtex_calls_otherwise_is_left_out(self) -> None:
        record = one("@webpage{x, author = {A, B}, title = {T}, year = {soon}}")
        assert (record.type, record.year) == ("misc", "")
        assert record.left_out == (
            "type (@webpage is unknown)",
            "year ('soon' is not four digits)",
        )
        assert one("@patent{x, author = {A, B}, title = {T}}").left_out == ()

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
