"""Findings as SARIF 2.1.0, which code hosts and editors read: one run with a result per finding."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from perfnotes import __version__
from perfnotes.checks import rules
from perfnotes.checks._rule import Rule
from perfnotes.report import message_and_hint
from perfnotes.text.findings import Finding

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def write(findings: Sequence[Finding], site: str = "") -> str:
    """Return a SARIF document.

    With ``site``, the site's public address and a slash, each rule links to its page there.
    """
    codes = sorted({f.code for f in findings})
    known = rules()
    driver = {
        "name": "perfnotes",
        "semanticVersion": __version__,
        "rules": [_rule(known[code], site) if code in known else {"id": code} for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        # Columns count characters, not units of UTF-16.
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"ROOT": {"description": {"text": "The repository's root."}}},
        "results": [_result(f, codes.index(f.code)) for f in findings],
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _rule(rule: Rule, site: str) -> dict[str, Any]:
    described = {
        "id": rule.code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": rule.why, "markdown": rule.why},
        "defaultConfiguration": {"level": rule.severity.value},
    }
    return described | ({"helpUri": f"{site}checks/{rule.code.lower()}/"} if site else {})


def _result(f: Finding, rule: int) -> dict[str, Any]:
    place: dict[str, Any] = {"uri": quote(f.path)}
    if not f.path.startswith("/"):
        place["uriBaseId"] = "ROOT"
    region = {"startLine": f.line, "startColumn": f.column}
    return {
        "ruleId": f.code,
        "ruleIndex": rule,
        "level": f.severity.value,
        "message": {"text": message_and_hint(f)},
        "locations": [{"physicalLocation": {"artifactLocation": place, "region": region}}],
    }
