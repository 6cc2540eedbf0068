"""How findings are written: for people, and in three forms for machines, one module each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perfnotes.text.findings import Finding

Report = Callable[[Sequence[Finding]], str]
FORMATS = ("github", "json", "sarif", "text")


def report(form: str) -> Report:
    """The function that writes findings in this form; only its module is imported."""
    # Late, because an answer from the cache should start fast.
    from importlib import import_module  # noqa: PLC0415

    written: Report = import_module(f"{__name__}.{form}").write
    return written
