"""From files to nouns: YAML, BibTeX, Markdown with front matter, and what git recorded."""
