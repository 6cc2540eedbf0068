"""Identifiers of references, and how a reference is written out."""

from __future__ import annotations

import pytest

from perfnotes.model.reference import Person, Reference
from perfnotes.source.bib import identifiers
from perfnotes.source.bib.citestyle import full_text, label, links, narrative, short_authors
from tests.bibliography import GOTO, misc, one


class TestIdentifiers:
    """Where a paper can be read."""

    @pytest.mark.parametrize(
        ("fields", "arxiv"),
        [
            ("eprint = {2205.14135}, archivePrefix = {arXiv}", "2205.14135"),
            ("eprint = {2205.14135v2}, eprinttype = {arxiv}", "2205.14135v2"),
            ("eprint = {cs/0312018}, archiveprefix = {arXiv}", "cs/0312018"),
            ("eprint = {math.NA/0312018}", "math.NA/0312018"),
            ("url = {https://arxiv.org/pdf/2205.14135.pdf}", "2205.14135"),
            ("url = {http://arxiv.org/abs/2205.14135v3}", "2205.14135v3"),
            ("journal = {arXiv preprint arXiv:2205.14135}", "2205.14135"),
            ("journal = {CoRR}, volume = {abs/2205.14135}", ""),
            ("journal = {CoRR abs/2205.14135}", "2205.14135"),
            ("doi = {10.48550/arXiv.2205.14135}", "2205.14135"),
            ("eprint = {hal-01234567}, archivePrefix = {HAL}", ""),
            ("url = {https://example.org/2205.14135}", ""),
        ],
    )
    def test_arxiv(self, fields: str, arxiv: str) -> None:
        assert misc(fields).arxiv == arxiv

    def test_an_address_where_older_styles_put_it(self) -> None:
        assert misc(r"howpublished = {\url{https://x.org/a--b}}").url == "https://x.org/a--b"
        assert misc(r"note = {See https://x.org/a.}").url == "https://x.org/a"
        assert misc(r"note = {See ftp://x.org/a.}").url == ""

    def test_links(self) -> None:
        reference = Reference(
            key="k",
            type="misc",
            title="T",
            doi="10.1002/(SICI)1096<509::AID>3.0.CO;2-Q#a?b",
            arxiv="cs/0312018",
            url="https://x.org/ä?q=%20#f",
        )
        assert links(reference) == (
            ("DOI", "https://doi.org/10.1002/(SICI)1096%3C509::AID%3E3.0.CO;2-Q%23a%3Fb"),
            ("arXiv", "https://arxiv.org/abs/cs/0312018"),
            ("URL", "https://x.org/%C3%A4?q=%20#f"),
        )

    @pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//x.org", "x", ""])
    def test_no_link_but_http(self, url: str) -> None:
        assert links(Reference("k", "misc", "T", url=url)) == ()

    def test_well_formed(self) -> None:
        assert identifiers.doi("10.1007/3-540-60368-9_19").problem == ""
        assert identifiers.web_url("http://127.0.0.1:8000/a?b#c").problem == ""


