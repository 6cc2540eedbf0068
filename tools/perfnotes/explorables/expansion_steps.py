"""The order of bash's expansions, on a line that the reader types."""

from __future__ import annotations

from perfnotes.explorables._expansion_words import (
    EXAMPLES,
    FIELD,
    GIVEN,
    HOW,
    LEAD,
    NAMES,
    SAYS,
    TITLE,
)
from perfnotes.explorables._shell_braces import MOST_WORDS, braces
from perfnotes.explorables._shell_fields import fields, matched
from perfnotes.explorables._shell_text import BLANKS, cut, name_end, words_of
from perfnotes.explorables._shell_values import (
    BREAK,
    KEPT,
    MADE,
    SIGN,
    Sign,
    Variables,
    WordExpander,
    as_typed,
)
from perfnotes.explorables._typed_line import (
    Answer,
    RefusalError,
    Row,
    TypedLine,
    Word,
)

FILES = ("a.txt", "b.txt", "c d.txt", "notes.md")
ARGUMENTS = ("a b", "", "c")
VALUES = {
    "HOME": "/home/ann",
    "IFS": " \t\n",
    "n": "3",
    "v": " two  words ",
    "g": "*.txt",
    "q": '"a b"',
}
_RESERVED = (
    "if then elif else fi for while until do done case esac select function time coproc { } ! [["
).split()
_DECLARES = "alias declare export local readonly typeset command builtin".split()
_LONGEST_WORD = 160
_MADE_KINDS = {MADE: "made", KEPT: "made", SIGN: "quote"}


def _assignment(word: str) -> tuple[str, str] | None:
    """Return the name and the value of an assignment as typed; None if the word is none."""
    end = name_end(word, 0)
    if not end or word[end : end + 1] not in ("=", "+", "["):
        return None
    if word[end] == "=":
        return word[:end], word[end + 1 :]
    if word[end] == "[" or word.startswith("+=", end):
        raise RefusalError("unknown-form", cut(word[: end + 2]))
    return None


def _plain(signs: list[Sign]) -> str:
    """Return the text of a word without its typed quotes."""
    return "".join(text for text, mark in signs if mark != SIGN)


def _echo(text: str, variables: Variables) -> str:
    """Return what ``$(echo …)`` prints. It has a copy of the variables, as in a subshell."""
    statements = words_of(text)
    if len(statements) != 1 or statements[0][:1] != ["echo"]:
        raise RefusalError("only-echo", cut(text.strip(BLANKS)))
    copy = Variables(dict(variables.values), variables.arguments, _echo)
    words = [_plain(field) for field in _steps(statements[0][1:], copy)[-1]]
    if words and words[0].startswith("-"):
        raise RefusalError("only-echo", cut(text.strip(BLANKS)))
    return " ".join(words).rstrip("\n")


def _steps(words: list[str], variables: Variables) -> list[list[list[Sign]]]:
    """Return the words after each step: as typed, braces, values, splitting, names, quotes."""
    expanded = [(word, made) for word in words for made in braces(word)]
    after_braces = [made for _, made in expanded]
    valued, split = [], []
    for word, made in expanded:
        # In ``a=~`` bash expands the tilde only if no brace has made the word.
        signs = WordExpander(made, variables, tilde_after_equals=word == made).signs()
        valued.append(signs)
        split += fields(signs, variables.values["IFS"])
    named = [name for field in split for name in matched(field, FILES)]
    steps = [
        [as_typed(word) for word in words],
        [as_typed(word) for word in after_braces],
        valued,
        split,
        named,
        [[sign for sign in field if sign[1] != SIGN] for field in named],
    ]
    _check(steps)
    return steps


def _check(steps: list[list[list[Sign]]]) -> None:
    """Refuse a line of which any step is too long to be shown."""
    for step in steps:
        if len(step) > MOST_WORDS or any(len(word) > _LONGEST_WORD for word in step):
            raise RefusalError("too-many")


def _assign(word: str, variables: Variables) -> list[list[list[Sign]]]:
    """Set a variable; return its value as typed, with values, and without quotes."""
    name, typed = _assignment(word) or ("", "")
    signs = WordExpander(typed, variables, assigned=True).signs()
    steps = [[as_typed(typed)], [signs], [[s for s in signs if s[1] != SIGN]]]
    _check(steps)
    variables.assign(name, _plain(signs))
    return steps


def _shown(words: list[list[Sign]]) -> tuple[Word, ...]:
    """Return words as boxes; a word that ``"$@"`` has split into several gets several boxes."""
    boxes: list[list[tuple[str, str]]] = []
    for word in words:
        boxes.append([])
        for text, mark in word:
            if mark == BREAK:
                boxes.append([])
                continue
            kind = _MADE_KINDS.get(mark, "")
            visible = text.replace("\n", "↵").replace("\t", "⇥")
            if boxes[-1] and boxes[-1][-1][1] == kind:
                visible = boxes[-1].pop()[0] + visible
            boxes[-1].append((visible, kind))
    return tuple(map(tuple, boxes))


def _rows(names: tuple[str, ...], steps: list[list[list[Sign]]]) -> tuple[Row, ...]:
    rows, before = [], None
    for name, step in zip(names, steps, strict=True):
        texts = [[text for text, _ in word] for word in step]
        rows.append(Row(name, () if texts == before else _shown(step), same=texts == before))
        before = texts
    return tuple(rows)


def reply(line: str) -> Answer:
    """Return what is shown for a line."""
    statements = words_of(line)
    if not statements[0]:
        raise RefusalError("nothing")
    variables = Variables(dict(VALUES), ARGUMENTS, _echo)
    for number, words in enumerate(statements):
        first = next((i for i, word in enumerate(words) if not _assignment(word)), len(words))
        assigned, command = words[:first], words[first:]
        if command and (command[0] in _RESERVED or command[0] in _DECLARES):
            raise RefusalError("not-simple", command[0])
        if not command:
            for word in assigned:
                steps = _assign(word, variables)
            if number == len(statements) - 1:
                name = assigned[-1].partition("=")[0]
                value = _plain(steps[-1][0]).replace("\n", "↵").replace("\t", "⇥")
                rows = _rows(("typed", "values", "quotes"), steps)
                return Answer("assigned", {"name": name, "value": value}, rows)
            continue
        if number < len(statements) - 1:
            raise RefusalError("one-command", cut(command[0]))
        steps = _steps(command, variables)
        for word in assigned:
            _assign(word, variables)
        gaps = {"typed": str(len(command)), "count": str(len(steps[-1]))}
        said = "nothing-left" if not steps[-1] else "late" if assigned else "words"
        names = ("typed", "braces", "values", "splitting", "names", "quotes")
        return Answer(said, gaps, _rows(names, steps))
    raise AssertionError(line)


EXPLORABLE = TypedLine(
    title=TITLE,
    lead=LEAD,
    how=HOW,
    field=FIELD,
    given=GIVEN,
    examples=EXAMPLES,
    names=NAMES,
    says=SAYS,
    reply=reply,
)
