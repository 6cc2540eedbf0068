"""Reads files into the classes of ``model``: YAML, BibTeX, Markdown, and the history in git."""
