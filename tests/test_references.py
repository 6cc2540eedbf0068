"""What the bibliography's reader promises: every entry as plain Unicode, every fault located."""

from __future__ import annotations

import time

import pytest
from pybtex.database import parse_string

from perfnotes.model.reference import Person, Reference
from perfnotes.source.bib import bibtex, identifiers
from perfnotes.source.bib.citestyle import full_text, label, links, narrative, short_authors
from perfnotes.source.bib.latex import plain, verbatim
from perfnotes.source.bib.scanner import Budget, scan
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


class TestPlainText:
    """LaTeX becomes readable Unicode."""

    @pytest.mark.parametrize(
        ("latex", "expected"),
        [
            (r"G{\"o}del", "Gödel"),
            (r"G\"odel and \"{O}", "Gödel and Ö"),
            (r"{\v{C}}ech, \v{c}, \v c", "Čech, č, č"),
            (r"\ss, Stra{\ss}e", "ß, Straße"),
            (r"S{\o}ren, {\O}rsted, \o{}x", "Søren, Ørsted, øx"),
            (r"{\'{\i}}, \'\i, \'{\i}, \"{\i}", "í, í, í, ï"),
            (r"\c{c}\k{a}\H{o}\r{a}\u{g}\={a}\.{z}\d{h}\b{d}", "çąőåğāżḥḏ"),
            (r"{\AA}ngstr{\"o}m, {\L}ukasz, {\ae}, {\OE}, {\th}", "Ångström, Łukasz, æ, Œ, þ"),
            (r"\~{n} \^{e} \`{e} {\~n}", "ñ ê è ñ"),
            ("285--297 and --- so", "285–297 and — so"),
            ("``quoted'' and `single', it's", "“quoted” and ‘single’, it's"),
            (r"D.~E. Knuth, AT\&T, 50\%, C\#, a\_b, \$5", "D. E. Knuth, AT&T, 50%, C#, a_b, $5"),
            (r"\emph{in} {\em situ} \textsc{Blas} \textbf{\textit{x}}", "in situ Blas x"),
            ("The {GPU} and {{DRAM}}", "The GPU and DRAM"),
            (r"$\mu$s and {$L = \lambda W$}", "μs and L = λW"),
            (r"$O(n^2)$, $O(n \log n)$, $2^{10}$, $x_{ij}$", "O(n²), O(n log n), 2¹⁰, xᵢⱼ"),
            (r"$\frac{1}{2}$, $\sqrt{n}$, $2 \times 3 \leq 7$", "1/2, √n, 2 × 3 ≤ 7"),
            (r"\(k\)-means, $10^{-3}$, $n^{a+q}$, $x_q$", "k-means, 10⁻³, n^(a+q), x_q"),
            (r"\ensuremath{\alpha}-stable, \textsuperscript{2}", "α-stable, ²"),
            (r"{\TeX} and \LaTeX\ rocks", "TeX and LaTeX rocks"),
            (
                r"\href{https://x.org/a--b}{text}, \url{https://x.org/a--b}",
                "text, https://x.org/a--b",
            ),
            (r"\unknown{kept} \alone", "kept alone"),
            (r"{\noopsort{1973}}1974", "1974"),
            ("5$ and no more", "5$ and no more"),
            ("a\n   b\tc", "a b c"),
            ("e\u0301", "é"),
            ("profiling 与性能优化", "profiling 与性能优化"),
            ("<script>alert(1)</script> & co", "<script>alert(1)</script> & co"),
            ("a\u202eb\x00c\u200bd", "abcd"),
            ("open { brace } } and \\", "open brace and"),
            (r"\'", ""),
            ("", ""),
        ],
    )
    def test_plain(self, latex: str, expected: str) -> None:
        assert plain(latex) == expected

    def test_addresses_keep_their_dashes(self) -> None:
        assert verbatim(r"{https://x.org/a--b\_c\%20~d\#e}") == "https://x.org/a--b_c%20~d#e"


