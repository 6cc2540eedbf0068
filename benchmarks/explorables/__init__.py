"""Checks of the things to try against what they describe: bash, and PyTorch."""
