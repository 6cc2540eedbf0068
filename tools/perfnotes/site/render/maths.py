"""Replaces the formulas of a body by MathML."""

from __future__ import annotations

from perfnotes.site.render import markup
from perfnotes.site.render.edits import Edits
from perfnotes.site.render.mathml import MathError, mathml
from perfnotes.text.body import Body
from perfnotes.text.findings import Finding


def set_maths(body: Body, edits: Edits) -> list[Finding]:
    """Replace each formula of the staged text by MathML.

    A formula that cannot be converted is shown as text and gets a finding (PN506).
    """
    document = body.document
    findings: list[Finding] = []
    for math in document.maths:
        try:
            set_math = mathml(math.tex, math.display)
        except MathError as error:
            message = f"the formula cannot be set: {error}"
            findings.append(body.source.finding(math.start, "PN506", message, "check the TeX"))
            escaped = markup.escape_staged(document.text[math.start : math.end])
            edits.add(math.start, math.end, escaped, None)
            continue
        line_start = document.text.rfind("\n", 0, math.start) + 1
        alone = math.display and not document.text[line_start : math.start]
        if alone and document.text[math.end : math.end + 1] in ("\n", ""):
            set_math = f'\n<div class="pn-math">{set_math}</div>\n'
        elif not document.text[line_start : math.start].strip(" \t>"):
            # At the start of a line Python-Markdown would read <math> as a block.
            set_math = f"<span>{set_math}</span>"
        edits.add(math.start, math.end, set_math, None)
    return findings
