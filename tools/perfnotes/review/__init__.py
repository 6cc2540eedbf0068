"""What changes for readers between two states of the notes: read, compared, told in three forms."""
