"""Adding references: records of any common form in, one BibTeX entry in our style out."""
