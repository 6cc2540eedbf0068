"""Benchmark of how stable the verdicts of labs are."""
