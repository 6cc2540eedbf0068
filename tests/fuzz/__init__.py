"""Fuzz drivers for the readers of strangers' texts, one module for each reader.

``make test`` does not run them. Each runs by itself, for a given time:

    python -m tests.fuzz.bibtex --seconds 600

A driver prints the smallest failing text that it finds. Turn it into a test.
"""
