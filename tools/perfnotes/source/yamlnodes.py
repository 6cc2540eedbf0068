"""Parses YAML into a tree of nodes, in time and memory that are proportional to the text's length.

PyYAML's own composer is recursive C code, and copies the value of an alias to every place where the
alias is used. So 40,000 brackets crash the process, and 350 bytes of aliases fill the memory. Here
the tree is made from the parser's events, one after the other. Aliases, anchors, merge keys and
more than ``MAX_DEPTH`` levels are errors.
"""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.constructor import SafeConstructor

MAX_DEPTH = 40

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LONGEST_NUMBER = 100  # characters of a number, a date or a boolean
_LARGEST = 1e300  # a larger number could overflow when it is computed with
_TEXT = "tag:yaml.org,2002:str"
_CLOSED_BY = {"[": "]", "{": "}"}
_WRITE_OUT = "write the value out at each place"
# If a quoted value contains a "key: value" line, its closing quote was probably forgotten.
_KEY_LINE = re.compile(r"\n[ \t]*(?:- +)*[\"']?[A-Za-z_][\w-]*[\"']?[ \t]*:(?=[ \t\n])")
# What a Chinese keyboard writes where YAML needs an ASCII sign, and a colon without a space: each
# at the beginning of a line, before its value.
_KEY = r"[ \t]*(?:- +)*[\"']?[A-Za-z_][\w-]*[\"']?"
_MISTYPED = (
    (re.compile("[ \t]*(?:- +)*(\u3000)"), "a full-width space", "write plain spaces"),
    (re.compile("[ \t]*(\uff0d)"), "a full-width dash (\uff0d)", "write '- '"),
    (
        re.compile(f"{_KEY}[ \t]*(\uff1a)"),
        "a full-width colon (\uff1a) after a key",
        "write ': ', a plain colon and a space",
    ),
    (re.compile(rf"{_KEY}(:)\u3000"), "a full-width space after a colon", "write a plain space"),
    (re.compile(rf"{_KEY}(:)(?=[^\s:/])"), "no space after a colon", "write ': '"),
)
_INDENTED_KEY = re.compile(f" {_KEY}[ \t]*")
_LINES_BACK = 3  # the parser finds such a line broken at its end, or on the next one
_SURROGATE = re.compile("[\ud800-\udfff]")


