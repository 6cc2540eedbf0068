"""Formats of findings, one module each: text for people, three formats for programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perfnotes.text.findings import Finding

Report = Callable[[Sequence[Finding]], str]
FORMATS = ("github", "json", "sarif", "text")


def message_and_hint(finding: Finding) -> str:
    """Return the finding's message, followed by its hint in parentheses if it has one."""
    return finding.message + (f" ({finding.hint})" if finding.hint else "")


def report(form: str) -> Report:
    """Return the function that writes findings in the format ``form``, one of ``FORMATS``."""
    # Only the module of this format is imported, so that an answer from the cache starts fast.
    from importlib import import_module  # noqa: PLC0415

    write: Report = import_module(f"{__name__}.{form}").write
    return write
