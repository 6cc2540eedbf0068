"""Workflows give strangers' code nothing worth having; the poster of comments trusts none of it."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sysconfig
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from tools.review import comment

from perfnotes.review.entry import Line, ReportEntry, ReportPart, ReviewReport
from perfnotes.review.markdown import MARKER, as_markdown
from tests.project import ROOT

FOLDER = ROOT / ".github/workflows"
NAMES = sorted(file.name for file in FOLDER.glob("*.y*ml"))
MAY_WRITE = {"publish.yml": {"pages", "id-token"}, "comment.yml": {"pull-requests"}}
GOOD = as_markdown(
    ReviewReport(
        "main",
        "mine",
        (ReportPart("pages", "Pages", (ReportEntry("added", Line("{}", ("a/b",))),)),),
    )
)


def workflow(name: str) -> dict[Any, Any]:
    data = yaml.safe_load((FOLDER / name).read_text("utf-8"))
    assert isinstance(data, dict)
    return data


def events(name: str) -> set[str]:
    on = workflow(name)[True]  # YAML 1.1 reads the key `on` so
    return {on} if isinstance(on, str) else set(on)


def steps(name: str) -> list[dict[str, Any]]:
    return [step for job in workflow(name)["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("name", NAMES)
def test_actions_are_pinned_by_hash(name: str) -> None:
    text = (FOLDER / name).read_text("utf-8")
    for used in re.findall(r"uses:\s*(.+)", text):
        assert re.fullmatch(r"[\w-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", used), used


@pytest.mark.parametrize("name", NAMES)
def test_tokens_may_read_at_most(name: str) -> None:
    found = workflow(name)
    assert found["permissions"] in ({}, {"contents": "read"})
    written = set()
    for job in found["jobs"].values():
        given = job.get("permissions", {})
        assert isinstance(given, dict)
        written |= {right for right, how in given.items() if how != "read"}
    assert written == MAY_WRITE.get(name, set())


@pytest.mark.parametrize("name", NAMES)
def test_strangers_code_meets_no_secret(name: str) -> None:
    text = (FOLDER / name).read_text("utf-8")
    code = "\n".join(line.partition("#")[0] for line in text.splitlines())
    assert "pull_request_target" not in code
    assert not re.search(r"\bsecrets\b", code)
    if "pull_request" in events(name):
        assert name not in MAY_WRITE
        assert not re.search(r"github\.token|GITHUB_TOKEN|GH_TOKEN|self-hosted", code)
        assert "never" in text  # it says why


@pytest.mark.parametrize("name", NAMES)
def test_no_expression_becomes_part_of_a_script(name: str) -> None:
    for step in steps(name):
        assert "${{" not in step.get("run", ""), step
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
            assert "head" not in str(step["with"].get("ref", ""))


@pytest.mark.parametrize("name", NAMES)
def test_jobs_end_and_take_turns(name: str) -> None:
    found = workflow(name)
    assert all(0 < job["timeout-minutes"] <= 60 for job in found["jobs"].values())
    assert "concurrency" in found or "schedule" in events(name)


def test_the_workflow_that_writes_runs_nothing_of_a_pull_request() -> None:
    assert events("comment.yml") == {"workflow_run"}
    checkout, post = steps("comment.yml")
    assert checkout["with"]["ref"] == "${{ github.event.repository.default_branch }}"
    assert checkout["with"]["sparse-checkout"] == "tools/review"
    assert post["run"] == "python3 tools/review/comment.py"
    for event in [n for n in NAMES if "workflow_run" in events(n)]:
        assert event == "comment.yml"
    source = (ROOT / "tools/review/comment.py").read_text("utf-8")
    assert not re.search(r"subprocess|os\.system|eval\(|exec\(|extract|\bopen\(.*[\"']w", source)


def test_zizmor_finds_nothing() -> None:
    path = shutil.which("zizmor", path=sysconfig.get_path("scripts")) or shutil.which("zizmor")
    assert path, "no zizmor: `make env-dev` installs it"
    command = [path, "--offline", "--no-progress", "--color=never", str(FOLDER)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


BAD = [
    "@octocat",
    "![x](https://evil.example/x.png)",
    "[x](https://evil.example)",
    "https://evil.example",
    "www.evil.example",
    "<b>x</b>",
    "see #1",
    "GH-1",
    "a :tada: x",
    "&#64;octocat",
    "`open",
    "``one` two",
    "x \u202e y",
    "*bold*",
    "\\`@octocat`",
    "$x$",
]


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("before", ["- added: ", "  - ", "", "Words ", "- **Pages:** "])
def test_a_text_of_another_form_is_refused(before: str, bad: str) -> None:
    assert comment.problem(f"{GOOD}\n{before}{bad}\n")


@pytest.mark.parametrize(
    "block",
    [
        "<details>\n- `<img src=x>`",
        "<details>\n<summary>Pages (1)</summary>\n- `<img src=x>`\n",
        "</details>\n- `<img src=x>`\n",
        "<details open>",
        "<summary>`x` (1)</summary>",
        "    indented",
        "# Heading",
        "> quoted",
        "```",
        "~~~",
        "| a | b |",
        "\r- x",
        "- x\u2028@octocat",
    ],
)
def test_no_block_of_another_kind(block: str) -> None:
    assert comment.problem(f"{GOOD}\n{block}\n")


def test_the_form_of_a_comparison() -> None:
    assert comment.problem(GOOD) == ""
    assert comment.problem(GOOD + "\n- added: words, and more (2) → x.\n") == ""
    assert comment.problem(GOOD + "\n- x: ``@octocat ` <b>`` and `#1`\n") == ""
    assert comment.problem(GOOD.replace(MARKER, "")) == "it does not begin as a comparison does"
    assert comment.problem(GOOD + "\n- x\n" * 20_000) == "it is too long"


class FakeApi:
    """GitHub's answers about a run, its artifact and a pull request; writes down what is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, bool]] = []
        self.sent: list[tuple[str, str, str]] = []
        self.run: dict[str, Any] = {
            "event": "pull_request", "head_sha": "a" * 40, "head_repository": {"id": 7},
        }  # fmt: skip
        self.pull: dict[str, Any] = {
            "state": "open", "head": {"sha": "a" * 40, "repo": {"id": 7}},
        }  # fmt: skip
        self.comments: list[dict[str, Any]] = []
        self.files = {"comment.md": GOOD.encode(), "number.txt": b"12\n"}
        self.archive: bytes | None = None
        self.artifacts = [{"id": 3, "expired": False}]

    def packed(self) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in self.files.items():
                archive.writestr(name, data)
        return out.getvalue() if self.archive is None else self.archive

    def answer(self, path: str) -> Any:
        page = int((re.findall(r"&page=(\d+)", path) or ["1"])[0])
        return {
            "/repos/o/r/actions/runs/5": self.run,
            "/repos/o/r/actions/runs/5/artifacts": {"artifacts": self.artifacts},
            "/repos/o/r/pulls/12": self.pull,
            "/repos/o/r/issues/12/comments": self.comments[100 * page - 100 : 100 * page],
        }.get(path.partition("?")[0])


