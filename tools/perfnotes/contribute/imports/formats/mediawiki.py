"""MediaWiki's markup, as Wikipedia and many wikis of projects have it."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from perfnotes.contribute.imports import codelang
from perfnotes.contribute.imports.escape import destination, escape, fence, line_start, span
from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.formats._mediawiki_table import (
    ITEM,
    Inline,
    table_end,
    table_of,
)
from perfnotes.contribute.imports.formats._wiki import (
    Stash,
    begins_line,
    escape_between,
    line_of,
    link,
    without_marks,
)
from perfnotes.contribute.imports.imported_page import ImportedPage

ENDINGS = ("mediawiki", "wiki", "mw")

_LIKELY = re.compile(
    r"^={2,5}[^=\n]+={2,5}[ \t]*$|'''[^'\n]+'''|^\{\||\[\[(?:Category|File|Image):", re.MULTILINE
)
# No element may contain the beginning of another of its kind. Otherwise each of thousands of
# elements that are never closed would be searched to the end of the page.
_CODE = re.compile(
    r"<(?P<tag>syntaxhighlight|source|pre)\b(?P<given>[^<>]*)>(?P<code>(?:(?!<(?P=tag)\b).)*?)"
    r"</(?P=tag)\s*>",
    re.IGNORECASE | re.DOTALL,
)
_NOWIKI = re.compile(
    r"<nowiki>((?:(?!<nowiki>).)*?)</nowiki>|<nowiki\s*/>", re.IGNORECASE | re.DOTALL
)
_MATH = re.compile(r"<math\b[^<>]*>((?:(?!<math\b).)*?)</math>", re.IGNORECASE | re.DOTALL)
_REF = re.compile(
    r"<ref\b(?P<given>[^<>/]*)(?:/>|>(?P<words>(?:(?!<ref\b).)*?)</ref\s*>)",
    re.IGNORECASE | re.DOTALL,
)
_COMMENT = re.compile(r"<!--((?:(?!<!--).)*?)-->", re.DOTALL)
_MAGIC_WORD = re.compile(
    r"__[A-Z]+__|<references\b[^>]*/?>(?:</references>)?|\{\{\s*[Rr]eflist[^{}]*\}\}"
)
_TEMPLATE = re.compile(r"\{\{([^{}]*)\}\}")
_HEADING = re.compile(r"(={1,6})(?=[ \t]*\S)(.*)\1$")
_INLINE = re.compile(
    r"\[\[(?P<target>[^\[\]|\n]+?)(?:\|(?P<label>(?:[^\[\]]|\[\[[^\[\]]*\]\]|\[[^\[\]]*\])*))?\]\](?P<tail>[a-z]*)"
    r"|\[(?P<url>(?:https?:)?//[^\s\[\]]+)(?:[ \t]+(?P<words>[^\[\]\n]+))?\]"
    r"|'''''(?P<both>.+?)'''''|'''(?P<strong>.+?)'''(?!')|''(?P<lean>.+?)''(?!')"
    r"|</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>|&#?\w+;"
    r"|https?://[^\s<>\[\]{}|\"'\ue000\ue001]+"
)
_FILES = ("file", "image", "media", "文件", "图像")
_CATEGORIES = ("category", "分类")
_IMAGE_OPTION = re.compile(
    r"thumb|thumbnail|frame|frameless|border|left|right|center|none|upright.*|(?:\d*x)?\d+px|link=.*|alt=.*|page=.*"
)
_CALLOUTS = {"note": "NOTE", "info": "NOTE", "tip": "TIP", "warning": "WARNING",
             "important": "IMPORTANT",
             "caution": "CAUTION", "注意": "NOTE", "警告": "WARNING", "提示": "TIP"}  # fmt: skip
_CODE_TEMPLATES = ("ic", "code", "tt", "kbd", "c", "cmd", "mono")


def likely(text: str) -> bool:
    return len(_LIKELY.findall(text[:50_000])) >= 2 and not re.search(
        r"^(?:```|# )", text, re.MULTILINE
    )


def read(path: str, text: str) -> tuple[Fields, ImportedPage]:
    stash = Stash(path)
    text = _set_aside(without_marks(text), stash)
    categories: list[str] = []
    out: list[str] = []
    lines: list[int] = []
    rows = text.split("\n")
    i = 0

    def words_at(source: int) -> Inline:
        return lambda words: _inline(words, stash, source, categories)

    while i < len(rows):
        row, source = rows[i], i + 1
        made: list[str]
        step = 1
        heading = _HEADING.match(row.rstrip(" \t"))
        item = ITEM.match(row)
        if row.lstrip().startswith("{|"):
            step = table_end(rows, i) - i
            made = ["", *table_of(rows[i : i + step], stash, words_at(source)), ""]
        elif heading:
            words = _inline(heading[2].strip(" \t"), stash, source, categories)
            made = ["", f"{'#' * len(heading[1])} {words}", ""]
        elif re.match(r"-{4,}", row):
            rest = row.lstrip("-")
            after = [_inline(rest, stash, source, categories)] if rest.strip() else []
            made = ["", "---", "", *after]
        elif item:
            made = _item(item, row[item.end() :], stash, source, categories)
            before = ITEM.match(rows[i - 1]) if i else None
            if not before or before[1][0] != item[1][0]:
                made = ["", *made]
            if i + 1 == len(rows) or not ITEM.match(rows[i + 1]):
                made = [*made, ""]
        elif row[:1] == " " and row.strip() and "\ue000" not in row:
            j = i
            while j < len(rows) and rows[j][:1] == " " and rows[j].strip():
                j += 1
            code = "\n".join(stash.restore(r[1:]) for r in rows[i:j])
            language, why = codelang.guess(code)
            stash.tell(source, f"indented lines became code: {language}, as {why}")
            made, step = ["", stash.put(fence(code, language)), ""], j - i
        else:
            words = _inline(row.strip(), stash, source, categories)
            made = [line_start(words) if words and words[0] != "<" else words]
        out += made
        lines += [source] * len(made)
        i += step
    ends = stash.endnotes()
    out += ends
    lines += [len(rows)] * len(ends)
    fields = Fields({"categories": list(dict.fromkeys(categories))} if categories else {})
    return fields, stash.page(out, lines)


def _set_aside(text: str, stash: Stash) -> str:
    """Put code, formulas, footnotes and templates behind placeholders, and comments aside."""

    def code(found: re.Match[str]) -> str:
        given = re.search(r"lang\s*=\s*[\"']?([\w+#-]+)", found["given"])
        body = found["code"].strip("\n")
        if found["tag"].lower() == "pre":
            body = re.sub(r"</?nowiki\s*/?>", "", body)
            body = html.unescape(body)
        language = codelang.our_name(given[1]) if given else ""
        if "\n" not in found["code"] and not begins_line(found):
            return stash.put(span(body))
        if not language:
            language, why = codelang.guess(body)
            stash.tell(line_of(found), f"code without a language: {language}, as {why}")
        pad = "\n" * found[0].count("\n")  # so that lines keep their numbers
        return stash.put(f"\n\n{fence(body, language)}\n\n") + pad

    def comment(found: re.Match[str]) -> str:
        if found[1].strip():
            stash.asides.append(found[1].strip())
            stash.tell(line_of(found), "a comment was moved into the front matter")
        return "\n" * found[0].count("\n")

    def reference(found: re.Match[str]) -> str:
        words = found["words"]
        pad = "\n" * found[0].count("\n")
        name = re.search(r"name\s*=\s*[\"']?([^\"'/>]+)", found["given"])
        key = name[1].strip() if name else ""
        if not words or not words.strip():
            return (names.get(key, "") if key else "") + pad
        mark = stash.footnote(_inline(words.replace("\n", " "), stash, line_of(found), []))
        if key:
            names.setdefault(key, mark)
        return mark + pad

    names: dict[str, str] = {}
    text = _COMMENT.sub(comment, text)
    text = _CODE.sub(code, text)
    text = _NOWIKI.sub(lambda m: stash.put(escape(html.unescape(m[1] or ""))), text)
    text = _MATH.sub(
        lambda m: stash.put(f"${' '.join(m[1].split())}$") if m[1].strip() else "", text
    )
    text = _MAGIC_WORD.sub("", text)
    for _ in range(20):
        text, count = _TEMPLATE.subn(lambda m: _template(m, stash, line_of(m)), text)
        if not count:
            break
    return _REF.sub(reference, text)


def _template(found: re.Match[str], stash: Stash, line: int) -> str:
    parts = [p.strip() for p in found[1].split("|")]
    name = parts[0].lower()
    pad = "\n" * found[0].count("\n")
    words = [re.sub(r"^\d+\s*=\s*", "", p) for p in parts[1:] if p]
    if name in _CODE_TEMPLATES and len(words) == 1:
        return stash.put(span(stash.restore(words[0]))) + pad
    if name in _CALLOUTS and words:
        kind = _CALLOUTS[name]
        stash.tell(line, f"the template {parts[0]} became a [!{kind}] callout")
        inside = _inline(" ".join(" ".join(words).split()), stash, line, [])
        return stash.put(f"\n\n> [!{kind}]\n> {inside}\n\n") + pad
    if name == "=":
        return "="
    if name == "!":
        return "|"
    shown = stash.restore(found[0])
    stash.tell(line, f"{shown[:80]!r} is kept as code: only its wiki can fill the template in")
    return stash.put(span(shown)) + pad


def _inline(text: str, stash: Stash, line: int, categories: list[str], depth: int = 0) -> str:
    if depth > 8:
        return escape(text)

    def again(words: str) -> str:
        return _inline(words, stash, line, categories, depth + 1)

    def make(found: re.Match[str]) -> str:
        if found["target"] is not None:
            return _link(found, stash, categories, again)
        if found["url"]:
            address = found["url"]
            address = f"https:{address}" if address.startswith("//") else address
            words = found["words"]
            return f"[{again(words).strip()}]({destination(address)})" if words else f"<{address}>"
        for group, mark in (("both", "***"), ("strong", "**"), ("lean", "*")):
            if found[group]:
                inner = again(found[group])
                clean = inner == inner.strip() and "*" not in inner
                return f"{mark}{inner}{mark}" if clean and inner else inner
        if found[0].startswith("http"):
            return escape(found[0])
        return found[0]  # HTML, which a later step converts

    return escape_between(text, _INLINE, make)


def _link(
    found: re.Match[str], stash: Stash, categories: list[str], again: Callable[[str], str]
) -> str:
    target, label, tail = found["target"].strip(), found["label"], found["tail"] or ""
    space, _, name = target.partition(":")
    if space.strip().lower() in _CATEGORIES and name.strip():
        categories.append(name.strip())
        return tail
    if space.strip().lower() in _FILES and name.strip():
        parts = (label or "").split("|")
        given = [p.strip() for p in parts if p.strip()]
        captions = [p for p in given if not _IMAGE_OPTION.fullmatch(p)]
        options = [p for p in given if _IMAGE_OPTION.fullmatch(p)]
        alt = next((p.partition("=")[2] for p in options if p.startswith("alt=")), "")
        stash.asides += [f"[[{target}|{'|'.join(options)}]]"] if options else []
        shown = " ".join(again(w) for w in captions)
        name = name.strip().replace(" ", "_")
        if shown and re.search(r"[\[\]`*<]|\ue000", shown):
            return f"![{escape(alt, links=False)}]({destination(name)}) {shown}{tail}"
        return f"![{shown or escape(alt, links=False)}]({destination(name)}){tail}"
    target = target.lstrip(":")
    words: str = again(label.replace("|", " ")) if label else escape(target)
    if "](" in words:
        return words + tail
    return link((words + tail).strip() or escape(target), target)


def _item(
    item: re.Match[str], rest: str, stash: Stash, line: int, categories: list[str]
) -> list[str]:
    marks = item[1]
    last = marks[-1]
    pad = "".join("   " if m == "#" else "  " if m == "*" else "" for m in marks[:-1])
    if last == ";":
        term, colon, text = rest.partition(" : ")
        words = _inline(term.strip(), stash, line, categories)
        made = [pad + (words if "**" in words else f"**{words}**")] if term.strip() else []
        if colon:
            made += ["", pad + line_start(_inline(text, stash, line, categories))]
        return [*made, ""]
    words = line_start(_inline(rest, stash, line, categories))
    if last == ":":
        # Indented replies and definitions: a paragraph of its own.
        return ["", pad + words, ""] if words else []
    return [f"{pad}{'1.' if last == '#' else '-'} {words}"]
