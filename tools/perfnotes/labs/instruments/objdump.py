"""``objdump``: what a function was compiled to.

Quantities of ``function`` (one name, or a list, which is summed) in ``file``: ``instructions`` (a
count, without no-ops), ``nops`` (a count; no-ops only align code), ``bytes`` (B, with no-ops,
without the padding after the function), and for each entry of ``match`` the count of instructions,
without no-ops, that contain a match of the regular expression. The expression is applied to
``mnemonic operands`` in AT&T syntax, such as ``call 1030 <puts@plt>`` or
``vaddps %ymm0,%ymm1,%ymm1``. Parts that the compiler split off (``f.cold``) are functions of their
own.
"""

from __future__ import annotations

from perfnotes.labs.box import Box, LabError
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import as_list, count, execute, file_of
from perfnotes.labs.instruments._disassembly import Instruction, Symbol, functions, instructions
from perfnotes.labs.instruments._names import find
from perfnotes.labs.instruments._pattern import compiled
from perfnotes.labs.instruments._schema import FILE, FUNCTION, by_name, options
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

_RESERVED = {"not": {}, "description": "instructions, nops and bytes are counted in any case"}
OPTIONS = options(
    "file",
    "function",
    file=FILE,
    function=FUNCTION,
    match={
        **by_name({"type": "string", "minLength": 1, "maxLength": 200}),
        "properties": dict.fromkeys(("instructions", "nops", "bytes"), _RESERVED),
    },
)


def needs(_run: Run) -> Needs:
    """The binutils."""
    return Needs(tools=("objdump",), debian=("binutils",))


def measure(run: Run, box: Box) -> Measurement:
    """Disassemble the functions and count their instructions."""
    path = file_of(run, box)
    patterns = {name: compiled(text) for name, text in run.options.get("match", {}).items()}
    code: list[Instruction] = []
    for symbol in _symbols(run, box, path):
        code += _disassemble(run, box, path, symbol)
    work = [each for each in code if not each.is_nop]
    quantities = {
        "instructions": count(len(work)),
        "nops": count(len(code) - len(work)),
        "bytes": Samples((sum(each.size for each in code),), "B"),
    }
    for name, pattern in patterns.items():
        quantities[name] = count(sum(1 for each in work if pattern.search(each.text)))
    return Measurement(quantities)


def _symbols(run: Run, box: Box, path: str) -> list[Symbol]:
    """The symbols of the wanted functions; in a stripped library only exported ones are found.

    ``LabError`` if a name is unknown or ambiguous.
    """

    wanted = as_list(run.options["function"])
    mangled = any(name.startswith("_Z") for name in wanted)

    def table(option: str) -> list[Symbol]:
        arguments = ["objdump", option, *([] if mangled else ["-C"]), "--", path]
        return functions(execute(run, box, arguments).stdout, dynamic=option == "-T")

    known = table("-t") or table("-T")
    if not known:
        raise LabError(f"objdump saw no functions in {path}: is it stripped?")
    chosen: dict[Symbol, None] = {}
    for name in wanted:
        keys = set(find(name, (("", each.name) for each in known), "objdump"))
        found = [each for each in known if ("", each.name) in keys]
        places = {(each.section, each.address) for each in found}
        if len(places) > 1:
            raise LabError(f"{path} has {len(places)} functions called {name!r}")
        chosen[found[0]] = None
    return list(chosen)


def _disassemble(run: Run, box: Box, path: str, symbol: Symbol) -> list[Instruction]:
    if not symbol.size:
        raise LabError(f"{path} does not say how long {symbol.name} is (in assembly: .size)")
    # The code is selected by address and size, not by name: aliases and padding make no difference.
    place = [
        f"--section={symbol.section}",
        f"--start-address={symbol.address:#x}",
        f"--stop-address={symbol.address + symbol.size:#x}",
    ]
    text = execute(run, box, ["objdump", "-d", "-w", "-z", *place, "--", path]).stdout
    code = instructions(text)
    if sum(each.size for each in code) != symbol.size:
        raise LabError(f"objdump did not read all {symbol.size} bytes of {symbol.name}")
    return code
