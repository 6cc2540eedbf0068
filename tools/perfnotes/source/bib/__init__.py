"""The bibliography: BibTeX in, References out, and how a Reference is written."""
