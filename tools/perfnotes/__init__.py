"""perfnotes: Markdown notes about performance become a site whose every claim can be traced.

The folders follow the data: ``read`` turns files into nouns, ``link`` resolves what they say of
each other, ``checks`` judge them, ``pages`` and ``render`` write the staged Markdown tree, and
``engine`` turns that tree into HTML. Nothing flows back.
"""

__version__ = "0.1.0"
