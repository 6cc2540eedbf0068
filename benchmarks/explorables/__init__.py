"""Checks of the things to try about bash against bash itself."""
