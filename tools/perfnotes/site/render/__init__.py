"""Rendering of the parts of pages: bodies, citations, numbers, formulas, calculators, plots."""
