"""Every fault of a bibliography is located, and no text makes the reader fail."""

from __future__ import annotations

import time

import pytest

from perfnotes.source.bib.citestyle import full_text
from perfnotes.source.bib.latex import without_latex
from perfnotes.text.findings import Finding
from tests.bibliography import GOTO, misc, read, wrong


class TestBrokenEntries:
    """PN401: one broken entry is named and placed, and the others are read."""

    def broken(self, text: str) -> Finding:
        before = "@misc{before, title = {T}}\n\n"
        after = "\n@misc{after, title = {T}}\n"
        references, findings = read(before + text + after)
        assert list(references) == ["before", "after"]
        (finding,) = findings
        assert finding.code == "PN401"
        assert finding.path == "notes/references.bib"
        return finding

    @pytest.mark.parametrize(
        ("text", "line", "column", "said"),
        [
            ("@misc{bad,\n title = {T},\n year = {2000\n}\n", 3, 1, "'bad' is never closed"),
            ("@misc{bad,\n title = {T}\n year = {2000}\n}\n", 5, 2, "comma is missing"),
            ("@misc{bad,\n title {T}\n}\n", 4, 8, "'bad' does not parse"),
            ('@misc{bad,\n title = "T,\n year = "2000"\n}\n', 5, 10, "'bad' does not parse"),
            ("@misc{bad,\n title = {T},\n % year = {2000}\n}\n", 5, 2, "no comments inside"),
            ("@misc{bad,\n journal = cacm,\n}\n", 4, 16, "the string 'cacm' is not defined"),
            ("@misc{bad,\n title = {T}},\n year = {2000}\n}\n", 6, 1, "outside of any entry"),
            ("@misc{}\n", 3, 7, "does not parse"),
            ("@misc\n", 3, 1, "no brace after '@misc'"),
            ("@string{x = }\n", 3, 13, "this @string does not parse"),
            ("@misc(bad, title = {T}\n", 3, 1, "parenthesis is missing"),
            ("@comment{ never closed\n", 3, 1, "this @comment is never closed"),
            ('@misc{bad, title = "a } b {"}\n', 3, 1, "'bad'"),
        ],
    )
    def test_place_and_reason(self, text: str, line: int, column: int, said: str) -> None:
        if "T}}," in text:  # the entry itself is whole; what follows it is not
            references, (finding,) = read("@misc{before, title = {T}}\n\n" + text)
            assert list(references) == ["before", "bad"]
        else:
            finding = self.broken(text)
        assert said in str(finding)
        if column > 1:
            assert (finding.line, finding.column) == (line, column)
        else:
            assert finding.line == line

    def test_entries_swallowed_by_a_lost_brace_come_back(self) -> None:
        text = (
            "@misc{a, title = {T}\n"
            "@misc{b, title = {T}}\n"
            "@misc{c, title = {T}}\n"
            "}\n"
            "@misc{d, title = {T}}\n"
        )
        references, findings = read(text)
        assert list(references) == ["b", "c", "d"]
        assert findings[0].line <= 2
        assert {finding.code for finding in findings} == {"PN401"}

    def test_findings_are_in_the_order_of_the_file(self) -> None:
        _, findings = read("@misc{a, year = {x}}\n@misc{b\n@misc{c, year = {x}}\n")
        assert [finding.line for finding in findings] == sorted(f.line for f in findings)
        assert {finding.code for finding in findings} == {"PN401", "PN403"}


class TestDuplicates:
    """PN402: a key stands once, whatever its case."""

    @pytest.mark.parametrize("second", ["knuth1974", "Knuth1974", "KNUTH1974"])
    def test_the_second_one_is_named(self, second: str) -> None:
        text = f"\n@misc{{knuth1974, title = {{First}}}}\n\n  @misc{{{second}, title = {{Other}}}}"
        references, (finding,) = read(text)
        assert (finding.code, finding.line, finding.column) == ("PN402", 4, 3)
        assert "line 2" in finding.message
        assert second in finding.message
        assert references["knuth1974"].title == "First"
        assert len(references) == 1


