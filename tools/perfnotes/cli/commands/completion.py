"""Print what makes a shell complete commands, options, topics, tags, notes and keys.

In ~/.bashrc, ~/.zshrc (behind compinit) or ~/.config/fish/config.fish, once:

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
    parser.add_argument("shell", choices=SHELLS, help="for which shell")


def run(options: argparse.Namespace) -> int:
    sys.stdout.write(script(options.shell))
    return 0
