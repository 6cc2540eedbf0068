"""Origins: how a recorded number was computed, read from its expression and its samples.

``median(time.slow) / median(time.fast)`` of 21 samples each is a ratio of two medians, ``n / 16``
is computed from parameters, and a count is the same each time unless a claim allows it to differ.
"""

from __future__ import annotations

import ast
import math
import statistics
from collections.abc import Iterator

from msgspec import Struct

from perfnotes.model.lab import COUNT, Claim, Lab, Value
from perfnotes.model.result import Result, Samples

SINGLE, RATIO, DIFFERENCE, SUM, OTHER, FORMULA = (
    "single", "ratio", "difference", "sum", "other", "formula",
)  # fmt: skip
MIXED = "mixed"

_STATISTICS = frozenset({"median", "mean", "min", "max", "sum", "len", "first", "last"})
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Div: RATIO,
    ast.Sub: DIFFERENCE,
}  # without ``ast.Add``, because a sum may have more than two parts


class Part(Struct, frozen=True):
    """One quantity in an expression, or a statistic of it: ``median(time.slow)``.

    ``statistic`` is empty if the expression uses every sample; ``n`` is the number of samples.
    ``samples`` are those of the quantity ``name``. They are None if there is only one, or if the
    statistic is taken of a computed value, as in ``median(a.x / a.y)``.
    """

    name: str
    statistic: str
    n: int
    samples: Samples | None = None

    @property
    def middle(self) -> float:
        """The mean of the samples if that is the statistic, else their median."""
        assert self.samples
        of = statistics.fmean if self.statistic == "mean" else statistics.median
        return float(of(self.samples.samples))


class Origin(Struct, frozen=True):
    """How a number was computed. ``kind`` is that of the value: ``count`` or ``timing``.

    ``form`` says how the expression joins its ``parts``: ``SINGLE`` for one alone; ``RATIO``,
    ``DIFFERENCE`` or ``SUM`` for one sign between them; ``OTHER`` for anything else; ``FORMULA`` if
    nothing was measured. ``n`` is how many numbers the expression gives; texts show their median.
    ``differs`` is the share by which a count may differ when it is counted again. It is infinite if
    it is not known, because only claims about the same quantities have a tolerance.
    """

    kind: str
    form: str
    parts: tuple[Part, ...]
    n: int
    differs: float = 0.0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parts, without their runs unless two parts would get the same name."""
        short = [part.name.rpartition(".")[2] for part in self.parts]
        return tuple(
            part.name if short.count(own) > 1 else own
            for part, own in zip(self.parts, short, strict=True)
        )

    @property
    def statistic(self) -> str:
        """The statistic of all parts; empty if there are no parts, ``MIXED`` if theirs differ."""
        found = {part.statistic for part in self.parts}
        return found.pop() if len(found) == 1 else MIXED if found else ""


def origin(lab: Lab, value: Value, result: Result, n: int) -> Origin:
    """Return how the ``n`` numbers of a value in ``result`` were computed.

    The value must have been computed from this result.
    """
    found: dict[str, Part] = {}
    for node in _leaves(value.expression.tree):
        measured = [name for name in _quantities(node) if name not in lab.parameters]
        if not measured:
            continue
        recorded = {name: _recorded(result, name) for name in measured}
        statistic = _statistic(node)
        count = max(len(each.samples) for each in recorded.values())
        same = all(len(set(each.samples)) == 1 for each in recorded.values())
        if count == 1 or (value.kind == COUNT and same and statistic != "len"):
            statistic, count = "", 1  # a statistic of one number is that number
        alone = isinstance(node, ast.Name | ast.Attribute) or _is_plain(node)
        text = ast.unparse(node) if statistic else measured[0]
        samples = recorded[measured[0]] if alone and count > 1 else None
        found[text] = Part(measured[0], statistic, count, samples)
    parts = tuple(found.values())
    if value.kind == COUNT and all(part.n == 1 for part in parts):
        n = 1
    differs = _may_differ(lab, value) if value.kind == COUNT else 0.0
    return Origin(value.kind, _form(value.expression.tree, lab, parts), parts, n, differs)


def _recorded(result: Result, name: str) -> Samples:
    run, _, quantity = name.partition(".")
    return result.runs[run].quantities[quantity]


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the names and the statistics of an expression, in the order of its text."""
    if isinstance(node, ast.Name | ast.Attribute) or _statistic(node):
        yield node
    elif isinstance(node, ast.BinOp):
        yield from _leaves(node.left)
        yield from _leaves(node.right)
    elif isinstance(node, ast.UnaryOp):
        yield from _leaves(node.operand)
    elif isinstance(node, ast.Call):
        for each in node.args:
            yield from _leaves(each)


def _statistic(node: ast.expr) -> str:
    """Return the name of the statistic that a call computes; empty for any other node."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return ""
    return node.func.id if node.func.id in _STATISTICS and len(node.args) == 1 else ""


def _is_plain(node: ast.expr) -> bool:
    """Whether a node is a statistic of one quantity itself."""
    return isinstance(node, ast.Call) and isinstance(node.args[0], ast.Attribute)


def _quantities(node: ast.expr) -> list[str]:
    """Return the names in a part of an expression, each once: ``run.quantity`` or a parameter."""
    names = []
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            names.append(f"{each.value.id}.{each.attr}")
    if isinstance(node, ast.Name):
        names.append(node.id)
    return list(dict.fromkeys(names))


def _form(tree: ast.expr, lab: Lab, parts: tuple[Part, ...]) -> str:
    if not parts:
        return FORMULA
    if _is_part(tree, lab):
        return SINGLE
    sides: list[ast.expr] = []
    while isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add):
        sides.insert(0, tree.right)
        tree = tree.left
    if sides and all(_is_part(side, lab) for side in (tree, *sides)):
        return SUM if len(parts) == len(sides) + 1 else OTHER
    if sides or not isinstance(tree, ast.BinOp) or len(parts) != 2:
        return OTHER
    both = _is_part(tree.left, lab) and _is_part(tree.right, lab)
    return _OPERATORS.get(type(tree.op), OTHER) if both else OTHER


def _is_part(node: ast.expr, lab: Lab) -> bool:
    """Whether a node is one quantity, or a statistic of it, without any arithmetic."""
    if isinstance(node, ast.Name):
        return node.id not in lab.parameters
    return isinstance(node, ast.Attribute) or _statistic(node) != ""


def _may_differ(lab: Lab, value: Value) -> float:
    """Return the share by which a count may differ from run to run: the tolerance of a claim.

    A value has no tolerance. If a claim about one of its quantities has one, the share is infinite.
    """
    if isinstance(value, Claim):
        return value.tolerance
    names = {name for name in value.expression.names if "." in name}
    alike = (c for c in lab.claims.values() if names & set(c.expression.names))
    return math.inf if any(claim.tolerance for claim in alike) else 0.0
