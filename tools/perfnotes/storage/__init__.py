"""Files, caches and signals. A file is written whole or not at all. Nothing here knows of notes."""
