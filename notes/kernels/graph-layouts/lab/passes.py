"""Counts the conversions that passes leave in a network whose convolutions want NHWC and whose graph is NCHW.

    python3 passes.py          the table
    python3 passes.py json     the same numbers for the lab

A node is a name with its inputs. `to_nhwc` and `to_nchw` are conversions. Operators of AGNOSTIC give the same numbers
in either layout; the others (an input, a reshape) know only NCHW.
"""
import itertools
import json
import sys

AGNOSTIC = {"norm", "relu", "add", "concat"}  # a pass gives norm and concat the new number of their axis


class Graph:
    """Builds nodes and, if the passes ask for it, rewrites each on the way."""

    def __init__(self, cancel=False, move=False, share=False, mend=False):
        self.cancel, self.move, self.share, self.mend = cancel, move, share, mend
        self.known = {}
        self.serial = itertools.count()

    def node(self, name, *inputs):
        if self.cancel and name == "to_nhwc" and inputs[0][0] == "to_nchw":
            return inputs[0][1][0]  # there and back
        enough = any if self.mend else all  # to mend: convert the inputs that are not, to get the others through
        if self.move and name in AGNOSTIC and enough(i[0] == "to_nchw" for i in inputs):
            return self.node("to_nchw", self.node(name, *(self.node("to_nhwc", i) for i in inputs)))  # below the operator
        key = (name, tuple(id(i) for i in inputs))
        if self.share and name.startswith("to_") and key in self.known:
            return self.known[key]
        made = (name, inputs, next(self.serial))
        self.known[key] = made
        return made

    def conv(self, x):
        return self.node("to_nchw", self.node("conv", self.node("to_nhwc", x)))


def chain(g):
    """Eight convolutions in a row and nothing between them."""
    x = g.node("input")
    for _ in range(8):
        x = g.conv(x)
    return x


def blocks(g, x, reshapes=()):
    """Eight residual blocks of two convolutions; in those of `reshapes` an operator in the middle knows only NCHW."""
    for block in range(8):
        y = g.node("relu", g.node("norm", g.conv(x)))
        if block in reshapes:
            y = g.node("reshape", y)
        y = g.node("norm", g.conv(y))
        x = g.node("relu", g.node("add", y, x))
    return x


def residual(g):
    """The blocks alone: the first addition takes the NCHW input as it came."""
    return blocks(g, g.node("input"))


def stem(g):
    """The blocks behind a first convolution."""
    return blocks(g, g.node("relu", g.conv(g.node("input"))))


def reshapes(g):
    """The same with an operator that knows only NCHW in two of the blocks."""
    return blocks(g, g.node("relu", g.conv(g.node("input"))), (2, 5))


def branches(g):
    """Four times four parallel convolutions, joined; an operator that knows only NCHW follows each join."""
    x = g.node("input")
    for _ in range(4):
        x = g.node("reshape", g.node("concat", *(g.conv(x) for _ in range(4))))
    return x


def conversions(root):
    seen, stack, count = set(), [root], 0
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        count += node[0].startswith("to_")
        stack.extend(node[1])
    return count


PASSES = {"none": {}, "cancel": {"cancel": True}, "move": {"cancel": True, "move": True},
          "share": {"cancel": True, "move": True, "share": True},
          "mend": {"cancel": True, "move": True, "share": True, "mend": True}}
NETS = {"chain": chain, "residual": residual, "stem": stem, "reshapes": reshapes, "branches": branches}

counts = {f"{net}_{name}": conversions(build(Graph(**passes))) for net, build in NETS.items() for name, passes in PASSES.items()}
if sys.argv[1:] == ["json"]:
    print(json.dumps(counts))
else:
    print(f"{'network':<12}" + "".join(f"{name:>9}" for name in PASSES))
    for net in NETS:
        print(f"{net:<12}" + "".join(f"{counts[f'{net}_{name}']:9d}" for name in PASSES))
