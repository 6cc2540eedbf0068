"""The data classes: note, tag, lab, fact and so on, each in its own module; numbers with units."""
