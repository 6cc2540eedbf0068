"""Reads the files of a notes folder into the classes of ``model``. Errors become findings."""
