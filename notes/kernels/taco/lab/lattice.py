"""A sketch of how taco makes loops: level formats and merge lattices in, C out (Kjolstad et al. 2017, Chou et al. 2018).

It has dense (d) and compressed (s) levels, + and *, and one loop order for the whole expression. It has no
workspaces, no parallel loops, no assembly of results: each result is handed to OUT, which the program defines.

usage: lattice.py show EXPRESSION LOOPS NAME=FORMAT...    such as  show "b(i) + c(i)" i b=s c=s
       lattice.py header FILE                             the kernels that the lab counts and times
       lattice.py sizes                                   how much code single kernels take
"""

import ast
import json
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Access:
    """A tensor with its index variables, in the order of its levels, and a letter for the format of each level."""

    name: str
    vars: str
    fmt: str

    def level(self, var):
        """Which level has this variable, from 1; 0 if none has it."""
        return self.vars.find(var) + 1


@dataclass(frozen=True)
class Op:
    """A sum or a product of two expressions."""

    sign: str
    left: object
    right: object


@dataclass(frozen=True)
class Point:
    """A point of a lattice: the compressed levels that still have coordinates; full if a dense level is added."""

    walked: frozenset
    full: bool


def parse(text, formats):
    """Read "B(i,j) * x(j)"."""

    def read(node):
        if isinstance(node, ast.BinOp):
            return Op({ast.Add: "+", ast.Mult: "*"}[type(node.op)], read(node.left), read(node.right))
        name = node.func.id
        return Access(name, "".join(a.id for a in node.args), formats[name])

    return read(ast.parse(text, mode="eval").body)


def tensors(e):
    """The accesses of an expression, from left to right."""
    if e is None:
        return []
    return [e] if isinstance(e, Access) else tensors(e.left) + tensors(e.right)


def lattice(e, var):
    """The merge lattice of one index variable, the point with most levels first."""
    if isinstance(e, Access):
        at = e.level(var)
        if at and e.fmt[at - 1] == "s":
            return [Point(frozenset([e.name]), False)]
        return [Point(frozenset(), True)]    # a dense level, or no level of this variable, has each coordinate
    left, right = lattice(e.left, var), lattice(e.right, var)
    if e.sign == "*":                        # both must have the coordinate; a dense one is looked up, not walked
        points = [Point(p.walked | q.walked, p.full and q.full) for p in left for q in right]
    else:                                    # either may have it; and when one has ended, the other goes on alone
        points = [Point(p.walked | q.walked, p.full or q.full) for p in left for q in right] + left + right
        if any(p.full for p in points):      # a dense level ends last of all
            points = [p for p in points if p.full]
    return sorted(set(points), key=lambda p: (-len(p.walked), sorted(p.walked)))


def without(e, gone):
    """The expression when these tensors are zero here; None if nothing is left."""
    if isinstance(e, Access):
        return None if e.name in gone else e
    left, right = without(e.left, gone), without(e.right, gone)
    if e.sign == "*":
        return Op("*", left, right) if left and right else None
    return Op("+", left, right) if left and right else left or right


