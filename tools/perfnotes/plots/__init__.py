"""Plots of what labs measured: the data of a plot, and its drawing as SVG.

``data`` collects the samples that a plot shows from a lab's results. ``axis``, ``shapes`` and
``dots`` are parts that drawings share. Each module of ``kinds`` draws one kind of plot. Nothing
here knows what a page is.
"""