class TestMissingAndMalformed:
    """PN403: what an entry needs and how it is written."""

    @pytest.mark.parametrize(
        ("field", "said"),
        [
            ("year = {in press}", "not four digits"),
            ("year = {2008--2010}", "not four digits"),
            ("year = {08}", "not four digits"),
            ("year = {２００８}", "not four digits"),
            ("doi = {https://doi.org/10.1145/1356052}", "write 10.1145/1356052"),
            ("doi = {doi:10.1145/1356052}", "write 10.1145/1356052"),
            ("doi = {11.1145/1356052}", "not a DOI"),
            ("doi = {10.1145}", "not a DOI"),
            ("doi = {10.1145/a b}", "not a DOI"),
            ("eprint = {arXiv:2205.14135}, archivePrefix = {arXiv}", "write 2205.14135"),
            ("eprint = {2205.141}, archivePrefix = {arXiv}", "not an arXiv id"),
            ("url = {javascript:alert(1)}", "not a web address"),
            ("url = {ftp://x.org/a}", "not a web address"),
            ("url = {www.x.org}", "not a web address"),
            ("url = {http://[::1}", "not a web address"),
            ("url = {https://x.org:port/}", "not a web address"),
            ("url = {https://user:secret@x.org/}", "user name"),
            ("url = {https://x.org/a b}", "character"),
            ('url = {https://x.org/"onclick=x}', "character"),
            ("note = {a}, note = {b}", "twice"),
            ("editor = {A and and B}", "an empty name"),
            ("editor = {A, B, C, D, E}", "a name that BibTeX cannot read"),
        ],
    )
    def test_field(self, field: str, said: str) -> None:
        (finding,) = wrong(field)
        assert (finding.code, finding.line) == ("PN403", 4)
        assert said in str(finding)

    @pytest.mark.parametrize(
        ("entry", "said"),
        [
            ("@misc{k, author = {A}}", "no title"),
            ("@misc{k, title = {{}}, author = {A}}", "no title"),
            ("@article{k, title = {T}, journal = {J}, year = 2000}", "no author"),
            ("@book{k, title = {T}, publisher = {P}, year = 2000, author = {}}", "no author"),
            ("@book{k, title = {T}, author = {A}}", "no year"),
            ("@article{k, title = {T}, author = {A}, year = 2000}", "no journal"),
            ("@inproceedings{k, title = {T}, author = {A}, year = 2000}", "no booktitle"),
        ],
    )
    def test_missing(self, entry: str, said: str) -> None:
        references, (finding,) = read(entry)
        assert finding.code == "PN403"
        assert said in finding.message
        assert "k" in references

    @pytest.mark.parametrize(
        "entry",
        [
            "@misc{k, title = {T}}",
            "@manual{k, title = {T}, year = 2000}",
            "@book{k, title = {T}, editor = {E}, year = 2000}",
            "@techreport{k, title = {T}, institution = {I}, year = 2000}",
            "@article{k, title={T}, author={A}, year=2000, eprint={2205.14135}}",
        ],
    )
    def test_enough(self, entry: str) -> None:
        assert read(entry)[1] == []

    @pytest.mark.parametrize(
        "key", ["../../etc/passwd", "-x", "a/b", "a b", "é", "x'y", "a#b", ".a"]
    )
    def test_keys_that_cannot_be_cited_are_left_out(self, key: str) -> None:
        references, findings = read(f"@misc{{{key}, title = {{T}}}}")
        assert references == {}
        assert len(findings) == 1
        assert findings[0].code in ("PN401", "PN403")

    @pytest.mark.parametrize("key", ["a", "7", "DBLP:conf+x-1.2_b", "google_tcmallocdesign"])
    def test_keys_that_can(self, key: str) -> None:
        assert list(read(f"@misc{{{key}, title = {{T}}}}")[0]) == [key]

    def test_a_prefixed_doi_still_leads_to_the_paper(self) -> None:
        references, _ = read("@misc{k, title={T}, doi={https://doi.org/10.1145/1356052}}")
        assert references["k"].doi == "10.1145/1356052"

    def test_an_inherited_fault_is_told_once(self) -> None:
        text = "@misc{p, title = {T}, year = {x}} @misc{c, title = {T}, crossref = {p}}"
        assert len(read(text)[1]) == 1


