"""PN307: a link to a file of a type that is not published. The resolver finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN307",
    severity=Severity.ERROR,
    title="A file of a type that is not published",
    why=(
        "Pictures, data and source code beside a note are published with it. Files that a browser "
        "would run are not: a web page or a script could act in the name of the site. Show a web "
        "page as a picture, or link its public address."
    ),
    wrong={
        "caches/rows.md": "The [profile](profile.html) shows the misses.\n",
        "caches/profile.html": "<p>37 misses</p>\n",
    },
    right={
        "caches/rows.md": "The [profile](profile.txt) shows the misses.\n",
        "caches/profile.txt": "37 misses\n",
    },
)
