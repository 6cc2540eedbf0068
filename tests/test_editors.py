"""What editors and hooks are given: schemas that fit the files, a matcher that fits the output."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema_rs import meta

from perfnotes.report.text import for_terminal, write
from perfnotes.source import yamlfile
from perfnotes.source.read import frontmatter
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.source import Source
from tests.project import ROOT, environment, git

SCHEMAS = sorted((ROOT / "tools/perfnotes/source/schemas").glob("*.json"))


def settings(name: str) -> Any:
    return json.loads((ROOT / ".vscode" / name).read_text("utf-8"))


@pytest.mark.parametrize("file", SCHEMAS, ids=[f.stem for f in SCHEMAS])
def test_every_schema_is_a_json_schema(file: Path) -> None:
    schema = json.loads(file.read_text("utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    meta.validate(schema)


@pytest.mark.slow
def test_every_table_that_an_editor_validates_is_valid() -> None:
    named = dict(settings("settings.json")["yaml.schemas"])
    for entry in settings("settings.json")["json.schemas"]:
        named[entry["url"]] = entry["fileMatch"][0]
    files = {p for pattern in named.values() for p in ROOT.glob(pattern)}
    for schema, pattern in named.items():
        for file in ROOT.glob(pattern):
            if file.suffix == ".json":  # 4e-05 is a number in JSON and none in YAML
                data = json.loads(file.read_text("utf-8"))
                assert yamlfile.schema(Path(schema).stem).errors(data) == [], file
                continue
            source = Source(str(file), file.read_text("utf-8"))
            document, findings = yamlfile.load(source)
            assert document
            assert not findings
            name = Path(schema).stem
            assert (ROOT / schema).is_file()
            assert yamlfile.validate(source, document, name, "PN203") == []
    tables = {f for f in (ROOT / "notes").rglob("*.yml") if "results" not in f.parts}
    assert tables <= files, "a table without a schema in .vscode/settings.json"


def test_every_front_matter_is_valid() -> None:
    for folder in ("notes", "docs"):
        for file in (ROOT / folder).rglob("*.md"):
            if "lab" in file.parts or "references" in file.parts:
                continue
            kind = "page" if folder == "docs" else "note"
            kind = "translation" if folder == "notes" and file.name.endswith(".zh.md") else kind
            source = Source(str(file), file.read_text("utf-8"))
            _, _, findings = frontmatter.read(source, kind, lenient=False)
            assert findings == []


FINDINGS = [
    Finding("notes/caches/rows.md", 10, 30, "PN301", "no note is called 'x'", "did you mean y?"),
    Finding("notes/a b.md", 1, 1, "PN105", "a name: with a colon, a comma"),
    Finding("notes/a.md", 2, 1, "PN702", "behind", severity=Severity.WARNING),
    Finding("notes/a.md", 3, 1, "PN501", "a remark", severity=Severity.NOTE),
]


def test_the_problem_matcher_reads_our_lines_and_no_others() -> None:
    (task,) = settings("tasks.json")["tasks"]
    pattern = task["problemMatcher"]["pattern"]
    assert task["args"][0] == "check"
    for text in (write(FINDINGS), for_terminal(FINDINGS, lambda _: ["x"] * 20, colour=False)):
        found = [m for line in text.splitlines() if (m := re.match(pattern["regexp"], line))]
        assert [
            (m[pattern["file"]], int(m[pattern["line"]]), int(m[pattern["column"]])) for m in found
        ] == [(f.path, f.line, f.column) for f in FINDINGS]
        assert [m[pattern["code"]] for m in found] == [f.code for f in FINDINGS]
        assert "did you mean y?" in found[0][pattern["message"]]
        severities = [m[pattern["severity"]] for m in found]
        assert severities == [f.severity for f in FINDINGS]


def test_hooks_of_pre_commit_name_a_program_that_is_there() -> None:
    (theirs,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    (ours,) = config["repos"][0]["hooks"]
    assert theirs["id"] == ours["id"] == "perfnotes-check"
    for hook in (theirs, ours):
        assert os.access(ROOT / hook["entry"], os.X_OK)
        assert hook["language"] == "script"
    assert re.search(ours["files"], "notes/caches/row-order/index.md")
    assert not re.search(ours["files"], "tools/perfnotes/cli/main.py")


_TOLD = '#!/bin/sh\nprintf "%s\\n" "$@" > told\n[ ! -e fail ]\n'


def test_git_runs_the_check_on_what_a_commit_changes(tmp_path: Path) -> None:
    for name in ("tools/setup/hook.sh", "tools/setup/hooks/pre-commit"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes((ROOT / name).read_bytes())
        file.chmod(0o755)
    for name in ("notes/a/b c.md", "notes/a/d.md", "other.txt"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x\n", encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "core.hooksPath", "tools/setup/hooks")
    git(tmp_path, "add", "notes/a/b c.md", "other.txt")
    refused = _commit(tmp_path)
    assert refused.returncode
    assert "run `make check` once" in refused.stderr
    program = tmp_path / ".venv/bin/perfnotes"
    program.parent.mkdir(parents=True)
    program.write_text(_TOLD, encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "fail").touch()
    assert _commit(tmp_path).returncode
    (tmp_path / "fail").unlink()
    assert _commit(tmp_path).returncode == 0
    assert (tmp_path / "told").read_text("utf-8").splitlines() == ["check", "notes/a/b c.md"]


def _commit(folder: Path) -> subprocess.CompletedProcess[str]:
    env = environment(
        GIT_AUTHOR_NAME="Ada", GIT_AUTHOR_EMAIL="ada@mail.example",
        GIT_COMMITTER_NAME="Ada", GIT_COMMITTER_EMAIL="ada@mail.example",
    )  # fmt: skip
    return subprocess.run(["git", "commit", "--quiet", "-m", "x"], cwd=folder, env=env,
                          capture_output=True, text=True, check=False)  # fmt: skip
