"""What the notes say of each other: links and citations resolved, and the graph of them."""
