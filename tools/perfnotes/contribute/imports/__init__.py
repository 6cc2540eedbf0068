"""``perfnotes import``: existing notes in other formats become drafts, and no word is lost.

``decode`` makes text of bytes, ``formats`` make Markdown of a format's text, ``dialects`` and
``steps`` turn other programs' Markdown into ours by small changes. ``links`` resolves the links
once all files are known, ``plan`` collects everything, and ``place`` writes either all files or
none. The report names every guess with its line.
"""
