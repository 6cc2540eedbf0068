"""Hostile input: floods, shapes and tampering."""
