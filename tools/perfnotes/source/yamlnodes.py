"""YAML text as a tree of nodes, made so that no text costs more than its length.

PyYAML's own composer calls itself in C for each level of nesting, and puts an alias's whole value
wherever the alias stands: 40,000 brackets end the process, 350 bytes of aliases fill the memory.
Here the tree is made from the parser's events, which come one after the other. Aliases, anchors,
merge keys and more than ``MAX_DEPTH`` levels are refused where they stand.
"""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.constructor import SafeConstructor

MAX_DEPTH = 40

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LONGEST_NUMBER = 100  # characters of a number, a date or a boolean
_BEYOND = 1e300
_TEXT = "tag:yaml.org,2002:str"
_WRITE_OUT = "write the value out at each place"
# A quoted value that goes on over the next "key: value" line was not meant to.
_KEY_LINE = re.compile(r"\n[ \t]*(?:- +)*[\"']?[A-Za-z_][\w-]*[\"']?[ \t]*:(?=[ \t\n])")


class YamlError(yaml.YAMLError):
    """YAML that is not read: where (an offset into the text), why, and perhaps what to do."""

    def __init__(self, offset: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.offset, self.message, self.hint = offset, message, hint


def compose(text: str) -> yaml.Node | None:
    """The only document of ``text``, or None where it is empty; ``YamlError`` where it is wrong."""
    return _Composer(text).document()


def scalar(node: Any) -> Any:
    """What a plain value means: a text, a finite number, a boolean, a date or None."""
    if node.tag == _TEXT:
        return node.value  # as the constructor would, only sooner; most values are texts
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
        raise YamlError(at, f"{shown} is no {kind}", "quote it") from error
    if isinstance(value, int | float) and not -_BEYOND < value < _BEYOND:
        raise YamlError(at, f"{shown} is no number that can be computed with", "quote it")
    return value


def value(text: str) -> Any:
    """The document as dicts, lists and plain values; of a key that stands twice the last counts."""
    node = compose(text)
    return None if node is None else _value(node)


def _value(node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return {key(name): _value(each) for name, each in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_value(each) for each in node.value]
    return scalar(node)


def key(node: yaml.Node) -> Any:
    """What a key means; only a plain value can be one."""
    if not isinstance(node, yaml.ScalarNode):
        raise YamlError(node.start_mark.index, "a key must be a plain word")
    return scalar(node)


class _Composer:
    """Makes nodes of a text's events. The recursion is as deep as ``MAX_DEPTH`` at most."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._unclosed: int | None = None  # where the first quote opens that took in a key's line

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
            raise YamlError(at, f"the {name} is not used here", _WRITE_OUT)
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

    def _next(self) -> Any:
        return self._events.get_event()

    def _sequence(self, start: Any, depth: int) -> yaml.SequenceNode:
        nodes = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            nodes.append(self._node(event, depth + 1))
        first: Any = start.start_mark
        last: Any = event.end_mark
        flow = start.flow_style
        return yaml.SequenceNode(start.tag, nodes, first, last, flow_style=flow)

    def _mapping(self, start: Any, depth: int) -> yaml.MappingNode:
        pairs = []
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            name = self._node(event, depth + 1)
            if name.tag == "tag:yaml.org,2002:merge":
                message = "merge keys ('<<') are not used here"
                raise YamlError(name.start_mark.index, message, _WRITE_OUT)
            pairs.append((name, self._node(self._events.get_event(), depth + 1)))
        first: Any = start.start_mark
        last: Any = event.end_mark
        flow = start.flow_style
        return yaml.MappingNode(start.tag, pairs, first, last, flow_style=flow)

    def _error(self, error: Exception) -> YamlError:
        """What the parser says; where a quote is not closed, the place at which it opens."""
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
        message = f"broken YAML: {error.problem or error.context or 'cannot be read'}"
        return YamlError(at, message, self._hint(at))

    def _offset(self, mark: Any) -> int:
        at = 0
        for _ in range(mark.line):
            newline = self._text.find("\n", at)
            if newline < 0:
                return len(self._text)
            at = newline + 1
        return min(at + int(mark.column), len(self._text))

    def _hint(self, at: int) -> str:
        before = self._text[self._text.rfind("\n", 0, at) + 1 : at + 1]
        if "\t" in before:
            return "YAML indents with spaces, not with tabs"
        return "quote a value that holds ': ' or starts with a special character"