class TestStyle:
    """How a reference is cited and listed."""

    PEOPLE = (Person("Ann", "Goto"), Person("Bo", "van de Geijn"), Person("", "Cy"))

    def made(self, **given: object) -> Reference:
        values: dict[str, object] = {"key": "k", "type": "misc", "title": "T", "year": "2008"}
        return Reference(**{**values, **given})  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("count", "english", "chinese"),
        [(1, "Goto", "Goto"), (2, "Goto & van de Geijn", "Goto 和 van de Geijn"),
         (3, "Goto et al.", "Goto 等")],
    )  # fmt: skip
    def test_authors(self, count: int, english: str, chinese: str) -> None:
        reference = self.made(authors=self.PEOPLE[:count])
        assert short_authors(reference, "en") == english
        assert short_authors(reference, "zh") == chinese
        assert label(reference, "en") == f"{english} 2008"
        assert narrative(reference, "en") == f"{english} (2008)"
        assert narrative(reference, "zh") == f"{chinese}（2008）"

    def test_who_stands_for_missing_authors(self) -> None:
        assert short_authors(self.made(editors=self.PEOPLE[:1])) == "Goto"
        assert short_authors(self.made(fields=(("organization", "Intel"),))) == "Intel"
        assert short_authors(self.made(fields=(("institution", "MIT"),))) == "MIT"
        assert short_authors(self.made(title="Bash Manual")) == "Bash Manual"
        assert short_authors(self.made(title="The Art of the: Long Title")) == "The Art of the…"
        assert short_authors(self.made(title="性" * 50)) == "性" * 40 + "…"
        assert short_authors(self.made(title="")) == "k"

    def test_no_year(self) -> None:
        reference = self.made(year="", authors=self.PEOPLE[:1])
        assert label(reference) == "Goto"
        assert narrative(reference, "zh") == "Goto"
        assert narrative(reference, "en", "sec. 4") == "Goto (sec. 4)"
        assert narrative(reference, "zh", "sec. 4") == "Goto（sec. 4）"

    def test_organisations_have_short_names(self) -> None:
        for name, short in (
            ("NVIDIA Corporation", "NVIDIA"), ("P, Inc.", "P"), ("Corp", "Corp"),
            ("PyTorch Contributors", "PyTorch"), ("The Go Authors", "Go"),
            ("Linux man-pages project", "Linux man-pages"), ("The Open Group", "The Open Group"),
        ):  # fmt: skip
            assert short_authors(self.made(fields=(("organization", name),))) == short
            assert short_authors(self.made(authors=(Person("", name),))) == short
        assert short_authors(self.made(authors=(Person("Ann", "Inc"),))) == "Inc"
        made = one("@manual{k, title={T}, author={{Advanced Micro Devices}}, shortauthor={AMD}}")
        assert label(made) == "AMD"
        assert full_text(made) == "Advanced Micro Devices. T."

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (GOTO,
             "Kazushige Goto and Robert A. van de Geijn (2008). Anatomy of High-Performance Matrix "
             "Multiplication. ACM Transactions on Mathematical Software 34(3), 12:1–12:25."),
            ("@inproceedings{k, title={Why?}, author={A, B and C, D and E, F}, year=2019, "
             "booktitle={Proc. (X '19)}, series={LNCS}, volume=9, pages={1--2}, publisher={ACM}}",
             "B A, D C, and F E (2019). Why? In Proc. (X '19), LNCS 9, pp. 1–2. ACM."),
            ("@book{k, title={T}, editor={A, B}, year=2019, edition=2, publisher={P, Inc.}}",
             "B A (ed.) (2019). T. 2nd edition. P, Inc."),
            ("@phdthesis{k, title={T}, author={A, B}, year=2019, school={Berkeley}, note={N}}",
             "B A (2019). T. PhD thesis, Berkeley. N."),
            ("@techreport{k, title={T}, author={A, B}, year=2019, institution={UTK}, number=131}",
             "B A (2019). T. Technical report 131, UTK."),
            ("@manual{k, title={T}, author={{LLVM}}, organization={LLVM}}", "LLVM. T."),
            ("@manual{k, title={T}, organization={LLVM}, year=2001}", "LLVM (2001). T."),
            ("@misc{k, title={T}, year=2001}", "T (2001)."),
            ("@misc{k, title={T}, author={A, B and others}, year=2020, eprint={2205.14135}}",
             "B A et al. (2020). T. arXiv:2205.14135."),
        ],
    )  # fmt: skip
    def test_full_text(self, text: str, expected: str) -> None:
        assert full_text(one(text)) == expected

    def test_many_authors_are_cut(self) -> None:
        people = tuple(Person("", f"P{number}") for number in range(40))
        assert ", P18, et al. (2008)" in full_text(self.made(authors=people))
