"""The pages of a site with evidence, as a browser parses them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from perfnotes.checks._rule import Files
from perfnotes.graph.site import Site
from perfnotes.site.safety import judge
from perfnotes.site.stage import Stage, stage
from tests.engine_of import engine_of
from tests.example_evidence import EVIDENCE
from tests.example_notes import read_site, write_notes


@dataclass(frozen=True)
class Seen:
    """A staged site and its pages as a browser parses them."""

    site: Site
    staged: Stage

    @cached_property
    def pages(self) -> dict[str, LexborHTMLParser]:
        engine = engine_of()
        found = {}
        for path in self.staged.pages:
            if not path.startswith("checks/"):
                text = self.staged.files[path].decode().split("\n---\n", 1)[1]
                html = engine.convert(text).content
                assert judge(html) == [], path
                found[path.removesuffix("index.md")] = LexborHTMLParser(html)
        return found

    def markdown(self, url: str) -> str:
        return self.staged.markdown[f"{url}index.md"].decode()

    def one(self, url: str, selector: str) -> LexborNode:
        found = self.pages[url].css(selector)
        assert len(found) == 1, (url, selector, len(found))
        return found[0]


def seen(folder: Path, files: Files) -> Seen:
    site = read_site(write_notes(folder, files))
    assert [str(f) for f in site.library.findings] == []
    return Seen(site, stage(site))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    return seen(tmp_path_factory.mktemp("evidence"), EVIDENCE)


def words(node: LexborNode) -> str:
    text = " ".join(node.text(separator=" ").replace("\u00a0", " ").split())
    return re.sub(r" ([,;.:)])|(\() ", r"\1\2", text)


def whole(page: LexborHTMLParser) -> str:
    assert page.body
    return words(page.body)
