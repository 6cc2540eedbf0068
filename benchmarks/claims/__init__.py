"""Scores which sentences are taken to state a fact."""
