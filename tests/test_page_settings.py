"""The settings of pages are read from the cache, unless they cannot be written there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config
from mkdocs.utils import get_relative_url

from perfnotes.build.page_settings import KnownPageSettings, page_settings
from perfnotes.build.templates import relative_to_page
from perfnotes.storage.store import Store
from tests.project import ROOT


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    return Store(tmp_path / "cache")


def config(**overrides: Any) -> Any:
    return load_config(str(ROOT / "mkdocs.yml"), hooks=[], **overrides)


def never() -> Any:
    raise AssertionError("the settings are in the cache")


def test_what_a_whole_build_keeps_is_read_without_mkdocs(store: Store) -> None:
    known = KnownPageSettings(store, ROOT, {})
    assert known.keep(config()) == page_settings(config())
    assert KnownPageSettings(store, ROOT, {}).read(never) == page_settings(config())


def test_other_settings_of_a_command_are_read_from_mkdocs(store: Store) -> None:
    KnownPageSettings(store, ROOT, {}).keep(config())
    named = KnownPageSettings(store, ROOT, {"site_name": "Others"})
    assert named.read(lambda: config(site_name="Others")).site_name == "Others"


def test_where_a_command_puts_the_site_changes_no_page(store: Store, tmp_path: Path) -> None:
    KnownPageSettings(store, ROOT, {}).keep(config())
    served = {"site_dir": str(tmp_path), "docs_dir": str(tmp_path)}
    assert KnownPageSettings(store, ROOT, served).read(never) == page_settings(config())


def test_settings_from_the_environment_are_read_each_time(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: !ENV [NAME, none]\n", "utf-8")
    (tmp_path / "docs").mkdir()
    known = KnownPageSettings(store, tmp_path, {})
    for name in ("one", "other"):
        monkeypatch.setenv("NAME", name)
        read = known.read(lambda: load_config(str(tmp_path / "mkdocs.yml")))
        assert read.site_name == name


@pytest.mark.parametrize("page", ["", "a/", "a/b/"])
@pytest.mark.parametrize("address", [".", "a/", "a/b/c.css", "assets/x.css", "b/?q=1"])
def test_links_of_templates_are_those_of_mkdocs(page: str, address: str) -> None:
    assert relative_to_page(address, page) == get_relative_url(address, page)


def test_a_copied_project_does_not_get_the_theme_of_the_first(store: Store, tmp_path: Path) -> None:
    KnownPageSettings(store, ROOT, {}).keep(config())
    (tmp_path / "mkdocs.yml").write_bytes((ROOT / "mkdocs.yml").read_bytes())
    with pytest.raises(AssertionError):
        KnownPageSettings(store, tmp_path, {}).read(never)


def test_functions_are_not_written(store: Store) -> None:
    given = config()
    given.mdx_configs["toc"] = {"slugify": str.lower}
    known = KnownPageSettings(store, ROOT, {})
    assert known.keep(given).mdx_configs["toc"] == {"slugify": str.lower}
    with pytest.raises(AssertionError):
        known.read(never)
