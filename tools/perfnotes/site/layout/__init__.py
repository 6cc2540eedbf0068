"""Where the nodes of a picture go. Pure: the same nodes and edges give the same places."""
