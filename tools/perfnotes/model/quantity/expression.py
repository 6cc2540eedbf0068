"""Expressions over measured quantities, facts and parameters, as labs and facts write them.

The grammar is a small part of Python's: numbers, names, ``run.quantity``, ``+ - * / **``,
parentheses and the functions of ``FUNCTIONS``. Nothing else of Python can be reached from it.
"""

from __future__ import annotations

import ast
import math
import statistics
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, reduce

from perfnotes.model.quantity import vector as v
from perfnotes.model.quantity.units import UnitError
from perfnotes.model.quantity.vector import QuantityError, Vector

Lookup = Callable[[str], Vector]
"""Returns the quantity of a name such as ``n`` or ``rows.D1mr``; raises ``UnknownNameError``."""

FUNCTIONS: dict[str, Callable[[Vector], Vector]] = {
    "median": lambda x: v.reduce(x, statistics.median),
    "mean": lambda x: v.reduce(x, statistics.fmean),
    "min": lambda x: v.reduce(x, min),
    "max": lambda x: v.reduce(x, max),
    "sum": lambda x: v.reduce(x, math.fsum),
    "len": lambda x: v.number(len(x.samples)),
    "first": lambda x: v.reduce(x, lambda s: s[0]),
    "last": lambda x: v.reduce(x, lambda s: s[-1]),
    "abs": lambda x: v.each(x, abs),
    "floor": lambda x: v.each(x, math.floor),
    "ceil": lambda x: v.each(x, math.ceil),
    "log2": lambda x: v.each(x, math.log2, plain=True),
    "sqrt": lambda x: v.power(x, v.number(0.5)),
}
SEVERAL: dict[str, Callable[[Vector, Vector], Vector]] = {"min": v.smaller, "max": v.larger}
"""Functions that also take several values, which they combine sample by sample."""

_OPERATORS: dict[type[ast.operator], Callable[[Vector, Vector], Vector]] = {
    ast.Add: v.add,
    ast.Sub: v.subtract,
    ast.Mult: v.multiply,
    ast.Div: v.divide,
    ast.Pow: v.power,
}
_LONGEST = 2000  # characters
_DEEPEST = 100  # levels; a sum of 100 terms has about as many
_SHOWN = 80  # characters of an expression in a message


class ExpressionError(ValueError):
    """An expression that is wrong or cannot be computed; ``column`` counts from 0 in its text."""

    def __init__(self, message: str, column: int = 0) -> None:
        super().__init__(message)
        self.message, self.column = message, column


class UnknownNameError(LookupError):
    """An unknown name; the text is the whole message."""


@dataclass(frozen=True)
class Expression:
    """A parsed expression, which can be evaluated many times."""

    text: str

    @cached_property
    def tree(self) -> ast.expr:
        with warnings.catch_warnings():  # the parser warns about odd code, such as 1(2)
            warnings.simplefilter("ignore")
            return ast.parse(self.text, mode="eval").body

    def __getstate__(self) -> dict[str, object]:
        """Pickle without the tree: reading its nodes takes longer than parsing the text again."""
        return {name: value for name, value in self.__dict__.items() if name != "tree"}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every name in it, in the order of the text, each once: ``rows.D1mr``, ``n``."""
        return tuple(dict.fromkeys(name for name, _ in _names(self.tree)))

    @property
    def calls(self) -> tuple[str, ...]:
        """Every function that it calls, each once."""
        calls = (node.func for node in ast.walk(self.tree) if isinstance(node, ast.Call))
        return tuple(dict.fromkeys(f.id for f in calls if isinstance(f, ast.Name)))

    def evaluate(self, lookup: Lookup) -> Vector:
        """Compute the expression with the quantities that ``lookup`` returns for its names.

        Raises ``ExpressionError`` for an unknown name, or if it cannot be computed.
        """
        return _evaluate(self.tree, lookup)


def parse(text: str) -> Expression:
    """Read an expression. Raises ``ExpressionError``, which says what is not allowed and where."""
    if len(text) > _LONGEST:
        raise ExpressionError(f"longer than {_LONGEST} characters")
    expression = Expression(text.strip())
    try:
        tree = expression.tree
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        column = getattr(error, "offset", None) or 1
        raise ExpressionError(f"{_cut(text)!r} is no expression", column - 1) from error
    _judge(tree)
    return expression


def _judge(node: ast.AST, depth: int = 0) -> None:
    if depth > _DEEPEST:
        raise ExpressionError(f"nested more than {_DEEPEST} deep: name its parts")
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        _judge(node.left, depth + 1)
        _judge(node.right, depth + 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        _judge(node.operand, depth + 1)
    elif isinstance(node, ast.Call):
        known = ", ".join(sorted(FUNCTIONS))
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            raise ExpressionError(f"unknown function; the functions are {known}", node.col_offset)
        several = node.func.id in SEVERAL and len(node.args) > 1
        if node.keywords or not (several or len(node.args) == 1):
            raise ExpressionError(f"{node.func.id}() takes one value", node.col_offset)
        for each in node.args:
            _judge(each, depth + 1)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        pass
    elif not (
        isinstance(node, ast.Name)
        or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name))
    ):
        allowed = "numbers, names, run.quantity, + - * / **, and functions"
        raise ExpressionError(f"only {allowed} are allowed here", getattr(node, "col_offset", 0))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _names(node: ast.AST) -> Iterator[tuple[str, int]]:
    if isinstance(node, ast.Name):
        yield node.id, node.col_offset
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield f"{node.value.id}.{node.attr}", node.col_offset
    elif isinstance(node, ast.Call):
        for each in node.args:
            yield from _names(each)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _names(child)


def _evaluate(node: ast.expr, lookup: Lookup) -> Vector:
    at = node.col_offset
    try:
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return v.number(node.value)
        if isinstance(node, ast.Name | ast.Attribute):
            return lookup(next(_names(node))[0])
        if isinstance(node, ast.UnaryOp):
            value = _evaluate(node.operand, lookup)
            return v.each(value, lambda x: -x) if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp):
            left, right = _evaluate(node.left, lookup), _evaluate(node.right, lookup)
            return _OPERATORS[type(node.op)](left, right)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            values = [_evaluate(each, lookup) for each in node.args]
            name = node.func.id
            return FUNCTIONS[name](values[0]) if len(values) == 1 else reduce(SEVERAL[name], values)
    except UnknownNameError as error:
        raise ExpressionError(str(error), at) from error
    except (QuantityError, UnitError, OverflowError) as error:
        raise ExpressionError(f"{_cut(ast.unparse(node))}: {error}", at) from error
    raise ExpressionError("not an expression", at)