LARGE = 400_000


class TestHostileText:
    """No text makes the reader fail, or wait for long."""

    @pytest.mark.parametrize(
        "text",
        [
            "{" * LARGE,
            "}" * LARGE,
            "@" * LARGE,
            "@a{" * (LARGE // 3),
            "@a{\n" * (LARGE // 4),
            "@a(\n" * (LARGE // 4),
            '@a("\n' * (LARGE // 5) + ")",
            "@a\n" * (LARGE // 3),
            "@a{x,t={\n" * 16_000 + "}}\n" * 16_000,
            "@misc{a,title={" + "{}" * (LARGE // 4),
            '@misc{a,title="' + "{}" * (LARGE // 4) + "}",
            "@misc{a,title={" + "{" * 5000 + "}" * 5000 + "}}",
            "@misc{a,title={T},author={" + "{}" * (LARGE // 4) + "}}",
            "@misc{a,title={T},author={" + " and" * (LARGE // 4) + "}}",
            "@misc{a,title={T},author={" + "{" * 99 + "A" + "}" * 99 + "}}",
            "@misc{a,title={" + "$" * (LARGE // 4) + "}}",
            "@misc{a,title={" + "\\'" * (LARGE // 4) + "}}",
            "@misc{a,title={$" + "\\frac" * (LARGE // 10) + "$}}",
            "@misc{a,title={$" + "^" * (LARGE // 4) + "$}}",
            "@misc{a,title={T},pages={" + "1" * LARGE + "}}",
            "@misc{a,title={T},note={" + "http://" * (LARGE // 7) + "}}",
            "@misc{" + "k" * LARGE + "}",
            "@misc{a,title={x\0y\x02},year={20\0}}\0@misc{\0}",
        ],
    )
    def test_returns_soon(self, text: str) -> None:
        start = time.process_time()
        references, findings = read(text)
        for reference in references.values():
            full_text(reference)
        assert time.process_time() - start < 5
        assert len(findings) < 500

    def test_strings_cannot_grow_without_end(self) -> None:
        text = '@string{a0 = "0123456789"}\n'
        text += "".join(f"@string{{a{n + 1} = a{n} # a{n}}}\n" for n in range(100))
        _, findings = read(text)
        assert "grow too large" in findings[0].message

    def test_crossrefs_cannot_grow_without_end(self) -> None:
        parent = "@misc{p, title = {T}, series = {" + "x" * 400_000 + "}}\n"
        children = "".join(f"@misc{{k{n}, title={{T}}, crossref={{p}}}}\n" for n in range(300))
        references, findings = read(parent + children)
        assert len(references) == 301
        assert {f.message for f in findings} == {"the crossrefs of this file grow too large"}
        assert sum(len(r.bibtex) for r in references.values()) < 6_000_000

    def test_deep_nesting_in_text(self) -> None:
        for text in ("{" * 5000, "\\emph{" * 5000, "\\'{" * 5000, "$\\sqrt{" * 5000):
            assert isinstance(without_latex(text), str)

    def test_every_prefix_of_an_entry(self) -> None:
        text = GOTO + "@misc{k, title = {T}}\n"
        for end in range(len(text)):
            references, findings = read(text[:end])
            assert len(references) <= 2
            assert all(finding.code in ("PN401", "PN403") for finding in findings)

    def test_every_entry_with_one_character_lost(self) -> None:
        last = "\n@misc{last, title = {T}}\n"
        for at in range(len(GOTO)):
            references, _ = read(GOTO[:at] + GOTO[at + 1 :] + last)
            assert "last" in references

    def test_no_markup_is_made_or_lost(self) -> None:
        reference = misc('note = {<img src=x onerror="alert(1)"> & </script>}')
        assert reference.field("note") == '<img src=x onerror="alert(1)"> & </script>'
        assert reference.field("note") in full_text(reference)
