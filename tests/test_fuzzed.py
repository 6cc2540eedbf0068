"""What the fuzz drivers found, kept; and each driver's property on a few texts of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from perfnotes import yamlfile
from perfnotes.source import Source
from tests.fuzz import bibtex, front_matter, markdown_links, plain
from tests.fuzz import yamlfile as yaml_tables

DRIVERS = (bibtex, front_matter, markdown_links, plain, yaml_tables)


@pytest.mark.parametrize(
    "text", ["!!int ", "a: !!int ''", "!!float x", "!!timestamp x: 1", "!!bool 1", "!!int '-'"]
)
def test_a_tag_that_does_not_fit_its_text_is_a_finding(text: str) -> None:
    document, (finding,) = yamlfile.load(Source("notes/tags.yml", text))
    assert document is None
    assert finding.code == "PN104"


@pytest.mark.parametrize("driver", DRIVERS, ids=[d.__name__.rpartition(".")[2] for d in DRIVERS])
def test_the_property_holds_for_every_sign_alone(driver: object) -> None:
    holds: Callable[[str], None] = getattr(driver, "holds")  # noqa: B009 - five modules alike
    tokens: tuple[str, ...] = getattr(driver, "TOKENS")  # noqa: B009
    for i, token in enumerate(tokens):
        holds(f"{token}{tokens[i - 1]}word")
