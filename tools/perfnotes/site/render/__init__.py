"""Nouns become the staged tree: plain Markdown and static files that any engine can build."""
