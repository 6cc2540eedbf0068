"""Benchmark of `perfnotes check`: with an empty cache, with a full one, and after an edit."""
