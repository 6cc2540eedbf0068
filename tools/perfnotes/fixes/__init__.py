"""Mending what is wrong, and renaming."""
