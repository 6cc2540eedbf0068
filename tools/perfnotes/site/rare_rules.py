"""Rules of the theme's style sheet that few pages use: for elements that only some texts hold.

They are half of the sheet. A page whose text has none of ``WORDS`` asks for the sheet without them
(``theme/base.html`` has the same words). So the words are looked for anywhere in the HTML of the
text, in lower case: a page with one of them in a sentence gets the whole sheet too. Two classes are
words of too many sentences, ``CLASS_WORDS``, so these are looked for in attributes alone. The rare
rules for folds are for those of a text that have a class: ``theme/base.html`` asks for them where a
fold begins in another way than the site's own do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinycss2 import ast

# What classes begin with, an element, and an attribute.
_CLASSES = (
    "admonition", "arithmatex", "emojione", "focus-visible", "footnote", "gemoji", "headerlink",
    "highlighttable", "linenodiv", "linenos", "mermaid", "tabbed-", "task-list", "twemoji",
)  # fmt: skip
# A class of a key cap as it begins in an attribute: "key-" alone is in many words.
_KEYS = ('"key-', "'key-", "=key-", " key-")
WORDS = (*_CLASSES, *_KEYS, "<kbd", "columnheader", '"rtl"', "'rtl'", "=rtl", "= rtl")
# Classes that are words of prose too. So only the values of class attributes are searched for them.
CLASS_WORDS = ("grid", "critic")
_KINDS = frozenset(
    "abstract bug danger example failure info note question quote success tip warning".split()
)


def is_rare(selector: Sequence[Any]) -> bool:
    """Return whether a selector asks for something that few texts hold."""
    classes, elements = set[str](), set[str]()
    before = None
    for token in selector:
        if isinstance(token, ast.IdentToken) and before != ":":
            (classes if before == "." else elements).add(token.value)
        elif isinstance(token, ast.SquareBracketsBlock) and _is_rare_attribute(token.content):
            return True
        before = token
    fold = not elements.isdisjoint(("details", "summary")) and not classes.isdisjoint(_KINDS)
    # Every header shows a key without a class, so plain ``kbd`` is not rare.
    key = "kbd" in elements and bool(classes)
    words = not classes.isdisjoint(CLASS_WORDS)
    return fold or key or words or any(name.startswith((*_CLASSES, "key-")) for name in classes)


def _is_rare_attribute(inside: Sequence[Any]) -> bool:
    parts = [getattr(token, "value", "") for token in inside]
    return parts in (["dir", "=", "rtl"], ["role", "=", "columnheader"])
