"""``perfnotes cite``: reads records in common formats and writes BibTeX entries in our style."""

LARGEST = 4 * 1024 * 1024  # bytes; enough for the whole library of a reference manager
