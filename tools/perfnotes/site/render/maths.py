"""The formulas of a body, as the engine gets them."""

from __future__ import annotations

from perfnotes.site.render import markup
from perfnotes.site.render.edits import Edits
from perfnotes.site.render.mathml import MathError, mathml
from perfnotes.text.body import Body
from perfnotes.text.findings import Finding


def set_maths(body: Body, edits: Edits) -> list[Finding]:
    """Formulas as MathML; what cannot be set stays text and is found."""
    document = body.document
    findings: list[Finding] = []
    for math in document.maths:
        try:
            set_math = mathml(math.tex, math.display)
        except MathError as error:
            message = f"the formula cannot be set: {error}"
            findings.append(body.source.finding(math.start, "PN506", message, "check the TeX"))
            escaped = markup.words(document.text[math.start : math.end])
            edits.add(math.start, math.end, escaped, None)
            continue
        line_start = document.text.rfind("\n", 0, math.start) + 1
        alone = math.display and not document.text[line_start : math.start]
        if alone and document.text[math.end : math.end + 1] in ("\n", ""):
            set_math = f'\n<div class="pn-math">{set_math}</div>\n'
        elif not document.text[line_start : math.start].strip(" \t>"):
            # At a line's start the engine would take <math> for a block of its own.
            set_math = f"<span>{set_math}</span>"
        edits.add(math.start, math.end, set_math, None)
    return findings
