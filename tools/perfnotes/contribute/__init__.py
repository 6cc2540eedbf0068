"""Adding to the notes: new notes and labs, references by DOI, notes of other programs."""
