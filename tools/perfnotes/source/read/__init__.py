"""Files become nouns; what cannot be read becomes a finding."""
