"""Which findings of the checks only the new side has, and which only the old side has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from perfnotes.review.pair import Pair
from perfnotes.text.findings import Finding

Key = tuple[str, str, str]  # path, code, message


def is_link(finding: Finding) -> bool:
    """Return whether a finding is about a link or citation that leads nowhere."""
    return finding.code.startswith("PN3") or finding.code in ("PN405", "PN406")


def changes(pair: Pair, *, links: bool) -> tuple[list[Finding], list[Finding]]:
    """Return the findings that are new and those that are gone: about links, or all others.

    Two findings are the same if their code, message and file are. Their lines may differ, and the
    file may have been renamed.
    """
    before, after = ([f for f in found if is_link(f) is links] for found in pair.findings)
    was = Counter(_key(f, pair.new_paths) for f in before)
    now = Counter(_key(f, {}) for f in after)
    return _pick(after, now - was, {}), _pick(before, was - now, pair.new_paths)


def _key(finding: Finding, paths: dict[str, str]) -> Key:
    return paths.get(finding.path, finding.path), finding.code, finding.message


def _pick(found: Iterable[Finding], counts: Counter[Key], paths: dict[str, str]) -> list[Finding]:
    """Return as many findings of each key as ``counts`` says, the last ones in the file."""
    out = []
    for finding in sorted(found, reverse=True):
        key = _key(finding, paths)
        if counts[key] > 0:
            counts[key] -= 1
            out.append(finding)
    return out[::-1]
