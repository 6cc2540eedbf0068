"""Search: tokens, the index in static shards, the query engine and its evaluation."""
