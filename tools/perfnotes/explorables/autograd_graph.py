"""The backward graph of an expression: what its nodes save, and which changes raise an error."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from perfnotes.explorables._drawing import Attributes, Element, label
from perfnotes.explorables._explorable import Control, Explorable, Numbers
from perfnotes.model.bilingual import Bilingual

_LEFT, _TOP, _ROW, _HIGH, _WIDE = 6, 6, 46, 36, 152
_LEAF, _APART = 112, 118
_CODE, _LINE = 168, 17
_NODES, _LEAVES = 4, 3
_FLOAT, _MIB = 4, 2**20


class Node(Struct, frozen=True):
    """One node of the graph, by its name in PyTorch.

    ``saves`` are pairs: the name under which the node saves a tensor, and the tensor. ``leaves``
    are those of its inputs that are leaves, a letter each.
    """

    name: str
    saves: tuple[tuple[str, str], ...] = ()
    leaves: str = ""


class Graph(Struct, frozen=True):
    """An expression and its nodes, from the last operation back to the leaves."""

    text: str
    nodes: tuple[Node, ...]


_SUM = Node("SumBackward0")
_RESULT = (("result", "h"),)
_TIMES = Node("MulBackward0", (("self", "x"), ("other", "w")), "xw")
_PRODUCT = Node("MmBackward0", (("self", "x"), ("mat2", "w")), "xw")
GRAPHS = (
    Graph(
        "(x * w + b).sigmoid()",
        (_SUM, Node("SigmoidBackward0", _RESULT), Node("AddBackward0", (), "b"), _TIMES),
    ),
    Graph("x.exp()", (_SUM, Node("ExpBackward0", _RESULT, "x"))),
    Graph("x @ w", (_SUM, _PRODUCT)),
    Graph("(x * w).relu()", (_SUM, Node("ReluBackward0", _RESULT), _TIMES)),
    Graph("x ** 2", (_SUM, Node("PowBackward0", (("self", "x"),), "x"))),
    Graph("x.exp().add_(1)", (_SUM, Node("AddBackward0"), Node("ExpBackward0", _RESULT, "x"))),
)
_ADDED = len(GRAPHS) - 1
"""The index of the expression whose own ``add_`` changes a saved tensor."""
CHANGED = ("", "x", "w", "b", "h")
"""The tensors that the control ``change`` changes in place."""


def saved(n: Numbers) -> list[list[tuple[str, str]]]:
    """For each node the tensors that it saves, by name.

    A product saves x only for the gradient of w, so it does not if w requires no gradient.
    """
    nodes = GRAPHS[int(n["graph"])].nodes
    return [
        [
            each
            for each in node.saves
            if not (n["frozen"] and node.leaves == "xw" and each[1] == "x")
        ]
        for node in nodes
    ]


def stale(n: Numbers) -> list[bool]:
    """For each node whether a tensor that it saves is changed before the backward pass."""
    changed = {CHANGED[int(n["change"])], "h" if n["graph"] == _ADDED else ""}
    return [any(tensor in changed for _, tensor in each) for each in saved(n)]


def leaves(n: Numbers) -> list[tuple[str, int]]:
    """The names of the leaves, each with the index of the node that has it as an input.

    Leaves of the last node come first.
    """
    nodes = GRAPHS[int(n["graph"])].nodes
    return [(leaf, i) for i in reversed(range(len(nodes))) for leaf in nodes[i].leaves]


def compute(n: Numbers) -> dict[str, float]:
    """How many tensors are saved, and their size in MiB: of ``each``, and of all.

    ``case`` is 0 if nothing is changed, 1 if only a tensor that no node saves is, 2 if a saved one
    is, and 3 if the expression's own ``add_`` changes one. In 2 and 3 backward() raises an error.
    """
    tensors = {tensor for each in saved(n) for _, tensor in each}
    case = 3 if n["graph"] == _ADDED else 2 if any(stale(n)) else int(n["change"] > 0)
    mib = _FLOAT * n["side"] ** 2 / _MIB
    return {"tensors": len(tensors), "each": mib, "mib": mib * len(tensors), "case": case}


def code(n: Numbers) -> list[str]:
    """The lines of the program: the forward pass, the change, the backward pass."""
    change = CHANGED[int(n["change"])]
    fails = any(stale(n))
    return [
        f"h = {GRAPHS[int(n['graph'])].text}",
        "loss = h.sum()",
        "with torch.no_grad():" if change else "",
        f"{change}.add_(1)" if change else "",
        f"loss.backward(){'  # RuntimeError' if fails else ''}",
    ]


def draw(n: Numbers) -> Iterator[Attributes]:
    """The program, then the nodes, with what they save, and the leaves, with the edges to them."""
    nodes, keeps, hot = GRAPHS[int(n["graph"])].nodes, saved(n), stale(n)
    for text in code(n):
        yield {"text": text}
    for i in range(_NODES):
        shown = i < len(nodes)
        y = _TOP + _ROW * i
        kind = "waits" if shown and hot[i] else "counter" if shown and keeps[i] else "cell"
        words = ", ".join(f"{name} = {tensor}" for name, tensor in keeps[i]) if shown else ""
        yield {"class": f"pn-x-{kind}" if shown else "pn-x-none", "y": y}
        yield {"y": y + 15, "text": nodes[i].name if shown else ""}
        yield {"y": y + 30, "text": f"{words} ✕" if shown and hot[i] else words}
        yield {"class": "pn-x-axis" if i < len(nodes) - 1 else "pn-x-none"}
    found, y = leaves(n), _TOP + _ROW * len(nodes)
    for i in range(_LEAVES):
        shown = i < len(found)
        name, node = found[i] if shown else ("", 0)
        none = name == "w" and n["frozen"] > 0
        middle = _LEFT + _APART * i + _LEAF / 2
        aside = name == "b"
        yield {"class": "pn-x-none" if not shown else "pn-x-mark" if none else "pn-x-cell", "y": y}
        yield {"y": y + 15, "text": "" if not shown else "None" if none else "AccumulateGrad"}
        yield {"y": y + 30, "text": "" if not shown or none else f"{name}.grad"}
        yield {
            "class": "pn-x-axis" if shown else "pn-x-none",
            "x1": _LEFT + _WIDE if aside else min(middle, _LEFT + _WIDE - 12),
            "y1": _TOP + _ROW * node + (_HIGH / 2 if aside else _HIGH),
            "x2": middle,
            "y2": y,
        }


def frame(lang: str) -> str:
    """What the edges mean."""
    words = {
        "en": ("backward() goes down,", "from node to node"),
        "zh": ("backward() 从上往下，", "逐个经过节点"),
    }[lang]
    return label(_CODE + 34, 116, words[0]) + label(_CODE + 34, 131, words[1])


def _node(i: int) -> tuple[Element, ...]:
    y = _TOP + _ROW * i
    return (
        ("rect", {"x": _LEFT, "width": _WIDE, "height": _HIGH}),
        ("text", {"class": "pn-x-strong", "x": _LEFT + 8}),
        ("text", {"x": _LEFT + 8}),
        ("line", {"x1": 62, "y1": y + _HIGH, "x2": 62, "y2": y + _ROW}),
    )


def _leaf(i: int) -> tuple[Element, ...]:
    x = _LEFT + _APART * i
    return (
        ("rect", {"x": x, "width": _LEAF, "height": _HIGH}),
        ("text", {"x": x + 8}),
        ("text", {"x": x + 8}),
        ("line", {}),
    )


EXPLORABLE = Explorable(
    title=Bilingual("What the backward graph saves", "反向图保存了什么"),
    lead=Bilingual(
        "x, w, b and h are float matrices of the same size. Below the name of a node stand the "
        "tensors that it saves for the backward pass. Choose an expression, and a tensor that is "
        "changed in place afterwards.",
        "x、w、b 与 h 是同样大小的 float 方阵。节点名下面是它为反向传播保存的张量。"
        "选一个表达式，再选一个之后被原地修改的张量。",
    ),
    how=Bilingual(
        "A saved tensor is a reference, so one that two nodes save counts once; x, w and b exist "
        "without the graph too. The backward pass compares the version of each saved tensor with "
        "the one that it had. Numbers that are no tensors, such as the exponent, are left out. "
        "Nodes, edges, saved tensors and errors were compared with PyTorch 2.13 on a CPU for "
        "every combination of the choices.",
        "保存的是引用，所以两个节点都保存的张量只计一次；没有图，x、w、b 也照样存在。"
        "反向传播会把每个保存的张量的版本与当时的版本比较。不是张量的数（例如指数）没有画出来。"
        "选项的每一种组合，节点、边、保存的张量与报错都与 CPU 上的 PyTorch 2.13 比对过。",
    ),
    formulas=(
        "tensors = len({tensor for node in graph for tensor in node.saved})",
        "mib = 4 * side ** 2 * tensors / 2 ** 20",
        "fails = any(tensor.version != version for tensor, version in saved)",
    ),
    constants=(),
    controls=(
        Control(
            "side",
            Bilingual("Rows and columns of a matrix", "方阵的行列数"),
            8,
            13,
            9,
            doubling=True,
        ),
        Control(
            "graph",
            Bilingual("h =", "h ="),
            0,
            _ADDED,
            0,
            choices=tuple(Bilingual(graph.text, graph.text) for graph in GRAPHS),
        ),
        Control(
            "change",
            Bilingual("Changed in place before backward()", "backward() 之前原地修改"),
            0,
            len(CHANGED) - 1,
            0,
            choices=(
                Bilingual("nothing", "不改"),
                *(Bilingual(f"{name}.add_(1)", f"{name}.add_(1)") for name in CHANGED[1:]),
            ),
        ),
        Control(
            "frozen",
            Bilingual("w requires a gradient", "w 需要梯度"),
            0,
            1,
            0,
            choices=(Bilingual("yes", "是"), Bilingual("no, it is frozen", "否，已冻结")),
        ),
    ),
    says=(
        Bilingual(
            "Saved tensors: {tensors}, of {each} MiB each, {mib} MiB in all. Nothing is "
            "changed after the forward pass, and backward() works.",
            "保存了 {mib} MiB：{tensors} 个张量，每个 {each} MiB。前向传播之后什么也没改，"
            "backward() 正常。",
        ),
        Bilingual(
            "Saved tensors: {tensors}, of {each} MiB each, {mib} MiB in all. What is "
            "changed is none of them, so backward() works.",
            "保存了 {mib} MiB：{tensors} 个张量，每个 {each} MiB。被改的不在其中，"
            "backward() 正常。",
        ),
        Bilingual(
            "Saved tensors: {tensors}, of {each} MiB each, {mib} MiB in all. One of "
            "them is changed afterwards, and backward() raises an error at the node that saved it.",
            "保存了 {mib} MiB：{tensors} 个张量，每个 {each} MiB。其中一个之后被改了，"
            "backward() 走到保存它的节点就报错。",
        ),
        Bilingual(
            "Saved tensors: {tensors}, of {each} MiB each, {mib} MiB in all. The add_ "
            "changes the result that exp saved, and backward() raises an error.",
            "保存了 {mib} MiB：{tensors} 个张量，每个 {each} MiB。表达式里的 add_ 改了 exp "
            "保存的结果，backward() 报错。",
        ),
    ),
    height=_TOP + _ROW * _NODES + _HIGH + 6,
    frame=lambda _, lang: frame(lang),
    moving=(
        *(
            ("text", {"x": _CODE + (16 if i == 3 else 0), "y": _TOP + 14 + _LINE * i})
            for i in range(5)
        ),
        *(each for i in range(_NODES) for each in _node(i)),
        *(each for i in range(_LEAVES) for each in _leaf(i)),
    ),
    compute=compute,
    draw=lambda n: tuple(draw(n)),
)
