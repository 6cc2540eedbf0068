"""Attacks and accidents: hostile inputs, texts of extreme shape, tampering, killed commands."""
