"""Benchmark of building a site, compared with other generators on the same notes."""