class Writer:
    """Writes the loops of one expression. With `counted`, steps and comparisons go through macros."""

    def __init__(self, e, loops, counted=False):
        self.loops, self.counted, self.lines = loops, counted, []
        for t in tensors(e):
            order = [loops.index(v) for v in t.vars]
            if order != sorted(order):
                raise SystemExit(f"{t.name} stores {' before '.join(t.vars)}, and the loops go the other way: "
                                 "transpose it first")
        self.nest(e, 0, 1)

    def put(self, depth, text):
        """Write a line."""
        self.lines.append("    " * depth + text)

    def same(self, a, b):
        """A comparison of two coordinates."""
        return f"SAME({a}, {b})" if self.counted else f"{a} == {b}"

    def value(self, e):
        """The innermost expression, in C."""
        if isinstance(e, Access):
            return f"{e.name}->val[p{e.name}{len(e.vars)}]"
        return f" {e.sign} ".join(
            f"({self.value(s)})" if isinstance(s, Op) and s.sign == "+" and e.sign == "*" else self.value(s)
            for s in (e.left, e.right))

    def parent(self, t, at):
        """The position above a level."""
        return f"p{t.name}{at - 1}" if at > 1 else "0"

    def body(self, e, n, depth):
        """Look up the dense levels of this variable, then write the loops below."""
        var = self.loops[n]
        for t in tensors(e):
            at = t.level(var)
            if at and t.fmt[at - 1] == "d":
                above = "" if at == 1 else f"{self.parent(t, at)} * {t.name}->dim[{at - 1}] + "
                self.put(depth, f"int p{t.name}{at} = {above}{var};")
        self.nest(e, n + 1, depth)

    def nest(self, e, n, depth):
        """Write the loops of variable number n."""
        if n == len(self.loops):
            self.put(depth, f"OUT({', '.join((self.loops + '00')[:2])}, {self.value(e)});")
            return
        var, points = self.loops[n], lattice(e, self.loops[n])
        at = {t.name: (t, t.level(var)) for t in tensors(e)}
        pos = {name: f"p{name}{level}" for name, (_, level) in at.items()}
        for name in sorted(points[0].walked):
            t, level = at[name]
            self.put(depth, f"int {pos[name]} = {name}->pos[{level - 1}][{self.parent(t, level)}], "
                            f"e{pos[name][1:]} = {name}->pos[{level - 1}][{self.parent(t, level)} + 1];")
        full = points[0].full
        size = next((f"{t.name}->dim[{level - 1}]" for t, level in at.values() if level), "0")
        if full and len(points) > 1:
            self.put(depth, f"int {var} = 0;")
        for p in points:
            walked = sorted(p.walked)
            more = " && ".join(f"{pos[w]} < e{pos[w][1:]}" for w in walked)
            if walked:
                self.put(depth, f"while ({more}) {{")
            elif len(points) > 1:
                self.put(depth, f"while ({var} < {size}) {{")
            else:
                self.put(depth, f"for (int {var} = 0; {var} < {size}; {var}++) {{")
            if self.counted:
                self.put(depth + 1, "STEP();")
            for w in walked if full or len(walked) > 1 else []:
                self.put(depth + 1, f"int {var}{w} = {w}->crd[{at[w][1] - 1}][{pos[w]}];")
            if not full and walked:
                first = f"{var}{walked[0]}" if len(walked) > 1 else f"{walked[0]}->crd[{at[walked[0]][1] - 1}][{pos[walked[0]]}]"
                for w in walked[1:]:
                    first = f"MIN({first}, {var}{w})"
                self.put(depth + 1, f"int {var} = {first};")
            self.cases(e, n, depth + 1, p, points, var)
            for w in walked:
                step = "++" if not full and len(walked) == 1 else f" += {self.same(var + w, var)}"
                self.put(depth + 1, f"{pos[w]}{step};")
            if full and len(points) > 1:
                self.put(depth + 1, f"{var}++;")
            self.put(depth, "}")

    def cases(self, e, n, depth, p, points, var):
        """One case for each point at or below this one."""
        below = [q for q in points if q.walked <= p.walked]
        walked_names = {w for q in points for w in q.walked}
        if len(p.walked) == 0 or (len(p.walked) == 1 and not p.full):
            self.body(without(e, walked_names - p.walked), n, depth)
            return
        exact = all(any(q.walked == {w} for q in below) for w in p.walked)    # then one case must hold: the last has no test
        word = "if"
        for q in below:
            test = " && ".join(self.same(var + w, var) for w in sorted(q.walked))
            if exact and q == below[-1]:
                test = ""
            self.put(depth, f"{word} ({test}) {{" if test else "else {")
            self.body(without(e, walked_names - q.walked), n, depth + 1)
            self.put(depth, "}")
            word = "else if"