class TestReading:
    """A whole entry, and the ways in which BibTeX writes one."""

    def test_every_field_lands_where_it_belongs(self) -> None:
        assert one(GOTO) == Reference(
            key="goto2008anatomy",
            type="article",
            title="Anatomy of High-Performance Matrix Multiplication",
            authors=(Person("Kazushige", "Goto"), Person("Robert A.", "van de Geijn")),
            year="2008",
            venue="ACM Transactions on Mathematical Software",
            fields=(
                ("journal", "ACM Transactions on Mathematical Software"),
                ("volume", "34"),
                ("number", "3"),
                ("pages", "12:1–12:25"),
                ("month", "May"),
            ),
            doi="10.1145/1356052.1356053",
            keywords=("linear algebra", "gemm"),
            bibtex="""\
@article{goto2008anatomy,
  author  = {Goto, Kazushige and van de Geijn, Robert A.},
  title   = {Anatomy of High-Performance Matrix Multiplication},
  journal = {{ACM} Transactions on Mathematical Software},
  volume  = {34},
  number  = {3},
  pages   = {12:1--12:25},
  year    = {2008},
  month   = may,
  doi     = {10.1145/1356052.1356053}
}
""",
        )

    def test_printed_bibtex_reads_back_the_same(self) -> None:
        text = r'@Book{k, TITLE = "The {GPU} -- {\"o}", Author = {{A and B, Inc.}}, year = 1999}'
        first = one(text)
        again = one(first.bibtex)
        assert again.bibtex == first.bibtex
        assert (again.title, again.authors, again.year) == (first.title, first.authors, "1999")

    def test_strings_and_concatenation(self) -> None:
        text = '@string{acm = "ACM"}\n@STRING(tr = acm # { Trans.})\n'
        text += "@misc{k, title = TR # { on } # acm, author = {A}, month = 1 # {~} # jan}"
        reference = one(text)
        assert reference.title == "ACM Trans. on ACM"
        assert reference.field("month") == "1 January"
        assert "title  = {ACM Trans. on ACM}" in reference.bibtex

    def test_parentheses_may_delimit_an_entry(self) -> None:
        reference = one('@misc(k, title = {a ) b}, note = "c ) d", author = {A})')
        assert (reference.title, reference.field("note")) == ("a ) b", "c ) d")

    def test_comments_and_preambles_between_entries(self) -> None:
        text = (
            "Free text with me@example.org in it { and } braces.\n"
            "% @misc{commented, title = {no}}\n"
            '@preamble{"\\newcommand{\\noopsort}[1]{}"}\n'
            "@comment{@misc{hidden, title = {no}}}\n"
            "@comment a line\n"
            "@misc{kept, title = {yes}}\n"
        )
        references, findings = read(text)
        assert list(references) == ["kept"]
        assert findings == []

    def test_order_is_that_of_the_file(self) -> None:
        keys = ["z", "a", "M", "b"]
        references, _ = read("".join(f"@misc{{{key}, title = {{T}}}}\n" for key in keys))
        assert list(references) == keys

    def test_the_offset_is_the_at_sign(self) -> None:
        text = "% header\n\n" + GOTO
        assert one(text).offset == text.index("@")

    def test_agrees_with_pybtex_on_a_whole_file(self) -> None:
        text = GOTO + '@string{x = "y"}\n@book(b, title = x # {z}, author = "A and B", year = 1)\n'
        entries, findings = scan(Source("x.bib", text), Budget())
        assert findings == []
        theirs = parse_string(text, "bibtex").entries
        assert [entry.key for entry in entries] == list(theirs.keys())
        for entry in entries:
            for name, value in theirs[entry.key].fields.items():
                assert entry.fields[name.lower()] == value

    def test_an_empty_file(self) -> None:
        assert read("") == ({}, [])

    @pytest.mark.parametrize(
        ("entry", "venue"),
        [
            ("@inproceedings{k, booktitle = {Proc.}, publisher = {ACM}, ", "Proc."),
            ("@book{k, publisher = {MIT Press}, ", "MIT Press"),
            ("@phdthesis{k, school = {Berkeley}, ", "Berkeley"),
            ("@techreport{k, institution = {UTK}, ", "UTK"),
            ("@manual{k, organization = {Intel}, ", "Intel"),
            ("@misc{k, howpublished = {Blog post}, ", "Blog post"),
            (r"@misc{k, howpublished = {\url{https://x.org}}, ", ""),
            ("@article{k, journal = {arXiv preprint arXiv:2205.14135}, ", "arXiv"),
            ("@misc{k, eprint = {2205.14135}, archivePrefix = {arXiv}, ", "arXiv"),
        ],
    )
    def test_venue_fits_the_type(self, entry: str, venue: str) -> None:
        assert one(entry + "title = {T}, author = {A, B}, year = 2000}").venue == venue

    def test_biblatex_names(self) -> None:
        text = "@article{k, title={T}, author={A}, journaltitle={J}, date={2008-05-01}}"
        reference = one(text)
        assert (reference.year, reference.venue) == ("2008", "J")

    @pytest.mark.parametrize(
        ("pages", "shown"),
        [("1--2", "1–2"), ("1-2", "1–2"), ("1, 4-6", "1, 4–6"), ("12-1--12-25", "12-1–12-25")],
    )
    def test_page_ranges_have_en_dashes(self, pages: str, shown: str) -> None:
        assert misc(f"pages = {{{pages}}}").field("pages") == shown


