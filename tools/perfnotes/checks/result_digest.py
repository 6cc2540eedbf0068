"""PN905: a result file that is not as it was recorded."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._examples import RESULT, recorded
from perfnotes.checks._rule import Late, Rule
from perfnotes.graph.site import Site
from perfnotes.model.result import digest_of, to_json
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN905",
    severity=Severity.ERROR,
    title="A result that was changed after it was recorded",
    why=(
        "`record` writes a digest over a result's samples and metadata, and here it does not "
        "fit: a slip of an editor, a merge gone wrong, a number mended by hand. Take the file "
        "back as it was recorded, or record again. The digest is no seal against forgery; "
        "running the lab again is."
    ),
    wrong=Late(lambda: {RESULT: recorded().replace("[256.0]", "[255.0]")}),
    right=Late(lambda: {RESULT: recorded()}),
    in_words=(
        "A sample in `results/<machine>.json` is edited.",
        "The file is as `perfnotes lab record` wrote it.",
    ),
)


def find(site: Site) -> Iterator[Finding]:
    """Results whose digest is not that of their contents."""
    for results in site.library.results.values():
        for result in results.values():
            if result.source and result.digest != digest_of(to_json(result)):
                at = max(0, result.source.text.find('"digest"'))
                hint = "take it back as it was recorded, or record again"
                message = "the digest is not that of this file's contents"
                yield result.source.finding(at, RULE.code, message, hint)
