"""Splitting the commands of ``lab.yml`` into arguments, without a shell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import PurePosixPath

from perfnotes.labs.box import LabError
from perfnotes.model.lab import PARAMETER, parameter_text

_AS_ROOT = {"sudo", "su", "doas", "pkexec", "run0"}


def split(command: str, parameters: Mapping[str, float]) -> list[str]:
    """The arguments of a command, with ``{name}`` replaced by the parameter of that name.

    ``LabError`` if the command is empty or malformed, would run as another user, or names an
    unknown parameter.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise LabError(f"`{command}`: {str(error).lower()}: quotes come in pairs") from error
    if not words:
        raise LabError("an empty command")
    if PurePosixPath(words[0]).name in _AS_ROOT:
        raise LabError(f"`{command}`: labs never run as another user")

    def value(found: re.Match[str]) -> str:
        name = found["name"]
        if name not in parameters:
            known = ", ".join(sorted(parameters)) or "none"
            raise LabError(f"`{command}`: no parameter is called {name!r} (there: {known})")
        return parameter_text(parameters[name])

    return [PARAMETER.sub(value, word) for word in words]
