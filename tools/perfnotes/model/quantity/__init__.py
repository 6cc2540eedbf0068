"""Numbers with units: written, computed from samples and compared with an expectation."""
