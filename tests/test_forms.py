"""The forms of the code host, the owners of topics and the numbered rules."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
import yaml

from perfnotes.checks import rules
from perfnotes.model.repository import FORMS
from tests.project import ROOT

GITHUB = ROOT / ".github"
# What GitHub's documentation allows: https://docs.github.com, "Syntax for GitHub's form schema".
ATTRIBUTES = {
    "markdown": ({"value"}, set()),
    "input": ({"label"}, {"description", "placeholder", "value"}),
    "textarea": ({"label"}, {"description", "placeholder", "value", "render"}),
    "dropdown": ({"label", "options"}, {"description", "multiple", "default"}),
    "checkboxes": ({"label", "options"}, {"description"}),
}


def form(name: str) -> dict[str, object]:
    found: dict[str, object] = yaml.safe_load(
        (GITHUB / "ISSUE_TEMPLATE" / f"{name}.yml").read_text("utf-8")
    )
    return found


def test_each_form_has_the_fields_that_links_fill_in() -> None:
    files = {f.stem for f in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml")} - {"config"}
    assert files == FORMS.keys()
    for name, filled_in in FORMS.items():
        body = form(name)["body"]
        assert isinstance(body, list)
        assert set(filled_in) <= {each.get("id") for each in body}, name


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_one_that_the_code_host_takes(name: str) -> None:
    found = form(name)
    assert {"name", "description", "body"} <= found.keys()
    assert found.keys() <= {
        "name", "description", "title", "labels", "assignees", "projects", "type", "body"
    }  # fmt: skip
    body = found["body"]
    assert isinstance(body, list)
    ids = []
    for each in body:
        required, optional = ATTRIBUTES[each["type"]]
        given = each["attributes"].keys()
        assert required <= given <= required | optional, each
        markdown = each["type"] == "markdown"
        assert each.keys() <= {"type", "attributes"} | (
            set() if markdown else {"id", "validations"}
        )
        if not markdown:
            ids.append(each["id"])
        assert set(each.get("validations", {})) <= {"required"}
        options = each["attributes"].get("options", [])
        assert all(isinstance(o, dict if each["type"] == "checkboxes" else str) for o in options)
    assert ids
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", id) for id in ids)
    assert len({form(other)["name"] for other in FORMS}) == len(FORMS)


def test_every_topic_has_an_owner() -> None:
    lines = [line.split() for line in (GITHUB / "CODEOWNERS").read_text("utf-8").splitlines()]
    owners = {line[0]: line[1:] for line in lines if line and not line[0].startswith("#")}
    topics = yaml.safe_load((ROOT / "notes" / "topics.yml").read_text("utf-8"))
    assert {f"/notes/{topic['id']}/" for topic in topics} <= owners.keys()
    address = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8").partition("plugins:")[0])
    owner = urlsplit(address["repo_url"]).path.split("/")[1:2] or ["perfnotes"]
    for path, teams in owners.items():
        assert teams, path
        assert all(re.fullmatch(rf"@{re.escape(owner[0])}/[a-z-]+", t) for t in teams), path
        if path.startswith("/") and "*" not in path and path != "/notes/references/":
            assert (ROOT / path.lstrip("/")).exists(), path


@pytest.mark.parametrize("file", ["contributing.md", "contributing.zh.md"])
def test_the_rules_are_numbered_and_name_checks_that_exist(file: str) -> None:
    text = (ROOT / "docs" / file).read_text("utf-8")
    headings = re.findall(r"^### R(\d+) ", text, re.MULTILINE)
    assert headings == [str(i) for i in range(1, len(headings) + 1)]
    assert len(headings) >= 15
    codes = set(re.findall(r"PN\d{3}", text))
    assert len(codes) > 30
    assert codes <= rules().keys()
    if file == "contributing.md":
        assert re.findall(r"^### R\d+ .* \{#r(\d+)\}$", text, re.MULTILINE) == headings
    else:
        english = (ROOT / "docs" / "contributing.md").read_text("utf-8")
        assert re.findall(r"PN\d{3}", text) == re.findall(r"PN\d{3}", english)


def test_who_refers_to_a_rule_refers_to_one_that_is_there() -> None:
    guide = (ROOT / "docs" / "contributing.md").read_text("utf-8")
    known = set(re.findall(r"^### (R\d+) ", guide, re.MULTILINE))
    for file in (GITHUB / "PULL_REQUEST_TEMPLATE.md", ROOT / "CONTRIBUTING.md"):
        named = set(re.findall(r"\bR\d+\b", file.read_text("utf-8")))
        assert named
        assert named <= known, file
