"""Adding references: records of any common form in, one BibTeX entry in our style out."""

LARGEST = 4 * 1024 * 1024  # bytes: a reference manager's whole library
