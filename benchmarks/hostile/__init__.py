"""Notes that nobody writes to be read: how much they cost."""