class TestNames:
    """BibTeX's names, with the particles, suffixes and groups that people have."""

    @pytest.mark.parametrize(
        ("written", "person"),
        [
            ("Robert A. van de Geijn", Person("Robert A.", "van de Geijn")),
            ("van de Geijn, Robert A.", Person("Robert A.", "van de Geijn")),
            ("John von Neumann", Person("John", "von Neumann")),
            ("Steele, Jr., Guy L.", Person("Guy L.", "Steele", "Jr.")),
            ("Guy L. Steele Jr.", Person("Guy L.", "Steele", "Jr.")),
            ("{NVIDIA Corporation}", Person("", "NVIDIA Corporation")),
            ("{Barnes and Noble, Inc.}", Person("", "Barnes and Noble, Inc.")),
            ("Donald~E. Knuth", Person("Donald E.", "Knuth")),
            (r"\'{E}variste Galois", Person("Évariste", "Galois")),
            (r"{\'E}variste Galois", Person("Évariste", "Galois")),
            (r"Kurt G{\"o}del", Person("Kurt", "Gödel")),
            (r"G\"{o}del, Kurt", Person("Kurt", "Gödel")),
            (r"\v{C}apek, Karel", Person("Karel", "Čapek")),
            ("Van Zee, Field G.", Person("Field G.", "Van Zee")),
            ("Plato", Person("", "Plato")),
            ("王明", Person("", "王明")),
        ],
    )
    def test_one_name(self, written: str, person: Person) -> None:
        assert one(f"@misc{{k, title = {{T}}, author = {{{written}}}}}").authors == (person,)

    def test_and_others_is_no_person(self) -> None:
        reference = one("@misc{k, title = {T}, author = {Young, Ann AND others}}")
        assert reference.authors == (Person("Ann", "Young"),)
        assert reference.others
        assert label(reference) == "Young et al. n.d."

    def test_names_may_stand_on_lines_of_their_own(self) -> None:
        reference = one("@misc{k, title={T}, author={A, B\n  and\n\tC, D and Armand, E}}")
        assert [person.family for person in reference.authors] == ["A", "C", "Armand"]

    def test_chinese_names_put_the_family_first(self) -> None:
        assert Person("明", "王").name == "王明"
        assert Person("Guy L.", "Steele", "Jr.").name == "Guy L. Steele Jr."


class TestCrossref:
    """An entry inherits what it lacks from the one it names."""

    PARENT = """
@proceedings{sc98, title = {Proc. {SC} '98}, editor = {Ed, Itor}, year = 1998,
  publisher = {IEEE}, doi = {10.1109/whole.volume}, keywords = {hpc}}
"""

    def test_booktitle_comes_from_the_title(self) -> None:
        child = "@inproceedings{a, title = {Paper}, author = {A}, crossref = {SC98}, pages = 7}"
        references, findings = read(child + self.PARENT)
        assert findings == []
        reference = references["a"]
        assert reference.title == "Paper"
        assert reference.venue == "Proc. SC '98"
        assert (reference.year, reference.field("publisher")) == ("1998", "IEEE")
        assert reference.editors == (Person("Itor", "Ed"),)

    def test_what_names_the_volume_stays_with_it(self) -> None:
        child = "@inproceedings{a, title = {Paper}, author = {A}, crossref = {sc98}}"
        reference = read(child + self.PARENT)[0]["a"]
        assert (reference.doi, reference.keywords) == ("", ())
        assert "crossref" not in reference.bibtex
        assert "booktitle = {Proc. {SC} '98}" in reference.bibtex

    def test_a_chapter_without_title_has_its_book_s(self) -> None:
        book = "@book{b, title = {Book}, author = {W}, publisher = {P}, year = 2001}\n"
        references, findings = read(book + "@inbook{c, chapter = 3, crossref = {b}}")
        assert findings == []
        assert references["c"].title == "Book"

    def test_an_unknown_parent_is_found(self) -> None:
        text = "@misc{a, title = {T},\n crossref = {sc89}}" + self.PARENT
        references, findings = read(text)
        assert [(f.code, f.line, f.column) for f in findings] == [("PN403", 2, 2)]
        assert "'sc89'" in findings[0].message
        assert set(references) == {"a", "sc98"}

    @pytest.mark.parametrize(
        "text",
        [
            "@misc{a, title = {T}, crossref = {a}}",
            "@misc{a, title = {T}, crossref = {b}} @misc{b, title = {T}, crossref = {A}}",
            "".join(f"@misc{{k{i}, title={{T}}, crossref={{k{(i + 1) % 30}}}}}" for i in range(30)),
        ],
    )
    def test_cycles_end(self, text: str) -> None:
        references, findings = read(text)
        assert len(references) == text.count("@misc")
        assert all(finding.code == "PN403" for finding in findings)


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
        assert label(reference) == "Goto n.d."
        assert narrative(reference, "zh") == "Goto（无日期）"

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
            ("@manual{k, title={T}, author={{LLVM}}, organization={LLVM}}", "LLVM (n.d.). T."),
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


LARGE = 1_000_000


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
            "@a{x,t={\n" * 40_000 + "}}\n" * 40_000,
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
        assert time.process_time() - start < 20
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
            assert isinstance(plain(text), str)

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
