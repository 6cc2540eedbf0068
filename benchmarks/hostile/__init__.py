"""What strangers and accidents do to perfnotes: floods, shapes, tampering, kills."""
