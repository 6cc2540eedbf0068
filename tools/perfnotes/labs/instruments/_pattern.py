"""Compiling the regular expressions of labs, which are untrusted: slow ones are refused.

Python's matcher has no time limit. A repeated group that contains another repetition or a choice
can take time that is exponential in the length of the line, so such patterns are refused. Each
further repetition can multiply the time by that length. So a pattern may have only a few, and lines
are cut to ``LONGEST_LINE`` characters.
"""

from __future__ import annotations

import re

from perfnotes.labs.box import LabError

LONGEST_LINE = 300  # characters
_LONGEST_PATTERN = 200  # characters
# A pattern has at most so many of the repetitions *, + and {}; a ? does not count.
_MOST_REPETITIONS = 3
_TOKEN = re.compile(
    r"(?P<escape>\\.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<open>\((?:\?(?:P<\w+>|[:=!]|<[=!]))?)"
    r"|(?P<close>\))|(?P<repeat>[*+]|\{\d*,?\d*\})|(?P<maybe>\?)|(?P<choice>\|)|.",
    re.DOTALL,
)


def compiled(pattern: str, option: str = "match") -> re.Pattern[str]:
    """The compiled pattern of an option of ``lab.yml``.

    ``LabError`` if the pattern is malformed or could take too long to match.
    """
    if len(pattern) > _LONGEST_PATTERN:
        raise LabError(
            f"{option}: a pattern of {len(pattern)} characters: at most {_LONGEST_PATTERN}"
        )
    try:
        found = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise LabError(f"{option}: {pattern!r} is no regular expression: {error}") from error
    if problem := _problem(pattern):
        raise LabError(f"{option}: {pattern!r} could take forever: {problem}")
    return found


def _problem(pattern: str) -> str:
    """Why a pattern may take too long to match, or "" if it cannot.

    The stack ``varies`` says for each open group whether it contains a repetition or a choice so
    far. ``closed`` says the same of the group that ends just before the token.
    """
    varies, closed, repeats = [False], False, 0
    for token in _TOKEN.finditer(pattern):
        kind = token.lastgroup
        group_ended, closed = closed, False
        if kind == "escape" and re.match(r"\\[1-9]", token[0]):
            return "it refers back to a group"
        if kind == "open":
            if pattern.startswith(("(?P=", "(?("), token.start()):
                return "it refers back to a group"
            varies.append(False)
        elif kind == "close" and len(varies) > 1:
            closed = varies.pop()
            varies[-1] |= closed
        elif kind == "repeat":
            if group_ended:
                return "a repeated group holds another repetition or a choice"
            varies[-1] = True
            repeats += 1
            if repeats > _MOST_REPETITIONS:
                return f"more than {_MOST_REPETITIONS} repetitions"
        elif kind in ("maybe", "choice"):
            varies[-1] = True
    return ""
