"""perfnotes: Markdown notes about performance become a site whose every claim can be traced.

The folders follow the data: ``source`` turns files into nouns, ``graph`` resolves what they say
of each other, ``checks`` judge them, ``site`` writes the staged Markdown tree, and ``build`` turns
that tree into HTML. Nothing flows back.
"""

__version__ = "0.1.0"