KERNELS = {    # name: expression, order of the loops, formats, and what OUT does with a result
    "vector_add": ("B(i) + C(i)", "i", "B=s C=s", "append"),
    "vector_mul": ("B(i) * C(i)", "i", "B=s C=s", "append"),
    "vector_look": ("B(i) * C(i)", "i", "B=s C=d", "append"),
    "vector_full": ("B(i) + C(i)", "i", "B=s C=d", "append"),
    "matvec": ("B(i,j) * C(j)", "ij", "B=ds C=d", "into_row"),
    "add": ("B(i,j) + C(i,j)", "ij", "B=ds C=ds", "append"),
    "mul": ("B(i,j) * C(i,j)", "ij", "B=ds C=ds", "append"),
    "add_dense": ("B(i,j) + C(i,j)", "ij", "B=ds C=dd", "append"),
    "mul_dense": ("B(i,j) * C(i,j)", "ij", "B=ds C=dd", "append"),
    "add_rows": ("B(i,j) + C(i,j)", "ij", "B=ss C=ss", "append"),
    "add3": ("B(i,j) + C(i,j) + D(i,j)", "ij", "B=ds C=ds D=ds", "append"),
    "add4": ("B(i,j) + C(i,j) + D(i,j) + E(i,j)", "ij", "B=ds C=ds D=ds E=ds", "append"),
    "inner": ("B(i,k) * C(j,k)", "ijk", "B=ds C=ds", "into_cell"),
    "by_rows": ("B(i,k) * C(k,j)", "ikj", "B=ds C=ds", "into_cell"),
}


def made(expression, loops, formats, counted=False):
    """The loops of one expression and its tensors."""
    e = parse(expression, dict(f.split("=") for f in formats.split()))
    return Writer(e, loops, counted).lines, [t.name for t in tensors(e)]


def show(expression, loops, *formats):
    """Print the lattice of each variable and the loops."""
    e = parse(expression, dict(f.split("=") for f in formats))
    for var in loops:
        points = ["{" + ",".join(sorted(p.walked) + ["dense"] * p.full) + "}" for p in lattice(e, var)]
        print(f"{var}: {' '.join(points)}")
    for line in Writer(e, loops).lines:
        print(line[4:])


def header(path):
    """Write the kernels into a header."""
    with open(path, "w", encoding="ascii") as out:
        for name, (expression, loops, formats, result) in KERNELS.items():
            lines, names = made(expression, loops, formats, counted=True)
            if loops == "ikj":      # OUT gets row and column of the result
                lines = [line.replace("OUT(i, k,", "OUT(i, j,") for line in lines]
            arguments = ", ".join(f"const Tensor *{n}" for n in names)
            out.write(f"/* {expression}, {formats} */\n#undef OUT\n#define OUT {result}\nstatic __attribute__((noinline)) void {name}({arguments})\n{{\n")
            out.write("\n".join(lines) + "\n}\n\n")


def sizes():
    """Loops, cases and lines of single kernels; how many kernels there are."""
    forms = {"dense": "dd", "csr": "ds", "dcsr": "ss"}
    found = {}
    print(f"{'formats of the operands':<24}{'operands':>9}{'loops':>7}{'cases':>7}{'lines':>7}")
    for form, fmt in forms.items():
        for count in (1, 2, 3, 4):
            names = "BCDE"[:count]
            lines, _ = made(" + ".join(f"{n}(i,j)" for n in names), "ij", " ".join(f"{n}={fmt}" for n in names))
            text = "\n".join(lines)
            loops, cases = text.count("while (") + text.count("for ("), text.count("if (")
            found |= {f"{form}_{count}_loops": loops, f"{form}_{count}_cases": cases, f"{form}_{count}_lines": len(lines)}
            print(f"{'sum, ' + form:<24}{count:>9}{loops:>7}{cases:>7}{len(lines):>7}")
    lines, _ = made("B(i,j) * C(i,j) * D(i,j) * E(i,j)", "ij", "B=ds C=ds D=ds E=ds")
    text = "\n".join(lines)
    found |= {"product_4_loops": text.count("while (") + text.count("for ("), "product_4_lines": len(lines)}
    print(f"{'product, csr':<24}{4:>9}{found['product_4_loops']:>7}{text.count('if ('):>7}{len(lines):>7}")
    formats = [(order, a + b) for order in ("ij", "ji") for a in "ds" for b in "ds"]
    found["formats"] = len(formats)
    found["kernels"] = len(formats) ** 3
    print(json.dumps(found))


if __name__ == "__main__":
    {"show": show, "header": header, "sizes": sizes}[sys.argv[1]](*sys.argv[2:])
