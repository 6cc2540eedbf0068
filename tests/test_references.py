"""What the bibliography's reader promises: every entry as plain Unicode."""

from __future__ import annotations

import pytest
from pybtex.database import parse_string

from perfnotes.model.reference import Person, Reference
from perfnotes.source.bib.citestyle import label
from perfnotes.source.bib.latex import verbatim, without_latex
from perfnotes.source.bib.scanner import Budget, scan
from perfnotes.text.source import Source
from tests.bibliography import GOTO, misc, one, read


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
        assert without_latex(latex) == expected

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
        assert label(reference) == "Young et al."

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
