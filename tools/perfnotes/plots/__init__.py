"""Plots of what labs measured: the data of a plot, and its drawing as SVG.

``data`` puts together what a plot shows from a lab's results, ``axis`` and ``shapes`` are what all
drawings are made of, and each module of ``kinds`` draws one kind. Nothing here knows what a page
is.
"""
