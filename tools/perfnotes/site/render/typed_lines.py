"""Renders things to try by typing: the steps of one line, which need no script to be read.

The script ``typed.js`` puts a field in the place of the line and buttons in the place of the
examples. It shows the same rows for whatever is typed, as texts and never as markup.
"""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.explorables._typed_line import LONGEST, Row, TypedLine, Word
from perfnotes.site.render.markup import data_attribute, escape
from perfnotes.site.strings import add_words, string

add_words(
    {
        "typed_given": ("Given", "已知"),
        "typed_examples": ("Lines to try", "可以试的行"),
        "typed_same": ("no change", "没有变化"),
        "typed_empty": ("empty", "空"),
    }
)


def typed_line(name: str, made: TypedLine, lang: str) -> tuple[str, str]:
    """Return the HTML of a thing to try, and the sentence about its first line."""
    id, line = f"explore-{name}", made.examples[0]
    shown = made.answer(line)
    said = made.sentence(shown, lang)
    data = {
        "name": name,
        "longest": LONGEST,
        "says": {key: text[lang] for key, text in made.says.items()},
        "names": {key: text[lang] for key, text in made.names.items()},
        "same": string("typed_same", lang),
        "empty": string("typed_empty", lang),
    }
    given = "".join(f"<li><code>{escape(each)}</code></li>" for each in made.given)
    examples = "".join(f"<li><code>{escape(each)}</code></li>" for each in made.examples)
    rows = "".join(_row(made, row, lang) for row in shown.rows)
    html = (
        f'<div class="pn-explore pn-explore-typed" id="{id}" '
        f"{data_attribute('explore', data)}>"
        f'<p class="pn-explore-title" id="{id}-title">'
        f"<span>{string('explore', lang)}</span> {escape(made.title[lang])}</p>"
        f'<p class="pn-explore-lead">{escape(made.lead[lang])}</p>'
        + (
            f'<div class="pn-typed-given"><p>{string("typed_given", lang)}</p>'
            f"<ul>{given}</ul></div>"
            if given
            else ""
        )
        + f'<p class="pn-typed-line"><span>{escape(made.field[lang])}</span> '
        f"<code>{escape(line)}</code></p>"
        f'<p class="pn-explore-said" id="{id}-said">{escape(said)}</p>'
        f'<ol class="pn-typed-rows">{rows}</ol>'
        f'<div class="pn-typed-examples"><p>{string("typed_examples", lang)}</p>'
        f"<ul>{examples}</ul></div>"
        f'<details class="pn-explore-how"><summary>{string("explore_how", lang)}</summary>'
        f"<p>{escape(made.how[lang])}</p></details></div>"
    )
    return html, said


def _row(made: TypedLine, row: Row, lang: str) -> str:
    words = " ".join(_word(word, lang) for word in row.words)
    same = string("typed_same", lang)
    rest = f"<span>{same}</span>" if row.same else f"<div>{words}</div>"
    depth = f' class="pn-depth-{row.depth}"' if row.depth else ""
    return f"<li{depth}><p>{escape(made.name(row, lang))}</p>{rest}</li>"


def _word(word: Word, lang: str) -> str:
    if not any(text for text, _ in word):
        return f'<code class="pn-word-empty">{string("typed_empty", lang)}</code>'
    return f"<code>{''.join(_pieces(word))}</code>"


def _pieces(word: Word) -> Iterator[str]:
    for text, kind in word:
        yield f'<span class="pn-piece-{kind}">{escape(text)}</span>' if kind else escape(text)
