"""Replaces the formulas of a body by MathML."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain

from perfnotes.site.render import markup
from perfnotes.site.render.edits import Edits
from perfnotes.site.render.mathml import MathError, mathml
from perfnotes.source.read.memo import Memo
from perfnotes.text.body import Body
from perfnotes.text.findings import Finding


def set_maths(body: Body, edits: Edits, memo: Memo) -> list[Finding]:
    """Replace each formula of the staged text by MathML.

    A formula that cannot be converted is shown as text and gets a finding (PN506). ``memo`` keeps
    the MathML of a text for later builds, which then need not load the converter.
    """
    document = body.document
    findings: list[Finding] = []
    formulas = [(math.tex, math.display) for math in document.maths]
    known = chain.from_iterable((tex, str(display)) for tex, display in formulas)
    converted = memo.of(partial(_converted, formulas), [], "maths", *known) if formulas else []
    for math, (formula, error) in zip(document.maths, converted, strict=True):
        if error:
            message = f"the formula cannot be set: {error}"
            findings.append(body.source.finding(math.start, "PN506", message, "check the TeX"))
            escaped = markup.escape_staged(document.text[math.start : math.end])
            edits.add(math.start, math.end, escaped, None)
            continue
        set_math = formula
        line_start = document.text.rfind("\n", 0, math.start) + 1
        alone = math.display and not document.text[line_start : math.start]
        if alone and document.text[math.end : math.end + 1] in ("\n", ""):
            set_math = f'\n<div class="pn-math">{set_math}</div>\n'
        elif not document.text[line_start : math.start].strip(" \t>"):
            # At the start of a line Python-Markdown would read <math> as a block.
            set_math = f"<span>{set_math}</span>"
        edits.add(math.start, math.end, set_math, None)
    return findings


def _converted(formulas: Sequence[tuple[str, bool]]) -> list[tuple[str, str]]:
    """Return for each formula its MathML, or an empty string and why it cannot be converted."""
    made = []
    for tex, display in formulas:
        try:
            made.append((mathml(tex, display), ""))
        except MathError as error:
            made.append(("", str(error)))
    return made