@pytest.fixture
def fake() -> Iterator[tuple[FakeApi, comment.Api]]:
    api = FakeApi()

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = self.rfile.read(length)
            api.asked.append((self.command, self.path, "Authorization" in self.headers))
            if body:
                api.sent.append((self.command, self.path, json.loads(body)["body"]))
            if self.path.endswith("/zip"):
                self.send_response(302)
                self.send_header("Location", f"http://{self.headers['Host']}/elsewhere")
                self.end_headers()
                return
            found = api.answer(self.path)
            data = api.packed() if self.path == "/elsewhere" else json.dumps(found).encode()
            self.send_response(404 if data == b"null" and not body else 200)
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = handle_any  # noqa: N815

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield api, comment.Api(f"http://127.0.0.1:{server.server_port}", "token")
    server.shutdown()
    server.server_close()


Fake = tuple[FakeApi, comment.Api]


def act(fake: Fake) -> str:
    return comment.act(fake[1], "o/r", "5", "https://code.example")


def test_the_first_comment_is_written(fake: Fake) -> None:
    fake[0].comments = [
        {"id": 1, "user": {"login": "stranger"}, "body": MARKER},
        {"id": 2, "user": {"login": comment.BOT}, "body": "another"},
        {"id": 3, "user": None, "body": MARKER},
    ]
    assert act(fake) == "the comment is written"
    ((method, path, body),) = fake[0].sent
    assert (method, path) == ("POST", "/repos/o/r/issues/12/comments")
    assert body.startswith(GOOD.rstrip())
    assert "(https://code.example/o/r/actions/runs/5)" in body
    assert len(body) <= len(GOOD) + 1000
    assert [path for _, path, token in fake[0].asked if not token] == ["/elsewhere"]


