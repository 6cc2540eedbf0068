"""Serving: an edit is in the browser before the hand is off the key, and nothing stays stale.

Two processes share the work. This one keeps the notes linked in memory: it makes the page of the
text that was edited and shows it at once. A ``worker`` then makes the whole site anew, from the
cache where nothing has changed, and what was shown in a hurry is replaced by what it made.
"""
