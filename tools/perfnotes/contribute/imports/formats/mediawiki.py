"""MediaWiki's markup, as Wikipedia and many wikis of projects have it."""

from __future__ import annotations

import html
import re
from dataclasses import replace

from perfnotes.contribute.imports import converted
from perfnotes.contribute.imports.converted import Node
from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.formats._wikitables import filled
from perfnotes.contribute.imports.htmlwriter import CALLOUTS
from perfnotes.contribute.imports.lined import Guess, Page

ENDINGS = ("mediawiki", "wiki", "mw")

_LIKELY = re.compile(
    r"^={2,5}[^=\n]+={2,5}[ \t]*$|'''[^'\n]+'''|^\{\||\[\[(?:Category|File|Image):", re.MULTILINE
)
# Nothing inside these is markup.
_QUIET = (
    r"(?P<quiet><(?P<tag>syntaxhighlight|source|pre|nowiki|math)\b[^>]*(?<!/)>.*?</(?P=tag)\s*>)"
)
_COMMENT = re.compile(rf"{_QUIET}|<!--(?P<words>.*?)-->", re.IGNORECASE | re.DOTALL)
_TEMPLATE = re.compile(
    rf"{_QUIET}|\{{\{{(?P<inside>[^{{}}]*)\}}\}}[ \t]*", re.IGNORECASE | re.DOTALL
)
_REF = re.compile(
    r"<ref\s+name\s*=\s*[\"']?(?P<name>[^\"'/>]+?)[\"']?\s*(?:/>|>(?P<words>.*?)</ref\s*>)",
    re.IGNORECASE | re.DOTALL,
)
_CATEGORIES = ("category", "分类")
_CALLOUTS = {"注意": "note", "警告": "warning", "提示": "tip"}
_CODES = ("ic", "code", "tt", "kbd", "c", "cmd", "mono")
_WIKI_LINK = "wikilink"  # the class, or in older versions the title, that pandoc gives


def likely(text: str) -> bool:
    return len(_LIKELY.findall(text[:50_000])) >= 2 and not re.search(
        r"^(?:```|# )", text, re.MULTILINE
    )


def read(path: str, text: str) -> tuple[Fields, Page]:
    guesses: list[Guess] = []
    asides: list[str] = []
    categories: list[str] = []

    def comment(found: re.Match[str]) -> str:
        if found["quiet"]:
            return found[0]
        if found["words"].strip():
            asides.append(found["words"].strip())
            line = text.count("\n", 0, found.start()) + 1
            guesses.append(Guess(path, line, "a comment was moved into the front matter"))
        return "\n" * found[0].count("\n")

    def template(found: re.Match[str]) -> str:
        made = _template(found)
        if made == found[0] and not found["quiet"]:
            line = found.string.count("\n", 0, found.start()) + 1
            said = f"{made.strip()[:80]!r} is kept as code: only its wiki can fill the template in"
            guesses.append(Guess(path, line, said))
        return made

    def edit(node: Node) -> list[Node] | None:
        return _preformatted(node) if node["t"] == "Para" else _link(node, categories)

    made = _TEMPLATE.sub(template, _COMMENT.sub(comment, text))
    made = filled(_references(made))
    fields, page = converted.read(path, made, "mediawiki", edit, source=text)
    if categories:
        fields.values["categories"] = list(dict.fromkeys(categories))
    return fields, replace(page, guesses=(*guesses, *page.guesses), asides=(*asides, *page.asides))


def _template(found: re.Match[str]) -> str:
    """Templates of callouts and code as HTML, which MediaWiki reads too; others stay."""
    if found["quiet"]:
        return found[0]
    name, *parts = [part.strip() for part in found["inside"].split("|")]
    words = " ".join(re.sub(r"^\d+\s*=\s*", "", part) for part in parts if part)
    kind = name.lower()
    if kind in _CODES and words:
        return f"<code><nowiki>{html.escape(words, quote=False)}</nowiki></code>"
    kind = _CALLOUTS.get(kind, kind)
    if kind in CALLOUTS and words:
        return f'\n<div class="admonition {kind}">\n{words}\n</div>\n'
    return {"=": "=", "!": "|", "reflist": ""}.get(kind, found[0])


def _references(text: str) -> str:
    """Each further use of a named footnote with the words of the first: pandoc knows no names."""
    words: dict[str, str] = {}
    for found in _REF.finditer(text):
        if found["words"]:
            words.setdefault(found["name"], found["words"])
    return _REF.sub(
        lambda m: m[0] if m["words"] else f"<ref>{words.get(m['name'], '')}</ref>", text
    )


def _link(node: Node, categories: list[str]) -> list[Node] | None:
    if node["t"] != "Link":
        return None
    (_, classes, _), words, (target, title) = node["c"]
    if _WIKI_LINK not in (*classes, title):
        return None
    space, _, name = target.partition(":")
    if space.lower() in _CATEGORIES and name.strip():
        categories.append(name.replace("_", " ").strip())
        return []
    return [converted.wiki_link(words, target.lstrip(":"))]


def _preformatted(node: Node) -> list[Node] | None:
    """Lines that begin with a space, which pandoc gives as one span of code for each."""
    if not any(each["t"] == "LineBreak" for each in node["c"]):
        return None
    if any(each["t"] not in ("Code", "LineBreak") for each in node["c"]):
        return None
    rows = "".join("\n" if each["t"] == "LineBreak" else each["c"][1] for each in node["c"])
    return [{"t": "CodeBlock", "c": [["", [], []], rows]}]
