"""How well search finds, what it costs its readers and its makers, beside other engines."""
