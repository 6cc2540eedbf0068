"""Files, caches and signals: what is written whole or not at all. Nothing here knows of notes."""
