"""The other half of the series of ``test_incremental.py``, for a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_incremental import SERIES, check_series

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(SERIES // 2, SERIES))
def test_a_series_of_edits(
    built_example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    check_series(built_example, tmp_path, monkeypatch, seed)
