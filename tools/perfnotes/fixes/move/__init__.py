"""Renaming: a note, tag, term or reference key, with every place that names it."""
