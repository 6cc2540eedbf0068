"""The shapes of text for :mod:`benchmarks.hostile.shapes`.

A shape has a name and a function that returns a text of about the given size in bytes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

Shape = Callable[[int], str]

# Every mark that has a meaning in the notes' Markdown, in its shortest form.
TOKENS = {
    "star": "*", "stars": "**", "low": "_", "lows": "__", "tilde": "~~", "tick": "`",
    "ticks": "``", "open": "[", "close": "]", "brackets": "[]", "picture": "![",
    "link half": "](", "link open": "[a](", "link": "[a](b)", "empty link": "[]()",
    "link to nothing": "[a](nothing.md)", "picture of nothing": "![a](b.png)",
    "reference": "[a][b]", "footnote": "[^a]", "citation": "[@a2020b]",
    "citations": "[@a; @b]", "citation half": "[@a; ", "bare citation": "@a2020b ",
    "wiki": "[[a]]", "wiki of a label": "[[a|b]]", "wiki half": "[[a|", "wikis": "[[",
    "claim": "[9.4×](lab:a)", "fact": "[9 s](fact:a/b)", "number": "3.5 GB/s ",
    "tight number": "3.5GB/s,", "number word": "one ",
    "number words": "sixty-four bytes ", "large number": "1,000 ", "factor": "a factor of 7 ",
    "less": "<", "tag": "<b>", "tag half": "<a href=\"", "end": "</b>", "element": "<b>x</b>",
    "div": "<div>", "div told": '<div markdown="1">', "comment half": "<!--",
    "comment": "<!--a-->", "declaration": "<!", "question": "<?", "cdata": "<![CDATA[",
    "address": "<https://a.b>", "mail": "<a@b.c>", "entity": "&amp;", "number entity": "&#1;",
    "ampersand": "&", "backslash": "\\", "escape": "\\*", "escaped letter": "\\a",
    "dollar": "$", "dollars": "$$", "formula": "$a$", "display": "$$a$$", "group half": "${",
    "fraction": "$\\frac{a}{b}$", "brace": "{", "end brace": "}", "attributes": "{#a}",
    "attributes half": "{: .a ", "emphasis with attributes": "*a*{.b}", "span": "`a`",
    "strong": "**a**", "bold": "*a **b*** ", "bar": "|", "bars": "a|", "colon": ":",
    "dash": "-", "dashes": "---", "equals": "=", "hash": "#", "plus": "+", "quote": ">",
    "exclamation": "!", "caret": "^", "mark": "==", "template": "{{a}}", "block": "{% a %}",
    "word": "word ", "letter": "a", "digit": "1", "dot": ". ", "sentence": "A sentence. ",
    "ideograph": "缓", "term": "缓存行", "english term": "cache line ", "quotation": "\"",
    "apostrophe": "'", "bracket": "(", "end bracket": ")", "http": "http://a ", "space": " ",
    "tab": "\t", "combining": "e\u0301", "emoji": "\U0001f600", "unbreakable": "\u00a0",
    "zero width": "\u200b", "rtl": "\u05d0", "separator": "\u2028", "form feed": "\x0c",
}  # fmt: skip

# Marks that have a meaning at the beginning of a line.
STARTS = {
    "heading": "# a", "heading 2": "## a", "heading 6": "###### a", "dash item": "- a",
    "star item": "* a", "plus item": "+ a", "number": "1. a", "number 1)": "1) a",
    "task": "- [ ] a", "task done": "- [x] a", "quote": "> a", "quotes": "> > a",
    "callout": "> [!NOTE]", "admonition": "!!! note", "admonition titled": '!!! note "a"',
    "details": "??? note", "details x": "??? x", "details open": "???+ note", "tab": '=== "a"',
    "tab selected": '===+ "a"', "new tabs": '===! "a"', "definition": ": a",
    "reference": "[a]: b", "reference titled": '[a]: b "c"', "abbreviation": "*[a]: b",
    "footnote": "[^a]: b", "fence": "```", "fence of c": "```c", "tilde fence": "~~~",
    "closed fence": "```\na\n```", "closed fence of c": "```c\nint a;\n```",
    "code": "    a", "code tab": "\ta", "rule": "---", "rule *": "* * *", "underline": "===",
    "setext": "a\n===", "setext 2": "a\n---", "row": "| a | b |", "delimiter": "|---|---|",
    "table": "\n| a |\n|---|\n| b |", "html": "<div>", "html closed": "<div>\n</div>",
    "details html": "<details>", "pre": "<pre>", "script": "<script>", "comment": "<!-- a -->",
    "comment open": "<!-- a", "display": "$$", "display closed": "$$\na\n$$",
    "block formula": "$$\n\\frac{a}{b}\n$$", "include": "--8<-- \"a\"", "slashes": "/// a",
    "colons": "::: a", "calculator": "```calc\na\n```", "line": "a", "break": "a  ",
    "backslash": "a\\", "text": "The cache line is 64 bytes [9.4×](lab:a).",
    "toc": "[TOC]", "footnotes": "///Footnotes Go Here///", "front": "---\na: b",
}  # fmt: skip

PAIRS = {
    "brackets": ("[", "]"), "links": ("[", "](a)"), "pictures": ("![", "](a)"),
    "stars": ("*", "*"), "strong": ("**a ", " a**"), "mixed": ("*a __b ", " b__ a*"),
    "lows": ("_a ", " a_"), "tildes": ("~~", "~~"), "wikis": ("[[", "]]"),
    "tags": ("<b>", "</b>"), "spans": ("<span>", "</span>"), "divs": ("<div>\n", "\n</div>"),
    "told divs": ('<div markdown="1">\n', "\n</div>"), "braces": ("{", "}"),
    "formula": ("{", "}"), "parentheses": ("(", ")"), "destination": ("[a](", ")"),
    "fractions": ("\\frac{a}{", "}"), "roots": ("\\sqrt{", "}"), "left": ("\\left(", "\\right)"),
    "quotes": ("\"", "\""), "cites": ("[@a, ", "]"), "lists": ("<ul><li>", "</li></ul>"),
    "tables": ("<table><tr><td>", "</td></tr></table>"), "quotations": ("<q>", "</q>"),
    "footnotes": ("[^a", "]"), "details": ("<details>", "</details>"),
    "comments": ("<!-- ", " -->"), "templates": ("{{", "}}"), "dollars": ("$", "$"),
}  # fmt: skip

# Elements that all differ: {} is replaced by a number.
DISTINCT = {
    "headings": "# a{}", "heading 2 with text": "## a{}\n\ntext", "ids": "## a {{#b{}}}",
    "references": "[a{}]: b{}", "references used": "[a{}]\n\n[a{}]: b{}",
    "footnotes": "[^a{}]: b", "footnotes used": "x[^a{}]\n\n[^a{}]: b",
    "abbreviations": "*[a{}]: b",
    "definitions": "a{}\n: b", "links": "[a{}](b{}.md)", "hosts": "[a{}](https://a{}.org/)",
    "anchors": "[a](#b{})", "wikis": "[[a{}]]", "citations": "[@a{}]", "claims": "[{} s](lab:a{})",
    "facts": "[{} s](fact:a/b{})", "formulas": "$a_{{{}}}$", "spans": "`a{}`",
    "tags": "<a{}>", "element ids": '<b id="a{}">x</b>', "numbers": "{}. a", "rows": "| {} | b |",
    "fences": "```a{}\nb\n```", "tabs": '=== "a{}"\n\n    b', "admonitions": "!!! a{}\n\n    b",
    "details": "??? note \"a{}\"\n\n    b", "lists": "- a{}\n    - b\n\n    c", "terms": "缓存{}行",
    "pictures": "![a{}](b{}.png)", "quantities": "{} GB/s", "words": "word{}",
    "quantities in headings": "## {} GB/s", "quantities in cells": "| {} GB/s | b |",
    "quantities in items": "- {} GB/s", "quantities in quotes": "> {} GB/s",
    "tight quantities": "{}GB/s,", "ranges": "{}-9{} GB/s",
    "cited": "{} ns [@a2020b, p. 1].", "cited and coded": "{} ns [@a2020b, p. 1], `{} ms`.",
    "cited in words": "a factor of {} [@a2020b, p. 1], **{}×** as much.",
    "headings with links": "# a{} `b` [c](d)\n\n[b](c.md)", "tips": '<b title="{} ns">x</b>',
    "pictures of quantities": "![{} ns](a{}.svg)", "labs": '```text lab="a{}"\nb\n...\n```',
    "consoles": "```console\n$ a{}\nb\n...\n```", "wrong anchors": "## a{}\n\n[b](#ab{})",
    "escaped ids": "## a \\{{#b{}}}", "alike": "# a-{}\n# a",
}  # fmt: skip

# Fields of the front matter that hold many values: {} is replaced by a number.
FIELDS = {
    "tags": "t{}", "aliases": "a/b{}", "requires": "a/b{}", "authors": "A{}",
    "redirect_from": "/a{}", "chosen": "{} ns", "keywords": "a{}",
    "symptoms": "{id: a{}, see: b c, confirm: d, section: e, where: f}",
}  # fmt: skip

_LANGUAGES = (
    "c cpp python bash html json yaml console rust asm text markdown diff cuda toml ini sql js make"
)
_SIGNS = ("(", "{", '"', "'", "/*", "\\", "a", "<", "#", " ", "$(", "-", "0", "a: ", "[ ")


def every() -> Iterator[tuple[str, Shape]]:
    """Yield all shapes with their names."""
    for name, token in TOKENS.items():
        yield f"{name}: one line", _repeated(token)
        yield f"{name}: words", _repeated(f"a {token} ")
        yield f"{name}: lines", _repeated(f"{token}\n")
        yield f"{name}: lines of a word", _repeated(f"{token}a\n")
        yield f"{name}: paragraphs", _repeated(f"{token}\n\n")
    for name, start in STARTS.items():
        yield f"{name} ^lines", _repeated(f"{start}\n")
        yield f"{name} ^paragraphs", _repeated(f"{start}\n\n")
        yield f"{name} ^with code", _repeated(f"{start}\n\n    b\n\n")
        yield f"{name} ^with a line", _repeated(f"{start}\n    b\n")
        yield f"{name} ^in an item", _repeated(f"{start}\n", head="- x\n\n", lead="    ")
        yield f"{name} ^in a box", _repeated(f"{start}\n", head="!!! note\n\n", lead="    ")
        yield f"{name} ^with long lines", _repeated(f"{start}\n{'word ' * 100}\n")
        yield f"{name} ^in a quote", _repeated(f"{start}\n", lead="> ")
        yield f"{name} ^stairs of 4", _stairs(start, 4)
        yield f"{name} ^stairs of 2", _stairs(start, 2)
        yield f"{name} ^saw", _saw(start)
        yield f"{name} ^then text", _repeated("a b\n", head=f"{start}\n")
        for what, filling in (("blanks", " "), ("letters", "a"), ("braces", " {a")):
            yield f"{name} ^then {what}", _repeated(filling, head=start, foot="b}\n")
        yield f"{name} ^after blanks", _repeated(" ", head="a \n", foot=f"{start}\n")
    for name, (opening, closing) in PAIRS.items():
        yield f"{name} (nested)", _nested(opening, closing)
        yield f"{name} (nested by 40)", _nested(opening, closing, 40)
        yield f"{name} (never closed)", _repeated(f"{opening}a ")
        yield f"{name} (never opened)", _repeated(f"a{closing} ")
        yield f"{name} (side by side)", _repeated(f"{opening}a{closing} ")
        yield f"{name} (in $$)", _nested(opening, closing, head="$$", foot="$$")
        yield f"{name} (in $)", _nested(opening, closing, head="$a", foot="a$")
    for name, form in DISTINCT.items():
        yield f"{name} /distinct", _distinct(form, "\n\n")
        yield f"{name} /distinct lines", _distinct(form, "\n")
        yield f"{name} /distinct words", _distinct(form, " ")
    yield from _lone()


def _lone() -> Iterator[tuple[str, Shape]]:
    """Yield the shapes that follow none of the patterns above."""
    yield "= columns", lambda n: _table(n // 12, 1)
    yield "= rows", lambda n: _table(1, n // 6)
    yield "= columns and rows", lambda n: _table(math.isqrt(n) // 3, math.isqrt(n) // 2)
    yield "= empty rows", lambda n: "|a|b|c|d|\n|-|-|-|-|\n" + "|\n" * (n // 2)
    yield "= quotes", lambda n: ">" * n
    yield "= quotes and spaces", lambda n: "> " * (n // 2)
    yield "= items in a line", lambda n: "- " * (n // 2) + "a"
    yield "= numbers in a line", lambda n: "1. " * (n // 3) + "a"
    yield (
        "= stairs of quotes",
        lambda n: "".join(">" * i + " a\n" for i in range(math.isqrt(2 * n))),
    )
    yield "= ticks that grow", lambda n: "".join(f"{'`' * i} a " for i in range(math.isqrt(2 * n)))
    yield (
        "= fences that grow",
        lambda n: "".join("`" * i + "\n" for i in range(3, math.isqrt(2 * n))),
    )
    yield "= stars that grow", lambda n: "".join(f"{'*' * i}a " for i in range(math.isqrt(2 * n)))
    yield "= stars that change", lambda n: "*a **b " * (n // 7)
    yield "= stars left and right", lambda n: "*a" * (n // 4) + "b*" * (n // 4)
    yield "= lows left and right", lambda n: "_a " * (n // 6) + " b_" * (n // 6)
    yield "= code with tags", lambda n: "```html\n" + "<a b='" * (n // 6) + "\n```\n"
    for language in _LANGUAGES.split():
        for sign in _SIGNS:
            yield f"= code of {language}: {sign}", _code(language, sign)
    yield (
        "= long formulas",
        lambda n: "".join(f"${'a_b' * 1300}{i}$\n\n" for i in range(1000, 1000 + n // 3910)),
    )
    yield (
        "= long displays",
        lambda n: "".join(
            f"$$\n{'{' * 390}{'a+' * 1500}{i}{'}' * 390}\n$$\n\n"
            for i in range(1000, 1000 + n // 3800)
        ),
    )
    for length in (40, 3900):
        yield f"= same formula of {length}", _repeated(f"${'ab' * (length // 2)}$\n\n")
        yield f"= formulas of {length} in a paragraph", _repeated(f"${'ab' * (length // 2)}$\n")
    yield "= glossary terms", lambda n: "cache line 缓存行 " * (n // 16)
    yield "= long front matter", lambda n: _front(n, "".join(f"k{i}: v\n" for i in range(n // 10)))
    yield "= long title", lambda n: _front(n, f"title: {'a ' * (n // 2)}\n")
    for field, value in FIELDS.items():
        yield f"= many {field}", _values(field, value)
    yield "= tags in a line", lambda n: _front(n, f"tags: {'ab, ' * (n // 4)}\n")
    yield "= long tag", lambda n: _front(n, f"tags: [{'a' * n}]\n")
    yield "= long alias", lambda n: _front(n, f"aliases: [{'a b ' * (n // 4)}]\n")
    yield "= description", lambda n: _front(n, f"description: {'缓存 a' * (n // 8)}\n")


def _repeated(token: str, head: str = "", lead: str = "", foot: str = "") -> Shape:
    text = "".join(lead + line for line in token.splitlines(keepends=True)) if lead else token
    return lambda size: head + text * (size // len(text.encode())) + foot


def _nested(opening: str, closing: str, most: int = 0, head: str = "", foot: str = "") -> Shape:
    def shape(size: int) -> str:
        depth = most or max(1, size // (len(opening) + len(closing)))
        one = f"{head}{opening * depth}a{closing * depth}{foot}\n\n"
        return one * max(1, size // len(one))

    return shape


def _stairs(start: str, step: int) -> Shape:
    """Make a shape whose lines are each indented deeper than the one before."""

    def shape(size: int) -> str:
        depth = math.isqrt(2 * size // step)
        lead = (" " * (step * i) for i in range(depth))
        return "".join(f"{space}{line}\n" for space in lead for line in start.split("\n"))[:size]

    return shape


def _saw(start: str) -> Shape:
    """Make a shape that nests twelve levels deep, again and again."""
    one = "".join(f"{' ' * (4 * i)}{start}\n\n" for i in range(12))
    return _repeated(one)


def _distinct(form: str, between: str) -> Shape:
    def shape(size: int) -> str:
        parts, length, i = [], 0, 0
        while length < size:
            parts.append(form.replace("{}", str(i)).replace("{{", "{").replace("}}", "}"))
            length += len(parts[-1].encode()) + len(between)
            i += 1
        return between.join(parts[:-1])

    return shape


def _table(columns: int, rows: int) -> str:
    head = "|" + " a |" * columns + "\n|" + "---|" * columns + "\n"
    return head + ("|" + " b |" * columns + "\n") * rows


def _code(language: str, sign: str) -> Shape:
    return lambda size: f"```{language}\n{sign * (size // len(sign))}\n```\n"


def _values(field: str, value: str) -> Shape:
    many = _distinct(value.replace("{id", "{{id").replace("f}", "f}}"), ", ")
    return lambda size: _front(size, f"{field}: [{many(size)}]\n")


def _front(size: int, fields: str) -> str:
    return f"---\n{fields}---\n\nA text.\n" if size else ""
