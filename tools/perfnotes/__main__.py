"""``python -m perfnotes`` is the command ``perfnotes``."""

import sys

from perfnotes.cli import main

sys.exit(main())