class YamlError(yaml.YAMLError):
    """YAML that cannot be read; ``offset`` is the place in the text."""

    def __init__(self, offset: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.offset, self.message, self.hint = offset, message, hint


def compose(text: str) -> yaml.Node | None:
    """Return the root node of ``text``, or None if the text is empty.

    Raises ``YamlError`` if it is not valid YAML, or uses what is not allowed here.
    """
    return _Composer(text).document()


def scalar(node: Any) -> Any:
    """Return the value of a scalar node: a text, a finite number, a boolean, a date or None.

    Raises ``YamlError`` for any other tag, and for a value that does not fit its type.
    """
    if node.tag == _TEXT:
        # Most values are texts, and this is faster than the constructor. An escape in quotes can
        # give half of a surrogate pair, which UTF-8 cannot encode.
        if not node.value.isascii() and _SURROGATE.search(node.value):
            message = "an escape stands for half a character"
            raise YamlError(node.start_mark.index, message, "remove it")
        return node.value
    at, kind = node.start_mark.index, node.tag.rpartition(":")[2]
    shown = repr(node.value[:40])
    if not node.tag.startswith("tag:yaml.org,2002:"):
        raise YamlError(at, f"the YAML tag {node.tag[:80]!r} is not allowed")
    if len(node.value) > _LONGEST_NUMBER:
        # The time that PyYAML takes to make a number grows faster than its length.
        raise YamlError(at, f"{shown} is too long for the YAML type {kind}", "quote it")
    try:
        value = SafeConstructor().construct_document(node)
    except yaml.MarkedYAMLError as error:
        raise YamlError(at, f"broken YAML: {error.problem or error.context}") from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        if kind == "timestamp":
            hint = "write a day such as 2026-01-31; quote it if it is no date"
            raise YamlError(at, f"{shown} is no day of the calendar", hint) from error
        raise YamlError(at, f"{shown} is no {kind}", "quote it") from error
    if isinstance(value, bytes):
        raise YamlError(at, f"the YAML tag {node.tag[:80]!r} is not allowed")
    if isinstance(value, int | float) and not -_LARGEST < value < _LARGEST:
        raise YamlError(at, f"{shown} is no number that can be computed with", "quote it")
    return value


def value(text: str) -> Any:
    """Return the document as dicts, lists and scalars. If a key appears twice, the last one counts.

    Raises ``YamlError`` as ``compose`` does.
    """
    node = compose(text)
    return None if node is None else _value(node)


def _value(node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return {key(name): _value(each) for name, each in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_value(each) for each in node.value]
    return scalar(node)


def key(node: yaml.Node) -> str:
    """Return a key as it is written, so that ``1``, ``on`` and ``null`` are texts as ``name`` is.

    Raises ``YamlError`` if the key is a list or a mapping, or has a tag that is not allowed.
    """
    if not isinstance(node, yaml.ScalarNode):
        raise YamlError(node.start_mark.index, "a key must be a plain word")
    scalar(node)
    return str(node.value)


class _Composer:
    """Makes the nodes of a text from the parser's events, at most ``MAX_DEPTH`` levels deep."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._unclosed: int | None = None  # offset of the first quote that matches _KEY_LINE

    def document(self) -> yaml.Node | None:
        try:
            self._events = _Loader(self._text)
        except yaml.YAMLError as error:  # a character that YAML does not have
            raise self._error(error) from error
        try:
            self._events.get_event()  # the stream's start
            if isinstance(self._events.get_event(), yaml.StreamEndEvent):
                return None
            node = self._node(self._events.get_event(), 0)
            self._events.get_event()  # the document's end
            after = self._events.get_event()
            if not isinstance(after, yaml.StreamEndEvent):
                message = "broken YAML: a second document"
                raise YamlError(after.start_mark.index, message, "one file holds one document")
            return node
        except YamlError:
            raise
        except (yaml.YAMLError, ValueError) as error:
            raise self._error(error) from error
        finally:
            self._events.dispose()

    def _node(self, event: Any, depth: int) -> yaml.Node:
        at: int = event.start_mark.index
        if event.anchor:
            alias = isinstance(event, yaml.AliasEvent)
            name = f"alias '*{event.anchor[:40]}'" if alias else f"anchor '&{event.anchor[:40]}'"
            raise YamlError(at, f"the {name} is not allowed here", _WRITE_OUT)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if depth >= MAX_DEPTH:
            raise YamlError(at, "YAML nested too deeply", f"{MAX_DEPTH} levels are read")
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(event, depth)
        return self._mapping(event, depth)

    def _scalar(self, event: Any) -> yaml.ScalarNode:
        a, b = event.start_mark, event.end_mark
        quoted = event.style in ("'", '"') and a.line < b.line
        if quoted and self._unclosed is None and _KEY_LINE.search(self._text, a.index, b.index):
            self._unclosed = a.index
        tag = event.tag
        if tag in (None, "!"):
            tag = self._events.resolve(yaml.ScalarNode, event.value, event.implicit)
        return yaml.ScalarNode(tag, event.value, a, b, style=event.style)

    def _sequence(self, start: Any, depth: int) -> yaml.SequenceNode:
        nodes = []
        while not isinstance(event := self._events.get_event(), yaml.SequenceEndEvent):
            nodes.append(self._node(event, depth + 1))
        first: Any = start.start_mark
        last: Any = event.end_mark
        flow = start.flow_style
        return yaml.SequenceNode(start.tag, nodes, first, last, flow_style=flow)

    def _mapping(self, start: Any, depth: int) -> yaml.MappingNode:
        pairs = []
        while not isinstance(event := self._events.get_event(), yaml.MappingEndEvent):
            name = self._node(event, depth + 1)
            if name.tag == "tag:yaml.org,2002:merge":
                message = "merge keys ('<<') are not allowed here"
                raise YamlError(name.start_mark.index, message, _WRITE_OUT)
            pairs.append((name, self._node(self._events.get_event(), depth + 1)))
        first: Any = start.start_mark
        last: Any = event.end_mark
        flow = start.flow_style
        return yaml.MappingNode(start.tag, pairs, first, last, flow_style=flow)

    def _error(self, error: Exception) -> YamlError:
        """Return the parser's error, at the place of the opening quote if one is not closed."""
        if not isinstance(error, yaml.MarkedYAMLError):
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            before = self._text.encode("utf-8", "surrogatepass")[: getattr(error, "position", 0)]
            at = len(before.decode("utf-8", "ignore"))
            return YamlError(at, f"broken YAML: {reason}")
        mark = error.problem_mark or error.context_mark
        at = self._offset(mark) if mark else 0
        opened = self._unclosed
        if opened is None and error.context == "while scanning a quoted scalar":
            opened = self._offset(error.context_mark)
        if opened is not None and self._text[opened : opened + 1] in ("'", '"'):
            message = f"broken YAML: a quote ({self._text[opened]}) that is not closed"
            return YamlError(opened, message, "close it on its line")
        begun = error.context_mark
        bracket = self._text[self._offset(begun) :][:1] if begun else ""
        if begun and mark and bracket in _CLOSED_BY and begun.line < mark.line:
            message = f"broken YAML: a {bracket} that is not closed"
            return YamlError(self._offset(begun), message, f"close it with {_CLOSED_BY[bracket]}")
        if mistyped := self._mistyped(at):
            return mistyped
        message = f"broken YAML: {error.problem or error.context or 'cannot be read'}"
        return YamlError(at, message, self._hint(at, begun))

    def _mistyped(self, at: int) -> YamlError | None:
        """Return an error for the last line up to ``at`` that has a mistyped sign, if one has."""
        end = at
        for _ in range(_LINES_BACK):
            start = self._text.rfind("\n", 0, end) + 1
            for form, what, hint in _MISTYPED:
                if found := form.match(self._text, start):
                    return YamlError(found.start(1), f"broken YAML: {what}", hint)
            if not start:
                break
            end = start - 1
        return None

    def _offset(self, mark: Any) -> int:
        at = 0
        for _ in range(mark.line):
            newline = self._text.find("\n", at)
            if newline < 0:
                return len(self._text)
            at = newline + 1
        return min(at + int(mark.column), len(self._text))

    def _hint(self, at: int, begun: Any) -> str:
        """Return how to mend an error at ``at`` of which nothing more is known.

        ``begun`` is the mark of the list or mapping in which the parser was, if it names one.
        """
        start = self._text.rfind("\n", 0, at) + 1
        before = self._text[start:at]
        if "\t" in self._text[start : at + 1]:
            return "YAML indents with spaces, not with tabs"
        if begun and before.strip(" ") == "" and begun.column != at - start:
            return "indent the line as those around it"
        if _INDENTED_KEY.fullmatch(before) and self._text.startswith(":", at):
            return "indent a key as the keys around it; quote a value that holds ': '"
        return "quote a value that holds ': ' or starts with a special character"
