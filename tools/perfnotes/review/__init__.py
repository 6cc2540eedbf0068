"""What changes for readers between two states of the notes: as text, as Markdown or as JSON."""
