"""Adding references: one entry in our style, its key, what is there already."""

from __future__ import annotations

import json

import pytest

from perfnotes.contribute.cite import duplicates, frombibtex, key
from perfnotes.contribute.cite.add import appended, plan
from perfnotes.contribute.cite.entry import entry, known_words, title
from perfnotes.contribute.cite.read import records
from perfnotes.contribute.cite.record import identify, month, pages, year
from perfnotes.model.reference import Person
from perfnotes.source.bib import bibtex
from perfnotes.text.source import Source
from tests.cite_records import GOTO, one, planned, some_of_ours


class TestNormalised:
    def test_identifiers_are_bare_and_said_once(self) -> None:
        ids = identify("doi:10.1145/1356052", "", "http://dx.doi.org/10.1145/1356052")
        assert (ids.doi, ids.url) == ("10.1145/1356052", "")
        ids = identify("", "", "https://arxiv.org/pdf/cs/0312018v3.pdf")
        assert (ids.arxiv, ids.url) == ("cs/0312018", "")
        ids = identify("10.48550/arXiv.2205.14135", "", "https://example.org/a")
        assert (ids.doi, ids.arxiv, ids.url) == ("", "2205.14135", "https://example.org/a")
        assert identify("no doi", "", "ftp://x").left_out == (
            "doi ('no doi' is no DOI)",
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

    @pytest.mark.parametrize(
        ("kind", "word", "kept"),
        [
            ("techreport", "Request for Comments", True),
            ("report", "techreport", False),
            ("phdthesis", "Dissertation", False),
        ],
    )
    def test_a_report_keeps_the_name_of_its_series(self, kind: str, word: str, kept: bool) -> None:
        fields = f"title={{T}}, author={{A, B}}, number={{1928}}, year={{1996}}, type={{{word}}}"
        record = one(f"@{kind}{{k, {fields}}}")
        assert (("type", word) in record.fields) == kept
        assert (f"{{{word}}}" in entry(record, "k", ())) == kept


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

    def test_no_key_is_made_of_a_name_without_latin_letters(self) -> None:
        assert self.make("缓存", "高") == ""
        text = "@misc{k, author={{高性能实验室}}, title={缓存}, year={2008}, url={https://example.org}}"
        made = planned("", text)
        assert made.added == []
        assert "a name without Latin letters: add this work alone" in str(made.troubles[0])
        assert plan(Source("r.bib", ""), [one(text)], given_key="gao2008cache").added

    def test_a_work_of_nobody_gets_a_key(self) -> None:
        assert key.make(one("@misc{k, title={缓存}, year={2008}}"), ()) == "anonymous2008"
        taken = ["anonymous2008"]
        assert key.make(one("@misc{k, title={缓存}, year={2008}}"), taken) == "anonymous2008_2"

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

    def same(self, text: str) -> duplicates.Duplicate | None:
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
