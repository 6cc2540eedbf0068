"""Finds the parts of a Markdown text and their offsets, without turning the text into HTML."""
