"""Benchmark of search beside other engines: quality, cost of a visit, cost of the index."""
