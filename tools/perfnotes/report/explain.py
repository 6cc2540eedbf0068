"""A rule as text for a terminal: its meaning, a wrong and a right example, and how to mend it."""

from __future__ import annotations

from perfnotes.checks._rule import Files, Rule, Symlink
from perfnotes.fixes.mending import mends


def explained(rule: Rule) -> str:
    """Return the whole rule as text."""
    parts = [
        f"{rule.code} {rule.title} ({rule.severity.value})",
        rule.why,
        f"Wrong:\n\n{_indented(rule.in_words[0]) if rule.in_words[0] else _files(rule.wrong)}",
        f"Right:\n\n{_indented(rule.in_words[1]) if rule.in_words[1] else _files(rule.right)}",
        _how_to_mend(rule.code),
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _how_to_mend(code: str) -> str:
    if code in mends():
        return f"How to mend it: `perfnotes fix` {mends()[code]}; it shows the changes first."
    return "How to mend it: as the right example shows; a person has to decide."


def _files(files: Files) -> str:
    return "\n\n".join(f"  notes/{path}\n\n{_indented(_text(of))}" for path, of in files.items())


def _text(content: str | bytes | Symlink) -> str:
    if isinstance(content, Symlink):
        return f"(a symbolic link to {content.to})"
    return content if isinstance(content, str) else content.decode("utf-8", "backslashreplace")


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.rstrip("\n").split("\n"))
