"""The help texts of the commands, read from the source of each command.

The search of the site finds the commands. The package ``site`` must not import the package ``cli``,
which is a layer above it, so the source files are parsed instead.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from msgspec import Struct

_FOLDER = Path(__file__).parents[2] / "cli" / "commands"


class CommandHelp(Struct, frozen=True):
    """A command's description and an example of a call."""

    name: str
    description: str
    example: str


@cache
def command_help() -> tuple[CommandHelp, ...]:
    """Return the help of every command, by name."""
    files = (file for file in _FOLDER.glob("*.py") if not file.name.startswith("_"))
    return tuple(sorted(map(_read, files), key=lambda each: each.name))


def _read(file: Path) -> CommandHelp:
    module = ast.parse(file.read_text("utf-8"))
    examples = (
        ast.literal_eval(node.value)
        for node in module.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id == "EXAMPLE"
    )
    # A module named after a keyword of Python ends in ``_``: ``import_`` is ``import``.
    name = file.stem.rstrip("_").replace("_", "-")
    return CommandHelp(name, ast.get_docstring(module, clean=False) or "", next(examples, ""))