def test_later_runs_bring_it_up_to_date(fake: Fake) -> None:
    other = [{"id": i, "user": {"login": "x"}, "body": "x"} for i in range(120)]
    fake[0].comments = [*other, {"id": 9, "user": {"login": comment.BOT}, "body": f"{MARKER}\nx"}]
    assert act(fake) == "the comment is brought up to date"
    assert fake[0].sent[0][:2] == ("PATCH", "/repos/o/r/issues/comments/9")


@pytest.mark.parametrize("number", [b"13", b"12; x", b"../1", b"", b"0", b"-1", b"\xff", b"1" * 30])
def test_a_number_that_is_not_the_runs_is_refused(fake: Fake, number: bytes) -> None:
    fake[0].files["number.txt"] = number
    with pytest.raises(comment.RefusedError):
        act(fake)
    assert not fake[0].sent


def test_another_head_or_a_closed_one_is_left_alone(fake: Fake) -> None:
    for change in ({"head": {"sha": "b" * 40, "repo": {"id": 7}}}, {"state": "closed"}):
        api = fake[0]
        api.pull = {**FakeApi().pull, **change}
        with pytest.raises(comment.LateError):
            act(fake)
    for repository in ({"id": 8}, None):
        fake[0].pull = {"state": "open", "head": {"sha": "a" * 40, "repo": repository}}
        with pytest.raises(comment.RefusedError, match="another repository"):
            act(fake)
    fake[0].run["event"] = "push"
    with pytest.raises(comment.RefusedError, match="not for a pull request"):
        act(fake)
    assert not fake[0].sent


def test_a_hostile_artifact_is_refused(fake: Fake) -> None:
    api = fake[0]
    for text in (b"@everyone", GOOD.encode() + b"\n- [x](https://evil.example)\n", b"\xff", b""):
        api.files["comment.md"] = text
        with pytest.raises(comment.RefusedError):
            act(fake)
    api.files["comment.md"] = b"x" * 10_000_000  # packs to little
    with pytest.raises(comment.RefusedError, match="too large"):
        act(fake)
    for archive in (b"", b"no zip", b"x" * 2_000_000):
        api.archive = archive
        with pytest.raises(comment.RefusedError):
            act(fake)
    api.archive, api.files = None, {"../comment.md": b"x"}
    with pytest.raises(comment.RefusedError, match="cannot be read"):
        act(fake)
    assert not api.sent


def test_a_run_without_a_comment(fake: Fake) -> None:
    fake[0].artifacts = [{"id": 3, "expired": True}]
    assert act(fake) == "the run left no comment"
    with pytest.raises(comment.RefusedError):
        comment.act(fake[1], "o/r", "5/../6", "https://code.example")


def test_the_program_says_what_it_did(
    fake: Fake, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in comment._GIVEN:
        monkeypatch.delenv(name, raising=False)
    assert comment.main() == 2
    given = (fake[1].base, "https://code.example", "o/r", "5", "token")
    for name, value in zip(comment._GIVEN, given, strict=True):
        monkeypatch.setenv(name, value)
    assert comment.main() == 0
    fake[0].pull["state"] = "closed"
    assert comment.main() == 0
    fake[0].files["comment.md"] = b"::error::x"
    fake[0].pull["state"] = "open"
    assert comment.main() == 1
    monkeypatch.setenv("GITHUB_API_URL", "http://127.0.0.1:1")
    assert comment.main() == 1
    out = capsys.readouterr()
    assert "the comment is written" in out.out
    assert "nothing to do: the pull request is closed" in out.out
    assert "::error" not in out.out + out.err


def test_the_report_of_a_review_runs_the_commands_there_are() -> None:
    text = (ROOT / "tools/review/report.sh").read_text("utf-8")
    for option in ("--merge-base", "--screenshots", "--format sarif", "--format markdown"):
        assert option in text
    assert "tools/review/report.sh" in Path(ROOT / "Makefile").read_text("utf-8")
