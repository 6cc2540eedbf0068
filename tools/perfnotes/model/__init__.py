"""The nouns: a note, a tag, a lab, a fact, each in a module of its name, and numbers with units."""
