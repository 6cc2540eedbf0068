"""Compares backward graphs with PyTorch: ``python -m benchmarks.explorables.graphs``.

``--write FILE`` records what PyTorch says; the tests, which have no PyTorch, compare with that.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from perfnotes.explorables.autograd_graph import (
    EXPLORABLE,
    GRAPHS,
    code,
    compute,
    leaves,
    saved,
    stale,
)

SIDE = 16


def told_by_torch(numbers: dict[str, float]) -> dict[str, Any]:
    """What PyTorch makes of the program that the picture shows."""
    torch.manual_seed(0)
    names = {name: torch.rand(SIDE, SIDE, requires_grad=True) for name in "xwb"}
    names["w"].requires_grad_(numbers["frozen"] == 0)
    scope: dict[str, Any] = {"torch": torch, **names}
    forward, loss, _, change, backward = code(numbers)
    exec(f"{forward}\n{loss}", scope)
    walk = Walk(names, scope["h"])
    walk.visit(scope["loss"].grad_fn)
    right = {} if any(map(is_stale, walk.met)) else gradients(scope["loss"], names)
    if change:
        with torch.no_grad():
            exec(change, scope)
    stale = [is_stale(node) for node in walk.met]
    try:
        exec(backward, scope)
        fails = False
    except RuntimeError as error:
        if "modified by an inplace operation" not in str(error):
            raise
        fails = True
    if not fails and not all(same(names[name], each) for name, each in right.items()):
        raise AssertionError(f"a wrong gradient, and no error: {forward}; {change}")
    return {
        "nodes": walk.nodes,
        "leaves": sorted(walk.leaves),
        "bytes": sum(walk.bytes_of.values()) // SIDE**2,
        "stale": stale,
        "fails": fails,
    }


class Walk:
    """Goes through a graph and notes its nodes, what they save, and the leaves."""

    def __init__(self, names: dict[str, torch.Tensor], h: torch.Tensor) -> None:
        self._names = names
        tensors = {**names, "h": h}
        self._storages = {each.untyped_storage().data_ptr(): n for n, each in tensors.items()}
        self._h = h.untyped_storage()
        self.met: list[Any] = []
        self.nodes: list[Any] = []
        self.leaves: list[Any] = []
        self.bytes_of: dict[str, int] = {}

    def visit(self, node: Any) -> None:
        """Note a node, then those behind it."""
        index, name = len(self.nodes), type(node).__name__
        self.met.append(node)
        self.nodes.append([name, dict(self._saved(node))])
        for place, (child, _) in enumerate(node.next_functions):
            if child is None:
                if name in ("MulBackward0", "MmBackward0"):
                    self.leaves.append(["xw"[place], index, True])
            elif type(child).__name__ == "AccumulateGrad":
                (leaf,) = (n for n, each in self._names.items() if each is child.variable)
                self.leaves.append([leaf, index, False])
            else:
                self.visit(child)

    def _saved(self, node: Any) -> Iterator[tuple[str, str]]:
        for name in sorted(each for each in dir(node) if each.startswith("_saved_")):
            try:
                value = getattr(node, name)
            except RuntimeError:  # add_ has changed it: it is the result
                storage = self._h
            else:
                if not isinstance(value, torch.Tensor):
                    continue
                storage = value.untyped_storage()
            tensor = self._storages[storage.data_ptr()]
            self.bytes_of[tensor] = storage.nbytes()
            yield name.removeprefix("_saved_"), tensor


def gradients(loss: torch.Tensor, names: dict[str, torch.Tensor]) -> dict[str, torch.Tensor | None]:
    """The gradients while nothing is changed yet."""
    wanted = [name for name, each in names.items() if each.requires_grad]
    given = [names[name] for name in wanted]
    found = torch.autograd.grad(loss, given, retain_graph=True, allow_unused=True)
    return dict(zip(wanted, found, strict=True))


def is_stale(node: Any) -> bool:
    """Whether PyTorch refuses to show a tensor that the node saves."""
    try:
        for name in dir(node):
            getattr(node, name)
    except RuntimeError:
        return True
    return False


def same(tensor: torch.Tensor, right: torch.Tensor | None) -> bool:
    """Whether a tensor has this gradient; one that is not used has none."""
    if tensor.grad is None or right is None:
        return tensor.grad is right
    return bool(torch.equal(tensor.grad, right))


def told_by_model(numbers: dict[str, float]) -> dict[str, Any]:
    """The same by the model of the picture."""
    found = compute(numbers)
    frozen = numbers["frozen"] > 0
    return {
        "nodes": [
            [node.name, dict(sorted(each))]
            for node, each in zip(GRAPHS[int(numbers["graph"])].nodes, saved(numbers), strict=True)
        ],
        "leaves": sorted([name, i, name == "w" and frozen] for name, i in leaves(numbers)),
        "bytes": round(found["mib"] * 2**20 / numbers["side"] ** 2),
        "stale": stale(numbers),
        "fails": found["case"] >= 2,
    }


def main() -> int:
    """Print how many graphs were compared, and those of which PyTorch says something else."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    ranges = [range(c.least, c.most + 1) for c in EXPLORABLE.controls[1:]]
    told, wrong, fails = [], 0, 0
    for positions in itertools.product(*ranges):
        numbers = EXPLORABLE.numbers({}, (EXPLORABLE.start[0], *positions))
        theirs, ours = told_by_torch(numbers), told_by_model(numbers)
        told.append({"positions": positions, **theirs})
        fails += theirs["fails"]
        if theirs != ours:
            wrong += 1
            print(f"{code(numbers)}\n  torch: {theirs}\n  ours: {ours}")
    print(f"PyTorch {torch.__version__}: {len(told)} graphs compared,", end=" ")
    print(f"{fails} with an error; {wrong} differ")
    if options.write:
        lines = ",\n".join(json.dumps(each) for each in told)
        head = json.dumps(torch.__version__)
        options.write.write_text(f'{{"torch": {head}, "graphs": [\n{lines}\n]}}\n', "utf-8")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
