"""A module that stands for a slow import: it notes each time that it is executed."""

import os

with open(os.environ["IMPORTS"], "a") as file:
    file.write("x")


def nothing():
    pass
