"""Reads a line of commands: pipelines, groups, loops and substitutions, as bash would."""

from __future__ import annotations

import re

from perfnotes.explorables._shell_parts import Command, Commands, Pipeline, Substitution
from perfnotes.explorables._shell_text import BLANKS, cut
from perfnotes.explorables._typed_line import RefusalError

_MOST_NESTED = 6
_BUILTINS = frozenset(
    ": true false echo printf read mapfile readarray cd wait test [ pwd shopt set".split()
)
_PROGRAMS = frozenset(
    "awk cat cut date find grep head ls sed seq sleep sort tail tee tr uniq wc xargs".split()
)
_UNKNOWN_WORDS = frozenset("if case until select function time ! [[ coproc".split())
_LIST_ENDS = ("}", "do", "done")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_NUMBER = re.compile(r"[0-9]+(?=[<>])")
_OPERATORS = ("<<<", ">>", ">&", "<", ">")


class Reader:
    """Reads one line from left to right."""

    def __init__(self, line: str) -> None:
        self._line, self._at, self._nested = line, 0, 0

    def all(self) -> Commands:
        """Return the commands of the whole line."""
        found = self._list(("",))
        if self._at < len(self._line):
            raise self._unexpected()
        return found

    def _unexpected(self) -> RefusalError:
        if self._at >= len(self._line):
            return RefusalError("incomplete")
        return RefusalError("unexpected", cut(self._line[self._at :]))

    def _starts(self, text: str) -> bool:
        return self._line.startswith(text, self._at)

    def _blanks(self) -> None:
        while self._at < len(self._line) and self._line[self._at] in BLANKS:
            self._at += 1

    def _keyword(self) -> str:
        """Return the plain word that begins here, without moving past it."""
        found = re.compile(r"[^ \t;&|<>()$`'\"\\]*").match(self._line, self._at)
        return found[0] if found else ""

    def _list(self, ends: tuple[str, ...]) -> Commands:
        """Read commands up to and including one of the ends; "" is the end of the line."""
        self._nested += 1
        if self._nested > _MOST_NESTED:
            raise RefusalError("too-many")
        found: Commands = []
        while True:
            self._blanks()
            end = self._end(ends)
            if end is not None:
                if not found:
                    raise self._unexpected()
                self._at += len(end)
                self._nested -= 1
                return found
            if self._at >= len(self._line):
                raise RefusalError("missing", ends[0])
            pipeline = self._pipeline()
            found.append(pipeline)
            self._blanks()
            if self._starts("&&") or self._starts("||"):
                raise RefusalError("and-or", self._line[self._at : self._at + 2])
            if self._starts("&>"):
                raise RefusalError("not-known", "&>")
            if self._starts("&") or (self._starts(";") and not self._starts(";;")):
                pipeline.background = self._starts("&")
                self._at += 1
            # Without a separator only ")" or the end of the line may follow, and only if it ends
            # this list.
            elif self._end((")", "")) is None or self._end(ends) is None:
                raise self._unexpected()

    def _end(self, ends: tuple[str, ...]) -> str | None:
        """Return that one of the ends which begins here, without moving past it, or None."""
        for end in ends:
            if end == "" and self._at >= len(self._line):
                return end
            if end == ")" and self._starts(")"):
                return end
            if end in _LIST_ENDS and self._keyword() == end:
                return end
        return None

    def _pipeline(self) -> Pipeline:
        parts = [self._command()]
        self._blanks()
        while self._starts("|") and not self._starts("||"):
            if self._starts("|&"):
                raise RefusalError("not-known", "|&")
            self._at += 1
            self._blanks()
            parts.append(self._command())
            self._blanks()
        return Pipeline(parts)

    def _command(self) -> Command:
        word = self._keyword()
        if word in _UNKNOWN_WORDS or self._starts("(("):
            raise RefusalError("not-known", word or "((")
        if word in _LIST_ENDS or word == "in":
            raise self._unexpected()
        if self._starts("("):
            self._at += 1
            return self._redirections(Command("paren", body=self._list((")",))))
        if word == "{":
            self._at += 1
            return self._redirections(Command("group", body=self._list(("}",))))
        if word == "while":
            self._at += len(word)
            return self._while()
        if word == "for":
            self._at += len(word)
            return self._for()
        return self._simple()

    def _while(self) -> Command:
        condition = self._list(("do",))
        first = condition[0].parts[0]
        if len(condition) > 1 or len(condition[0].parts) > 1 or condition[0].background:
            raise RefusalError("condition", first.text)
        if first.kind != "builtin" or first.inner or first.redirected:
            raise RefusalError("condition", first.text)
        loop = Command("loop", body=[Pipeline([first]), *self._list(("done",))])
        return self._redirections(loop)

    def _for(self) -> Command:
        self._blanks()
        begin = self._at
        head = Command("builtin", sets=True)
        name = self._keyword()
        self._at += len(name)
        self._blanks()
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) or self._keyword() != "in":
            raise RefusalError("not-known", "for")
        self._at += len("in")
        while self._next_word(head, head.inner) is not None:
            pass
        head.text = f"for {self._line[begin : self._at].rstrip(BLANKS)}"
        if not self._starts(";"):
            raise self._unexpected()
        self._at += 1
        self._blanks()
        if self._keyword() != "do":
            raise self._unexpected()
        self._at += len("do")
        return self._redirections(Command("loop", body=[Pipeline([head]), *self._list(("done",))]))

    def _redirections(self, command: Command) -> Command:
        """Read the redirections behind a compound command."""
        self._blanks()
        while self._redirection(command):
            self._blanks()
        if self._at < len(self._line) and self._line[self._at] not in ";&|)":
            raise self._unexpected()
        return command

    def _redirection(self, command: Command) -> bool:
        """Read a redirection; return False if none begins here."""
        number = _NUMBER.match(self._line, self._at)
        start = self._at + (len(number[0]) if number else 0)
        operator = next((o for o in _OPERATORS if self._line.startswith(o, start)), "")
        if not operator or self._line.startswith(("<(", ">("), start):
            return False
        if self._line.startswith(("<<", "<&", "<>", ">|"), start) and operator != "<<<":
            raise RefusalError("not-known", self._line[start : start + 2])
        self._at = start + len(operator)
        if self._next_word(command, command.redirected, target=True) is None:
            raise self._unexpected()
        command.redirects = True
        command.reads_file = operator == "<" and not number
        return True

    def _simple(self) -> Command:
        command = Command("builtin")
        begin = self._at
        words, redirections, end = command.words, 0, begin
        while True:
            self._blanks()
            if self._redirection(command):
                redirections += 1
            elif self._next_word(command, command.inner) is None:
                break
            end = self._at
        command.text = self._line[begin:end]
        if not command.text:
            raise self._unexpected()
        first = next((i for i, word in enumerate(words) if not _ASSIGNMENT.match(word)), len(words))
        rest = words[first:]
        command.reads_file = command.reads_file and not words and redirections == 1
        if not rest:
            command.sets = bool(words)
            return command
        name = rest[0]
        if name not in _BUILTINS | _PROGRAMS:
            raise RefusalError("unknown-command", cut(name))
        command.kind = "builtin" if name in _BUILTINS else "program"
        command.sets = name in ("read", "mapfile", "readarray", "cd") or rest[:2] == [
            "printf",
            "-v",
        ]
        command.words = rest
        return command

    def _next_word(
        self, command: Command, into: list[Substitution], *, target: bool = False
    ) -> str | None:
        """Read one word, with its substitutions; None if none begins here."""
        self._blanks()
        begin = self._at
        while self._at < len(self._line):
            c = self._line[self._at]
            if self._starts("<(") or self._starts(">("):
                self._at += 2
                into.append(Substitution("process", self._list((")",))))
            elif c in BLANKS + ";&|<>)":
                break
            elif c == "(":
                raise RefusalError("not-known", cut(self._line[begin : self._at + 1]))
            elif c == "#" and self._at == begin:
                raise RefusalError("not-known", "#")
            else:
                self._piece(into)
        word = self._line[begin : self._at]
        if not word:
            return None
        if not target:
            command.words.append(word)
        return word

    def _piece(self, into: list[Substitution]) -> None:
        """Read a plain character, a quoted text or a ``$`` form."""
        c = self._line[self._at]
        if c == "'":
            self._upto("'", self._at + 1)
        elif c == '"':
            begin = self._at
            self._at += 1
            while not self._starts('"'):
                if self._at >= len(self._line):
                    raise RefusalError("open", cut(self._line[begin:]))
                self._inner(into)
            self._at += 1
        elif self._starts("$'") or self._starts('$"'):
            raise RefusalError("not-known", self._line[self._at : self._at + 2])
        else:
            self._inner(into)

    def _inner(self, into: list[Substitution]) -> None:
        """Read what has the same meaning inside and outside of double quotes."""
        if self._starts("`"):
            raise RefusalError("not-known", "`")
        if self._starts("\\"):
            if self._at + 1 >= len(self._line):
                raise RefusalError("open", "\\")
            self._at += 2
        elif self._starts("$(("):
            self._upto("))", self._at + 3, r"[^A-Za-z0-9_ +*/%=$-]")
        elif self._starts("$("):
            self._at += 2
            into.append(Substitution("dollar", self._list((")",))))
        elif self._starts("${"):
            self._upto("}", self._at + 2)
        else:
            self._at += 1

    def _upto(self, closing: str, begin: int, unknown: str = r"[$`'\"\\(){}]") -> None:
        """Move past the next ``closing``; refuse a line with a match of ``unknown`` before it."""
        end = self._line.find(closing, begin)
        if end < 0:
            raise RefusalError("open", cut(self._line[self._at :]))
        if closing != "'" and re.search(unknown, self._line[begin:end]):
            raise RefusalError("not-known", cut(self._line[self._at : end + len(closing)]))
        self._at = end + len(closing)
