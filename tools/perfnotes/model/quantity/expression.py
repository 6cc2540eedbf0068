"""Expressions over measured quantities, facts and parameters, as ``lab.yml`` and others hold them.

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
from perfnotes.text.cut import cut

Lookup = Callable[[str], Vector]
"""Returns the quantity of a name such as ``n`` or ``rows.D1mr``; raises ``UnknownNameError``."""

FUNCTIONS: dict[str, Callable[[Vector], Vector]] = {
    "median": lambda x: v.reduce_samples(x, statistics.median),
    "mean": lambda x: v.reduce_samples(x, statistics.fmean),
    "min": lambda x: v.reduce_samples(x, min),
    "max": lambda x: v.reduce_samples(x, max),
    "sum": lambda x: v.reduce_samples(x, math.fsum),
    "len": lambda x: v.number(len(x.samples)),
    "first": lambda x: v.reduce_samples(x, lambda s: s[0]),
    "last": lambda x: v.reduce_samples(x, lambda s: s[-1]),
    "abs": lambda x: v.map_samples(x, abs),
    "floor": lambda x: v.map_samples(x, math.floor),
    "ceil": lambda x: v.map_samples(x, math.ceil),
    "log2": lambda x: v.map_samples(x, math.log2, plain=True),
    "sqrt": lambda x: v.power(x, v.number(0.5)),
}
PAIRWISE: dict[str, Callable[[Vector, Vector], Vector]] = {"min": v.smaller, "max": v.larger}
"""Functions that also take several values, whose samples they combine one by one."""

_OPERATORS: dict[type[ast.operator], Callable[[Vector, Vector], Vector]] = {
    ast.Add: v.add,
    ast.Sub: v.subtract,
    ast.Mult: v.multiply,
    ast.Div: v.divide,
    ast.Pow: v.power,
}
_LONGEST = 2000  # characters
_DEEPEST = 100  # levels; a sum of 100 terms has about as many
_MOST_SHOWN = 80  # characters of an expression in a message


class ExpressionError(ValueError):
    """An expression that is wrong or cannot be computed; ``column`` counts from 0 in its text."""

    def __init__(self, message: str, column: int = 0) -> None:
        super().__init__(message)
        self.message, self.column = message, column


class UnknownNameError(LookupError):
    """A name in an expression is unknown; the message says so in a whole sentence."""


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
        """Every name in the expression, such as ``rows.D1mr``, each once, in order."""
        return tuple(dict.fromkeys(_names(self.tree)))

    @property
    def calls(self) -> tuple[str, ...]:
        """The name of every function that the expression calls, each once."""
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
        reason = error.msg if isinstance(error, SyntaxError) else ""
        about_brackets = f": {reason}" if any(sign in reason for sign in "()[]{}") else ""
        message = f"{cut(text, _MOST_SHOWN)!r} is no expression{about_brackets}"
        raise ExpressionError(message, column - 1) from error
    _check_syntax(tree)
    return expression


def _check_syntax(node: ast.AST, depth: int = 0) -> None:
    """Raise ``ExpressionError`` for any part of Python that expressions do not have."""
    if depth > _DEEPEST:
        raise ExpressionError(f"nested more than {_DEEPEST} deep: name its parts")
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        _check_syntax(node.left, depth + 1)
        _check_syntax(node.right, depth + 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        _check_syntax(node.operand, depth + 1)
    elif isinstance(node, ast.Call):
        known = ", ".join(sorted(FUNCTIONS))
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            raise ExpressionError(f"unknown function; the functions are {known}", node.col_offset)
        takes_several = node.func.id in PAIRWISE
        if node.keywords or not node.args or (len(node.args) > 1 and not takes_several):
            many = "one or more values" if takes_several else "one value"
            raise ExpressionError(f"{node.func.id}() takes {many}", node.col_offset)
        for each in node.args:
            _check_syntax(each, depth + 1)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        pass
    elif not (
        isinstance(node, ast.Name)
        or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name))
    ):
        allowed = "numbers, names, run.quantity, + - * / **, and functions"
        raise ExpressionError(f"only {allowed} are allowed here", getattr(node, "col_offset", 0))


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield f"{node.value.id}.{node.attr}"
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
            return lookup(next(_names(node)))
        if isinstance(node, ast.UnaryOp):
            value = _evaluate(node.operand, lookup)
            return v.map_samples(value, lambda x: -x) if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp):
            left, right = _evaluate(node.left, lookup), _evaluate(node.right, lookup)
            return _OPERATORS[type(node.op)](left, right)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            values = [_evaluate(each, lookup) for each in node.args]
            name = node.func.id
            return (
                FUNCTIONS[name](values[0]) if len(values) == 1 else reduce(PAIRWISE[name], values)
            )
    except UnknownNameError as error:
        raise ExpressionError(str(error), at) from error
    except (QuantityError, UnitError, OverflowError) as error:
        raise ExpressionError(f"{cut(ast.unparse(node), _MOST_SHOWN)}: {error}", at) from error
    raise ExpressionError("not an expression", at)
