"""The bibliography: reads BibTeX into References, and writes a Reference as text."""
