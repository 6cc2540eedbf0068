"""``python -m perfnotes`` is the command ``perfnotes``."""

import sys

from perfnotes.start import main

sys.exit(main())
