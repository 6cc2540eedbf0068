"""Print a script that lets a shell complete commands, options, topics, tags, notes and keys.

Write the line of your shell into ~/.bashrc, ~/.zshrc (after compinit) or
~/.config/fish/config.fish:

  eval "$(perfnotes completion bash)"
  eval "$(perfnotes completion zsh)"
  perfnotes completion fish | source
"""

from __future__ import annotations

import argparse
import sys

from perfnotes.cli.completion import SHELLS, script

EXAMPLE = 'eval "$(.venv/bin/perfnotes completion bash)"'


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell that reads the script")


def run(options: argparse.Namespace) -> int:
    sys.stdout.write(script(options.shell))
    return 0
