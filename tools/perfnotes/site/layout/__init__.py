"""Layout of graphs as pictures. It is pure: the same nodes and edges get the same positions."""
