"""Adding references by DOI and arXiv id, and the command: nothing is written unasked."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from perfnotes.cli.commands import cite
from perfnotes.cli.main import main
from perfnotes.contribute.cite.read import records
from perfnotes.contribute.cite.record import Trouble
from perfnotes.contribute.cite.services import ServiceError, Services
from perfnotes.contribute.cite.sources import ids_in
from tests.cite_records import GOTO, written
from tests.example_notes import NOTES, write_notes

ANSWERS = Path(__file__).parent / "answers"


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
        assert ids_in("10.1145/1498765.1498785") == ("10.1145/1498765.1498785", "")
        assert ids_in("https://doi.org/10.1145/1498765.1498785")[0] == "10.1145/1498765.1498785"
        assert ids_in("doi:10.1145/1498765.1498785")[0] == "10.1145/1498765.1498785"
        for word in ("2205.14135", "arXiv:2205.14135v2", "https://arxiv.org/pdf/2205.14135v1.pdf",
                     "arxiv.org/abs/2205.14135", "10.48550/arXiv.2205.14135"):  # fmt: skip
            assert ids_in(word) == ("", "2205.14135"), word
        assert ids_in("cs/0312018") == ("", "cs/0312018")
        assert ids_in("readme") == ("", "")

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
            ("https://example.org/manual", "begins with `perfnotes new reference`"),
            ("notes", "this is a folder"),
            ("a" * 300, "no file, no DOI and no arXiv id"),
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

    def test_an_unreadable_file_is_a_trouble(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (project / "in.bib").write_text(GOTO)
        (project / "secret.bib").write_text(GOTO)
        opened = Path.open

        def refuse(file: Path, *arguments: Any, **options: Any) -> Any:
            if file.name == "secret.bib":
                raise PermissionError(13, "Permission denied")
            return opened(file, *arguments, **options)

        monkeypatch.setattr(Path, "open", refuse)
        assert main(["cite", "secret.bib", "in.bib", "--yes"]) == 1
        assert "secret.bib: it cannot be read: Permission denied" in capsys.readouterr().err
        assert b"goto2008anatomy" in bib(project)

    def test_one_bad_source_does_not_keep_the_others_out(self, project: Path) -> None:
        (project / "in.bib").write_text(GOTO + "@misc{broken, title = {T}\n")
        assert main(["cite", "in.bib", "--yes"]) == 1
        assert b"goto2008anatomy" in bib(project)


def test_a_trouble_without_a_line_names_the_whole() -> None:
    _, troubles = records(b"", "x.bib")
    assert isinstance(troubles[0], Trouble)
    assert str(troubles[0]) == "x.bib: the input is empty"
