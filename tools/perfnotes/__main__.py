"""``python -m perfnotes`` is the command ``perfnotes``."""

import sys

from perfnotes.cli.start import main

sys.exit(main())
