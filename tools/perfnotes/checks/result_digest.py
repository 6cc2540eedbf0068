"""PN905: a result file that was changed after it was recorded."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._examples import RESULT, recorded
from perfnotes.checks._rule import LazyFiles, Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN905",
    severity=Severity.ERROR,
    title="A result that was changed after it was recorded",
    why=(
        "`perfnotes lab record` writes a digest of the samples and metadata into the result. This "
        "digest does not match the file: an editing slip, a bad merge or a correction by hand has "
        "changed it. Restore the recorded file, or record the lab again. The digest does not "
        "protect against forgery; only running the lab again does."
    ),
    wrong=LazyFiles(lambda: {RESULT: recorded().replace("[256.0]", "[255.0]")}),
    right=LazyFiles(lambda: {RESULT: recorded()}),
    in_words=(
        "A sample in `results/<machine>.json` is edited.",
        "The file is as `perfnotes lab record` wrote it.",
    ),
)


def find(site: Site) -> Iterator[Finding]:
    """Results whose digest does not match their contents."""
    for results in site.library.results.values():
        for result in results.values():
            if result.source and not result.is_as_recorded:
                at = max(0, result.source.text.find('"digest"'))
                hint = "restore the recorded file, or record the lab again"
                message = "the digest does not match the contents of this file"
                yield result.source.finding(at, RULE.code, message, hint)
