"""Numbers with units: how they are written, computed from samples and held against a promise."""
