"""Beginning and bringing in: new notes, references by DOI, notes of other houses."""
