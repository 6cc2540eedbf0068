"""Repairs that need no decision (``perfnotes fix``), and renaming (``perfnotes move``)."""
