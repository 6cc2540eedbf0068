"""Fuzz drivers for the readers of foreign text, one module for each reader.

They are no part of ``make test``. Each runs by itself and for as long as it is told:

    python -m tests.fuzz.bibtex --seconds 600

What one of them finds is printed small enough to become a test, and becomes one.
"""
