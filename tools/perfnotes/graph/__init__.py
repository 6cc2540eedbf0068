"""Links and citations of the notes, resolved, and the graph that they form."""
