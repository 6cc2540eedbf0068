"""Recognises texts whose HTML is safe whatever an engine makes of them, so nobody has to judge it.

An engine makes elements, attributes and addresses only from certain characters in a text: ``<`` or
``&``, a brace, an address in brackets. Once simple fences and formulas are removed, a text of
words, lists, emphasis, tables and plain links has none of these. This is an allow-list like that of
:mod:`perfnotes.site.safety`: the HTML of any other text is judged. A fuzz driver compares the two,
and a build judges every page.
"""

from __future__ import annotations

import re

from perfnotes.site.render.mathml import MathError, mathml
from perfnotes.site.safety import judge
from perfnotes.text.body import Body

# A fence at the margin that every engine opens and closes at the same lines, whatever is inside.
_FENCE = re.compile(
    r"(?:(?<=\n\n)|\A)(?P<fence>```|~~~)[A-Za-z0-9+#.-]*\n(?P<code>.*?)(?<=\n)(?P=fence)(?:\n(?=\n)|\n?\Z)",
    re.DOTALL,
)
_FENCE_LIKE = re.compile(r"^[ \t>]*(?:```|~~~)", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_TEX = re.compile(r"[A-Za-z0-9\s\\{}_^+\-=/(),.|&*!']*")
# Links to files and to the web whose addresses hold nothing that a browser reads in another way.
_LINK = re.compile(
    r"\]\((?:https?://[A-Za-z0-9.-]+(?:/|(?=[#)])))?(?![/\\])[\w./#%~+,=?-]*\)", re.ASCII
)
_SUSPECT = re.compile(
    r"[<{}\\]"  # elements, attribute lists, escapes
    r"|&[#A-Za-z]"  # character references
    r"|!\[|\[[!^]|\]:|\]\["  # pictures, callouts, footnotes, definitions
    r"|\]\("  # an address that _LINK did not take out
    r"|(?<=\w)(?<!http)(?<!https):(?=\S)|__|pn-config"  # schemes, names of the theme
    r"|^[ \t>]*(?:!!!|\?\?\?|===|///|:::)"  # blocks of extensions
    r"|^\t|^ {13}|^(?:[ ]*>){4}|[*_~^=\[(`]{5}",  # what nests without end
    re.MULTILINE,
)
_LONGEST = 200_000  # characters
# Characters times fences: the search for the end of each fence may go to the end of the text.
_SEARCHED = 20_000_000


def is_plain(body: Body) -> bool:
    """Whether the HTML of this text is safe whatever an engine makes of it."""
    text = body.text
    if len(text) > _LONGEST or _CONTROL.search(text) or not _plain_maths(body):
        return False
    if len(_FENCE_LIKE.findall(text)) * len(text) > _SEARCHED:
        return False
    fences = list(_FENCE.finditer(text))
    if any(_FENCE_LIKE.search(found["code"]) for found in fences):
        return False
    left = _FENCE.sub("\n", _without_maths(body))
    if _FENCE_LIKE.search(left):
        return False
    return not _SUSPECT.search(_LINK.sub("]", left))


def _without_maths(body: Body) -> str:
    text, start = body.text, body.document.start
    for math in reversed(body.document.maths):
        text = text[: math.start - start] + "x" + text[math.end - start :]
    return text


def _plain_maths(body: Body) -> bool:
    """Whether every formula is made into MathML that may be published."""
    for math in body.document.maths:
        try:
            if not _TEX.fullmatch(math.tex) or judge(mathml(math.tex, math.display)):
                return False
        except MathError:
            return False
    return True
