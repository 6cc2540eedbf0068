"""The tools whose words, sources or commands changed."""

from __future__ import annotations

from perfnotes.model.tool import Tool
from perfnotes.review.entry import ReportPart
from perfnotes.review.pair import Pair
from perfnotes.review.parts._changes import changes

PLACE = 66


def compare(pair: Pair) -> ReportPart:
    old, new = (side.library.tools.by_id for side in (pair.old, pair.new))
    before, after = ({t.name: _words(t) for t in each.values()} for each in (old, new))
    found = changes("tool", before, after, "notes/tools.yml")
    return ReportPart("tools", "Tools: what they show and cannot see", tuple(found))


def _words(tool: Tool) -> list[str]:
    calls = ", ".join(" ".join(command) for command in tool.commands)
    texts = (f"{text.en} / {text.zh}" for text in (tool.shows, tool.misses))
    return [calls, *texts, f"{tool.source} {tool.section}".strip()]
